"""The point estimate: without the flattery of a maximum, and always the shape of a spectrum."""

import numpy as np
import pytest

from noisewright.audit import Claim
from noisewright.audit.allowance import allowed_delta
from noisewright.audit.cross_fitting import cross_fitted
from noisewright.audit.tallies import AtomTally, ScoreTally

GRID = np.linspace(0.0, 2.0, 21)


def gaussians(shift, count=4_000, seed=1):
    rng = np.random.default_rng(seed)
    return ScoreTally(rng.normal(shift, 1, count), rng.normal(0, 1, count))


def test_choosing_and_measuring_on_the_same_rows_flatters_and_crossing_does_not():
    """Two equal laws: the best of 8,000 thresholds seems to show δ > 0; the mean of crossed ones is none.

    Under equality sup |P̂ − Q̂| has mean about 0.87·√(2/4000) = 0.019 at ε = 0. A crossed estimate of either
    direction has mean 0 and standard deviation below √(½·2/4000·¼·2) = 0.011 before it is cut at 0, so over 20
    tallies the mean of the larger of both is below 0.0112 unless six standard errors (0.0025 each) fall together.
    """
    tallies = [gaussians(0.0, seed=seed) for seed in range(20)]
    crossed = np.mean([cross_fitted(tally, GRID[:1])[0] for tally in tallies])
    counts = [tally.counts(tally.thresholds()) for tally in tallies]
    naive = np.mean([np.abs(each.left_share - each.right_share).max() for each in counts])
    assert naive > 0.015
    assert crossed < 0.0112


def test_the_estimate_follows_the_truth_and_is_a_spectrum():
    """Randomized response at ε = 1: at ε = 0 its δ is 0.4621, with a standard error of 0.007 here."""
    rng = np.random.default_rng(2)
    truth = np.e / (1 + np.e)
    left, right = (rng.random(8_000) < chance for chance in (truth, 1 - truth))
    tally = AtomTally.of(np.array([-1.0, 1.0, 0.0]), left.astype(np.int64), right.astype(np.int64))
    found = cross_fitted(tally, GRID)
    np.testing.assert_allclose(found, allowed_delta(Claim(1.0), GRID), atol=0.05)
    assert (np.diff(found) <= 1e-12).all()
    slopes = np.diff(found) / np.diff(np.exp(GRID))
    assert (np.diff(slopes) >= -1e-9).all()


@pytest.mark.parametrize("shift", [-1.0, 1.0])
def test_both_directions_are_looked_at(shift):
    """Φ(½) − Φ(−½) = 0.383 at ε = 0, whichever input scores higher."""
    assert cross_fitted(gaussians(shift), GRID)[0] == pytest.approx(0.383, abs=0.07)
