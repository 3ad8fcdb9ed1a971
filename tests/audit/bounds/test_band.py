"""Bands: all sets of a chain at once, at the stated rate; sharp where the chain is thin."""

import numpy as np
import pytest
from scipy.stats import binom

from noisewright.audit.bounds.event_bounds import Band
from noisewright.errors import InvalidParameter

TRIALS = 2_000
FALSE_ALARM = 1e-9


def failures(failure, count=400, seed=1):
    """Of many samples, how many have a set of the chain {u ≤ t} outside its band, on either side."""
    rng = np.random.default_rng(seed)
    samples = np.sort(rng.random((TRIALS, count)), axis=1)
    band = Band(count, failure)
    at, before = np.arange(1, count + 1) / count, np.arange(count) / count
    above = samples > band.above(before)  # just before a point the share is smallest for its probability
    below = samples < band.below(at)
    return int(above.any(axis=1).sum()), int(below.any(axis=1).sum())


@pytest.mark.parametrize("failure", [0.5, 0.05])
def test_both_sides_fail_as_seldom_as_stated(failure):
    limit = binom.isf(FALSE_ALARM, TRIALS, failure)
    assert max(failures(failure)) <= limit


def test_a_band_without_its_correction_would_be_found_out():
    """Power: pointwise bounds, which hold at each share alone, fail far more often than they say."""
    rng = np.random.default_rng(1)
    count, failure, levels = 400, 0.05, np.arange(1, 20) / 20
    hits = (rng.random((TRIALS, count, 1)) <= levels).sum(axis=1)
    wrong = (hits > binom.isf(failure, count, levels)).any(axis=1).sum()
    assert wrong > binom.isf(FALSE_ALARM, TRIALS, failure)


def test_the_tail_is_sharper_than_the_bulk():
    band = Band(1_000_000, 0.025)
    assert band.above(1e-4) < 2e-4 < 1e-4 + band.reach
    assert band.below(1 - 1e-4) > 1 - 2e-4
    assert band.above(0.5) == pytest.approx(0.5 + band.reach)


def test_bounds_enclose_the_share_and_rise_with_it():
    band = Band(1_000, 0.1)
    shares = np.arange(1_001) / 1_000
    above, below = band.above(shares), band.below(shares)
    assert (below <= shares).all()
    assert (np.minimum(above, 1.0) >= shares).all()
    assert (np.diff(above) >= 0).all()
    assert (np.diff(below) >= 0).all()


def test_nothing_to_go_by_is_refused():
    with pytest.raises(InvalidParameter):
        Band(0, 0.1)
    with pytest.raises(InvalidParameter):
        Band(10, 0.6)
