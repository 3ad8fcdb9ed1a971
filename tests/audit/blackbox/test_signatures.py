"""Functions that cannot be called as an audit would call them are refused before the first call."""

from functools import partial

import pytest

from noisewright.audit.blackbox import Calls, Vectorized
from noisewright.errors import InvalidParameter


def refused(box, function):
    with pytest.raises(InvalidParameter) as refusal:
        box(function)
    return str(refusal.value)


@pytest.mark.parametrize(
    ("function", "said"),
    [
        (lambda: 0, "takes no argument; it must take the data"),
        (lambda generator: 0, "takes nothing but (generator); it must take the data"),
        (lambda *, data: 0, "takes nothing but (data); it must take the data"),
        (
            lambda data, count: 0,
            "needs (data, count), and an audit calls it with (data); say vectorized=True",
        ),
        (lambda data, count, generator: 0, "say vectorized=True if it returns that many"),
        (lambda data, epsilon, bound: 0, "needs (data, epsilon, bound), and an audit calls it with (data)"),
        (lambda data, *, epsilon: 0, "needs (data, epsilon), and an audit calls it with (data); give"),
        (lambda generator, data: 0, "parameter generator must come after (data)"),
        (lambda data, generator, /: 0, "parameter generator must come after (data)"),
    ],
)
def test_one_output_a_call(function, said):
    assert said in refused(Calls, function)


@pytest.mark.parametrize(
    ("function", "said"),
    [
        (lambda: 0, "takes no argument; it must take (data, count)"),
        (lambda data: [0], "takes (data) only; vectorized functions take (data, count)"),
        (lambda data, generator: [0], "takes (data) only; vectorized functions take (data, count)"),
        (lambda data, count, epsilon: [0], "needs (data, count, epsilon)"),
    ],
)
def test_many_outputs_a_call(function, said):
    assert said in refused(Vectorized, function)


class Release:
    """A callable object with a parameter that has a default."""

    def __call__(self, data, epsilon=4711.0):
        return data

    def method(self, data, count, *, generator):
        return [data] * count


@pytest.mark.parametrize(
    "function",
    [max, Release(), partial(lambda epsilon, data: data, 1.0), lambda *everything: 0, lambda data=0: data],
)
def test_what_fits_or_does_not_tell_is_called(function):
    assert len(Calls(function).draw([1.0, 2.0], 3, seed=1)) == 3


def test_methods_take_what_is_left_of_their_parameters():
    assert len(Vectorized(Release().method).draw(1.0, 3, seed=1)) == 3
    assert "needs (data, count)" in refused(Calls, Release().method)


def test_defaults_are_not_shown():
    assert "4711" not in refused(Calls, lambda data, secret, epsilon=4711: 0)
