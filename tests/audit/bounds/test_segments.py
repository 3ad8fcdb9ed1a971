"""The heaviest unions of segments, against trying all of them."""

import itertools

import numpy as np
import pytest

from noisewright.audit.bounds.upper import SHORT, best_segments, priced_best


def tried(weights, count):
    """Every choice of at most ``count`` disjoint segments."""
    best = 0.0
    places = range(len(weights) + 1)
    for segments in range(1, count + 1):
        for ends in itertools.combinations(places, 2 * segments):
            best = max(best, sum(weights[a:b].sum() for a, b in zip(ends[::2], ends[1::2], strict=True)))
    return best


@pytest.mark.parametrize("count", [1, 2, 3])
def test_short_rows_are_exact(count):
    rng = np.random.default_rng(count)
    for _ in range(5):
        weights = rng.normal(size=9)
        assert best_segments(weights, count) == pytest.approx(tried(weights, count))


@pytest.mark.parametrize("count", [1, 3])
def test_long_rows_are_bounded_from_above_and_sharply(count):
    """Against the exact program, which is what short rows use."""
    from noisewright.audit.bounds.upper import _by_count

    rng = np.random.default_rng(5)
    weights = rng.normal(size=4 * SHORT) * 1e-3 + 2e-4 * np.sin(np.arange(4 * SHORT) / 100)
    exact = _by_count(weights, count)[count]
    assert exact <= best_segments(weights, count) <= exact * 1.01 + 1e-6


def test_a_price_on_segments():
    weights = np.array([2.0, -1.0, 2.0, -5.0, 1.0])
    assert priced_best(weights, 0.0) == pytest.approx(5.0)
    assert priced_best(weights, 0.5) == pytest.approx(3.5)
    assert priced_best(weights, 1.5) == pytest.approx(1.5)
    assert priced_best(weights, 9.0) == 0.0


def test_nothing_heavy():
    assert best_segments(-np.ones(4), 2) == 0.0
    assert best_segments(-np.ones(4 * SHORT), 2) < 1e-6
