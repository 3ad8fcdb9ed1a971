"""Exact bounds of one event: the region holds the truth as often as stated, in exact arithmetic."""

import math

import numpy as np
import pytest
from scipy.stats import binom

from noisewright.audit.bounds.event_bounds import EventBounds


def all_counts(count, other_count):
    hits, others = np.meshgrid(np.arange(count + 1), np.arange(other_count + 1), indexing="ij")
    return hits.ravel(), others.ravel()


@pytest.mark.parametrize(("p", "q"), [(0.5, 0.2), (0.3, 0.3), (0.05, 0.01), (0.9, 0.6), (1.0, 0.0)])
@pytest.mark.parametrize("failure", [0.3, 0.02])
@pytest.mark.parametrize("lean", [0.5, 0.1, 0.97, 0.0])
def test_the_chance_to_miss_is_exactly_summed_and_small_enough(p, q, failure, lean):
    """Over all 41 × 31 counts: the probability that the true (p, q) lies outside of every box."""
    count, other_count = 40, 30
    hits, others = all_counts(count, other_count)
    corners = EventBounds.of(hits, count, others, other_count, failure, lean).corners
    holds = ((corners[..., 0] <= p) & (q <= corners[..., 1])).any(axis=1)
    chances = binom.pmf(hits, count, p) * binom.pmf(others, other_count, q)
    assert chances[~holds].sum() <= failure


def test_the_bounds_are_not_idle():
    """Power: about as sharp as two exact tests can be, and far above zero where the truth is."""
    bounds = EventBounds.of([50_000], 100_000, [18_400], 100_000, 0.01)
    assert 0.95 < float(bounds.epsilon_lower(0.0)) < 1.0
    assert 0.30 < float(bounds.delta_lower(0.0)) < 0.316
    assert (EventBounds.of([50], 100, [18], 100, 0.3).epsilons(0.0) > 0.6).all()


def test_every_epsilon_and_delta_is_read_from_one_region():
    bounds = EventBounds.of([600, 30], 1_000, [200, 1], 1_000, [0.01, 0.02])
    epsilons = np.linspace(0, 3, 13)
    deltas = bounds.deltas(epsilons)
    assert deltas.shape == (2, 13)
    assert (np.diff(deltas, axis=1) < 0).all()
    for place in range(2):
        least = bounds.epsilons(0.01)[place]
        at = bounds.deltas([least])[place, 0]
        assert at == pytest.approx(0.01, abs=1e-6)  # both are the same edge of the same region
    assert float(bounds.epsilon_lower(0.0)) == max(bounds.epsilons(0.0))


def test_events_that_never_or_always_came():
    bounds = EventBounds.of([0, 10, 10, 0], 10, [0, 0, 10, 10], 10, 0.05)
    assert np.isfinite(bounds.corners).all()
    assert bounds.epsilons(0.0)[0] == 0.0
    assert bounds.epsilons(0.0)[1] > 0.0
    assert bounds.epsilons(0.0)[3] == 0.0
    assert (bounds.deltas([0.0])[:, 0] <= 1).all()


@pytest.mark.parametrize(("hits", "other", "lean"), [(200_000, 180_000, 0.47), (800_000, 4_000, 0.001)])
@pytest.mark.parametrize("off", [0.7, 1.0, 1.4])
def test_an_aimed_bound_loses_little_more_than_a_test_of_the_ratio_must(hits, other, lean, off):
    """In standard errors, where 1.28 is what the normal test loses; the aim may be off."""
    runs, failure = 1_000_000, 0.1
    error = math.sqrt(1 / hits + 1 / other - 2 / runs)
    bounds = EventBounds.of([hits], runs, [other], runs, failure, lean * off)
    lost = (math.log(hits / other) - bounds.epsilons(0.0)[0]) / error
    assert 1.25 < lost < (1.37 if off == 1 else 1.7)


def test_one_event_alone_is_the_same_event():
    bounds = EventBounds.of([600, 30], 1_000, [200, 1], 1_000, [0.01, 0.02], [0.7, 0.3])
    for place in range(2):
        assert bounds.only(place).epsilons(0.0)[0] == bounds.epsilons(0.0)[place]
