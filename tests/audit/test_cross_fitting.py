"""The point estimate: without the flattery of a maximum, and always the shape of a spectrum."""

import numpy as np
import pytest

from noisewright.audit import Claim
from noisewright.audit.allowance import allowed_delta
from noisewright.audit.cross_fitting import cross_fitted
from noisewright.audit.tallies import AtomTally, ScoreTally

GRID = np.linspace(0.0, 2.0, 21)
TALLIES = 40
ROWS = 1_000


def test_choosing_and_measuring_on_the_same_rows_flatters_and_crossing_does_not():
    """Two equal laws, whose δ is 0.

    The best of all thresholds seems to show about 0.87·√(2/1000) = 0.038. Crossed halves have mean 0 before they
    are cut there, about 0.009 after it. With 40 tallies both means are known within 0.002 (a standard error), so
    0.0225 lies six or more from either.
    """
    rng = np.random.default_rng(1)
    tallies = [ScoreTally(*rng.normal(size=(2, ROWS))) for _ in range(TALLIES)]
    counts = [tally.counts(tally.thresholds()) for tally in tallies]
    flattered = [np.abs(each.left_share - each.right_share).max() for each in counts]
    crossed = [cross_fitted(tally, GRID[:2])[0] for tally in tallies]
    assert np.mean(crossed) < 0.0225 < np.mean(flattered)


def test_the_estimate_follows_the_truth_and_is_a_spectrum():
    """Randomized response at ε = 1: at ε = 0 its δ is 0.4621, with a standard error of 0.007."""
    rng = np.random.default_rng(2)
    truth = np.e / (1 + np.e)
    left, right = (rng.random(8_000) < chance for chance in (truth, 1 - truth))
    tally = AtomTally.of(np.array([-1.0, 1.0, 0.0]), left.astype(np.int64), right.astype(np.int64))
    found = cross_fitted(tally, GRID)
    np.testing.assert_allclose(found, allowed_delta(Claim(1.0), GRID), atol=0.05)
    assert (np.diff(found) <= 1e-12).all()
    slopes = np.diff(found) / np.diff(np.exp(GRID))
    assert (np.diff(slopes) >= -1e-9).all()


@pytest.mark.parametrize("mirrored", [False, True])
def test_both_directions_are_looked_at(mirrored):
    """An output that one input gives in a tenth of runs and the other never: δ = 0.1 at large ε, ± 0.006."""
    rng = np.random.default_rng(3)
    never, sometimes = (rng.choice(3, 4_000, p=law) for law in ([0.5, 0.5, 0.0], [0.5, 0.4, 0.1]))
    scores = np.array([0.0, 0.1, -1.0])
    sides = (sometimes, never) if mirrored else (never, sometimes)
    found = cross_fitted(AtomTally.of(-scores if mirrored else scores, *sides), GRID)
    assert found[-1] == pytest.approx(0.1, abs=0.04)
