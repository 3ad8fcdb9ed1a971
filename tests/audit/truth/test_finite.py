"""Spectra of finite laws against every event there is."""

from __future__ import annotations

from itertools import chain, combinations

import numpy as np
import pytest
from scipy.stats import binom

from noisewright.audit.truth import (
    counting_scores,
    ddp_histogram,
    exponential,
    exponential_law,
    finite,
    randomized_response,
)
from noisewright.errors import InvalidParameter

EPSILONS = np.linspace(0, 2.5, 11)


def over_all_events(left: np.ndarray, right: np.ndarray, epsilon: float) -> float:
    events = chain.from_iterable(combinations(range(len(left)), size) for size in range(len(left) + 1))
    return max(left[list(event)].sum() - np.exp(epsilon) * right[list(event)].sum() for event in events)


def test_finite_is_the_largest_over_all_events_in_each_direction() -> None:
    random = np.random.default_rng(11)
    left, right = random.dirichlet(np.ones(6)), random.dirichlet(np.ones(6))
    for laws in ((left, right), (right, left)):
        expected = [over_all_events(*laws, epsilon) for epsilon in EPSILONS]
        assert finite(*laws, EPSILONS) == pytest.approx(expected, abs=1e-14)
    assert not np.allclose(finite(left, right, EPSILONS), finite(right, left, EPSILONS))


def test_outputs_of_one_input_alone_stay_at_every_epsilon() -> None:
    assert finite([0.25, 0.75], [0.0, 1.0], [0.0, 700.0]).tolist() == [0.25, 0.25]


@pytest.mark.parametrize(("budget", "labels"), [(1.0, 2), (0.3, 7), (3.0, 40)])
def test_randomized_response_is_its_finite_law(budget: float, labels: int) -> None:
    weights = np.ones((2, labels))
    weights[[0, 1], [0, 1]] = np.exp(budget)
    laws = weights / weights.sum(axis=1, keepdims=True)
    assert randomized_response(budget, labels, EPSILONS) == pytest.approx(finite(*laws, EPSILONS), abs=1e-15)


def test_exponential_on_three_rows_is_a_mirror_image() -> None:
    two, one = counting_scores(2, 3), counting_scores(1, 3)
    weights = np.exp(-np.abs(np.arange(4) - 2.0))
    assert exponential_law(2.0, two) == pytest.approx(weights / weights.sum())
    there, back = exponential(2.0, two, one, EPSILONS), exponential(2.0, one, two, EPSILONS)
    assert there == pytest.approx(back, abs=1e-15)
    assert there[0] == pytest.approx(np.tanh(0.5))
    assert np.all(exponential(2.0, counting_scores(0, 3), one, EPSILONS[:3]) > 0)


@pytest.mark.parametrize("rows", [1, 2, 3, 10, 101])
def test_histogram_of_bits_is_two_shifted_binomials(rows: int) -> None:
    without = np.append(binom.pmf(np.arange(rows), rows - 1, 0.5), 0.0)
    withit = np.roll(without, 1)
    for laws in ((without, withit), (withit, without)):
        assert ddp_histogram(rows, EPSILONS) == pytest.approx(finite(*laws, EPSILONS), abs=1e-12)


@pytest.mark.parametrize(
    ("left", "right"), [([0.5, 0.6], [0.5, 0.5]), ([1.0], [0.5, 0.5]), ([1.5, -0.5], [1, 0])]
)
def test_what_is_no_pair_of_laws_is_refused(left, right) -> None:
    with pytest.raises(InvalidParameter, match=r"probabilities|outputs"):
        finite(left, right, 0.0)
