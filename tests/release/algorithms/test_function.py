"""Any function: what it is handed, the shape it gives, and what is refused."""

import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from noisewright.errors import BadRelease, InvalidParameter
from noisewright.release.algorithms.base import Facts
from noisewright.release.algorithms.function import Function

ROWS = np.random.default_rng(11).normal(size=(20, 3))
LABELS = np.arange(20) % 2


def covariance(rows: Any) -> Any:
    return np.cov(rows.T)


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (lambda rows: rows.sum(), [ROWS.sum()]),
        (lambda rows, labels: rows[labels == 1].sum(), [ROWS[1::2].sum()]),
        (lambda rows, labels, seed: seed, [7]),
        (lambda rows, labels=None, seed=0: seed, [7]),
        (lambda rows, y=None: y.sum(), [10]),
        (lambda rows, axis=0: axis, [0]),
        (lambda rows, axis=0, seed=3: seed, [3]),
        (lambda *everything: len(everything), [1]),
        (lambda rows=None, labels=None: labels.sum(), [10]),
        (np.mean, [ROWS.mean()]),
        (np.sum, [ROWS.sum()]),
        (np.random.default_rng(0).permutation(3).take, None),
    ],
)
def test_a_function_gets_what_its_signature_asks_for(function: Callable[..., Any], expected: Any) -> None:
    wrapped = Function(function)
    if expected is None:  # a compiled method that wants indices: refused, and not by a crash
        with pytest.raises(BadRelease, match="raised"):
            wrapped.facts(ROWS, LABELS)
        return
    facts = wrapped.facts(ROWS, LABELS)
    np.testing.assert_allclose(wrapped.fit(ROWS, LABELS, 7, facts), expected)


def test_labels_are_needed_where_the_function_cannot_do_without() -> None:
    assert Function(lambda rows, labels: 0).needs_labels
    assert not Function(lambda rows, labels=None: 0).needs_labels
    assert not Function(lambda rows, labels, seed: 0).needs_labels
    assert not Function(covariance).needs_labels


def test_the_model_has_the_shape_of_the_answer() -> None:
    function = Function(covariance)
    facts = function.facts(ROWS, None)
    vector = function.fit(ROWS, None, 0, facts)
    np.testing.assert_array_equal(function.model(vector, facts), np.cov(ROWS.T))
    assert function.coordinates(facts)[:4] == ("value 0,0", "value 0,1", "value 0,2", "value 1,0")
    assert len(function.coordinates(facts)) == vector.size == 9
    assert function.model(vector, Facts(20, 3)).shape == (9,)


def test_a_number_stays_a_number() -> None:
    function = Function(np.mean)
    facts = function.facts(ROWS, None)
    assert function.coordinates(facts) == ("value",)
    model = function.model(np.array([2.5]), facts)
    assert (type(model), model) == (float, 2.5)


def test_names_and_post_processing() -> None:
    function = Function(lambda rows: rows.std(axis=0), coordinates="abc", post=lambda array: array.clip(0))
    facts = function.facts(ROWS, None)
    assert function.coordinates(facts) == ("a", "b", "c")
    assert function.model(np.array([-1.0, 0.0, 2.0]), facts).tolist() == [0, 0, 2]


def test_facts_keep_the_shape_and_not_the_answer() -> None:
    facts = Function(covariance).facts(ROWS, None)
    assert facts.reference is not None
    assert not facts.reference.any()


def test_a_function_that_works_in_place_cannot_change_the_pool() -> None:
    def spoil(rows: Any) -> Any:
        rows[:] = 0
        return 1

    rows = ROWS.copy()
    Function(spoil).facts(rows, None)
    np.testing.assert_array_equal(rows, ROWS)


def test_what_the_function_raises_on_the_pool_is_named_and_not_quoted() -> None:
    def fails(rows: Any) -> Any:
        raise ValueError(f"cannot use {rows[0, 0]}")

    with pytest.raises(BadRelease, match="raised ValueError on the whole pool") as refusal:
        Function(fails).facts(ROWS, None)
    assert "cannot use" not in str(refusal.value)
    assert refusal.value.__suppress_context__


@pytest.mark.parametrize("answer", ["text", None, [], [[1], [1, 2]], 1j, {"a": 1}])
def test_answers_that_are_no_numbers_are_refused(answer: Any) -> None:
    with pytest.raises(BadRelease, match="returned no numbers"):
        Function(lambda rows: answer).facts(ROWS, None)


def test_a_shape_that_changes_is_refused_even_at_the_same_length() -> None:
    function = Function(lambda rows: np.ones((2, 3) if len(rows) == 20 else (3, 2)))
    facts = function.facts(ROWS, None)
    with pytest.raises(BadRelease, match=r"returned shape \(3, 2\), not \(2, 3\)"):
        function.fit(ROWS[:10], None, 0, facts)


def test_wrong_numbers_of_names_and_wrong_signatures_are_refused() -> None:
    with pytest.raises(InvalidParameter, match="coordinates has 2 names, but the function returns 9 numbers"):
        Function(covariance, coordinates=["a", "b"]).facts(ROWS, None)
    for function in (lambda: 0, lambda a, b, c, d: 0, lambda rows, *, scale: 0, "mean"):
        with pytest.raises(InvalidParameter, match="function must"):
            Function(function)  # type: ignore[arg-type]
    with pytest.raises(InvalidParameter, match="facts of its own pool"):
        Function(covariance).coordinates(Facts(20, 3))


def test_it_pickles() -> None:
    function = pickle.loads(pickle.dumps(Function(np.mean, ["mean"])))
    assert function == Function(np.mean, ["mean"])
