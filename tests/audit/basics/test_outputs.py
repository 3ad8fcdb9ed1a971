"""Outputs: numbers stay numbers, everything else is text, and no output depends on its companions."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from noisewright.audit import Experiment, Outputs, audit
from noisewright.errors import BadMechanism

NUMBERS = st.floats() | st.integers(-(2**70), 2**70) | st.booleans()
PARTS = st.recursive(NUMBERS | st.none() | st.text(max_size=3), lambda part: st.lists(part, max_size=3))


@given(st.lists(PARTS, min_size=1, max_size=8))
def test_the_text_of_an_output_is_that_of_the_output_alone(outputs):
    together = Outputs.of(outputs).as_words().tolist()
    assert together == [Outputs.of([output]).as_words()[0] for output in outputs]


def test_infinities_are_numbers_however_they_come():
    values = [1.5, math.inf, -math.inf, math.nan]
    listed, whole = Outputs.of(values), Outputs.of(np.array(values))
    assert listed.numbers is not None
    assert np.array_equal(listed.numbers, whole.numbers, equal_nan=True)


@pytest.mark.filterwarnings("error")
def test_a_function_that_gives_infinities_may_be_assumed_monotone():
    """Noise that overflows upwards in one run of six."""

    def noisy(value, generator):
        output = value + generator.laplace()
        return math.inf if output > 1.8 else output

    found = audit(noisy, 0.0, 1.0, samples=4_000, assume="monotone", seed=1, jobs=1)
    assert found.upper is not None
    assert (found.lower <= found.upper).all()
    assert found.score == "the output itself"


def test_whole_numbers_that_doubles_cannot_tell_apart_stay_apart():
    assert Outputs.of([2**53 + 1, 0.5]).as_words().tolist() == ["9007199254740993", "0.5"]


def test_large_doubles_stay_numbers_and_nothing_is_a_table_without_rows():
    assert Outputs.of([1e300, 0.5]).numbers.tolist() == [[1e300], [0.5]]
    assert Outputs.of(np.zeros(0)).numbers.shape == (0, 1)
    assert Outputs.of(np.zeros((0, 3))).numbers.shape == (0, 3)


def test_whole_numbers_too_long_to_write_are_refused():
    with pytest.raises(BadMechanism, match="too long to be kept"):
        Outputs.of([10**5000, None])


def test_lists_without_end_are_refused():
    deep = []
    for _ in range(5_000):
        deep = [deep]
    with pytest.raises(BadMechanism, match="nested too deep"):
        Outputs.of([deep, None])


def test_an_experiment_takes_what_an_audit_takes():
    experiment = Experiment(lambda value, generator: value + generator.normal(), 0.0, 1.0, seed=1, jobs=1)
    assert len(experiment.take("left", 3)) == 3
