"""Intervals hold the true number as often as they say, for crowds placed to make them fail."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binom

from noisewright.randomness import SeededSource
from noisewright.trajectory import Rectangle, Routes, TraCSC, TraCSD
from noisewright.trajectory.aggregates import count_inside
from noisewright.trajectory.aggregates.brackets import bracket_spans
from noisewright.trajectory.aggregates.laws import law_of
from noisewright.trajectory.aggregates.regions import Grid, Span, chart_of
from noisewright.trajectory.aggregates.weighers import weigher_of

SQUARE = Rectangle(0, 0, 1, 1)
REGION = (0.3, 0.2, 0.6, 0.7)
FALSE_ALARM = 1e-9


def crowds(count):
    """Where people are: everywhere, or on one or two spots at the edge of the region."""
    half = count // 2
    return {
        "even": SQUARE.spread(count),
        "just outside": np.tile((0.299, 0.45), (count, 1)),
        "just inside": np.tile((0.301, 0.45), (count, 1)),
        "two clumps": np.repeat([(0.29, 0.45), (0.59, 0.69)], [half, count - half], axis=0),
    }


def inside(points):
    left, bottom, right, top = REGION
    return int(((points >= (left, bottom)) & (points <= (right, top))).all(axis=1).sum())


def misses(mechanism, points, collections, seed):
    truth, missed = inside(points), 0
    starts = np.arange(0, len(points) + 1, 20)
    names = tuple(str(number) for number in range(starts.size - 1))
    source = SeededSource(seed)
    for _ in range(collections):
        found = count_inside(
            mechanism.perturb_routes(Routes(points, starts, names), source), mechanism, REGION
        )
        missed += not found.low <= truth <= found.high
    return missed


def most(collections):
    """Misses that an interval of 95 % exceeds with a probability of 10⁻⁹."""
    return int(binom.isf(FALSE_ALARM, collections, 0.05))


@pytest.mark.slow
def test_counts_of_tracs_c_hold_in_at_least_93_percent_of_collections():
    collections, missed = 0, 0
    for epsilon in (1.0, 2.0, 4.0, 8.0):
        mechanism = TraCSC(SQUARE, epsilon, split="even")
        for number, points in enumerate(crowds(300).values()):
            here = misses(mechanism, points, 300, 100 * number + int(epsilon))
            assert here <= most(300)  # no crowd hides behind the others
            missed += here
            collections += 300
    assert most(collections) <= 0.07 * collections
    assert missed <= most(collections)


@pytest.mark.slow
@pytest.mark.parametrize("reference", ["previous", (0.8, 0.8)])
def test_counts_of_tracs_d_hold(reference):
    collections, missed = 0, 0
    for epsilon in (2.0, 8.0):
        mechanism = TraCSD(SQUARE, epsilon, split="heuristic", reference=reference)
        for number, points in enumerate(crowds(300).values()):
            here = misses(mechanism, points, 50, 100 * number + int(epsilon))
            assert here <= most(50)  # no crowd hides behind the others
            missed += here
            collections += 50
    assert missed <= most(collections)


def test_all_cells_of_a_map_hold_together():
    mechanism = TraCSC(SQUARE, 6.0, split="even")
    grid = Grid(chart_of(mechanism), (4, 3))
    source, missed = SeededSource(11), 0
    for points in crowds(600).values():
        truth = grid.counts(points).reshape(-1)
        for _ in range(50):
            reports = Routes.of([mechanism.perturb(points, source)])
            sums = weigher_of(mechanism, reports, grid.spans).sums(600)
            low, high = sums.interval(0.95, comparisons=12)
            missed += not ((low <= truth + 1e-6) & (truth - 1e-6 <= high)).all()
    assert missed <= most(200)


def test_a_plain_inverse_would_not_hold():
    """The power of these crowds: an interval around the least-squares inverse misses nearly always."""
    channel = TraCSC(SQUARE, 4.0, split="even").first
    law = law_of(channel)
    bracket = bracket_spans(channel, (Span.between(0.3, 0.6),), 30.0, 0.007)
    places = channel.domain.snap(np.array([0.299]))  # everybody just outside
    probabilities = law.at(places)[0]
    mean = float(bracket.middle[0] @ probabilities)
    deviation = float(np.sqrt(bracket.middle[0] ** 2 @ probabilities - mean**2) / np.sqrt(20_000))
    assert mean > 5 * deviation  # the truth is 0
    assert float(bracket.lower[0] @ probabilities) <= 1e-9
