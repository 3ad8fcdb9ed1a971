"""The point estimate: without the flattery of a maximum, and always the shape of a spectrum."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from noisewright.audit import Claim
from noisewright.audit.basics.claim import allowed_delta
from noisewright.audit.bounds.tally import AtomTally, ScoreTally, estimate_curve, project_spectrum
from noisewright.errors import InvalidParameter

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
    crossed = [estimate_curve(tally, GRID[:2])[0] for tally in tallies]
    assert np.mean(crossed) < 0.0225 < np.mean(flattered)


def test_the_estimate_follows_the_truth_and_is_a_spectrum():
    """Randomized response at ε = 1: at ε = 0 its δ is 0.4621, with a standard error of 0.007."""
    rng = np.random.default_rng(2)
    truth = np.e / (1 + np.e)
    left, right = (rng.random(8_000) < chance for chance in (truth, 1 - truth))
    tally = AtomTally.of(np.array([-1.0, 1.0, 0.0]), left.astype(np.int64), right.astype(np.int64))
    found = estimate_curve(tally, GRID)
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
    found = estimate_curve(AtomTally.of(-scores if mirrored else scores, *sides), GRID)
    assert found[-1] == pytest.approx(0.1, abs=0.04)


# -- The nearest possible spectrum: true ones stay, estimates only come closer, nothing impossible is left


def spectrum(left: np.ndarray, right: np.ndarray, epsilons: np.ndarray) -> np.ndarray:
    return np.maximum(left[:, None] - np.exp(epsilons) * right[:, None], 0).sum(axis=0)


def a_pair(rng: np.random.Generator, atoms: int) -> tuple[np.ndarray, np.ndarray]:
    left, right = rng.gamma(rng.choice([0.1, 1.0]), size=(2, atoms)) + 1e-300
    return left / left.sum(), right / right.sum()


def true_curve(rng: np.random.Generator, epsilons: np.ndarray) -> np.ndarray:
    return spectrum(*a_pair(rng, int(rng.integers(1, 8))), epsilons)


@pytest.mark.parametrize("epsilons", [np.linspace(0, 3, 31), np.array([0.7]), np.array([0.2, 5.0, 300.0])])
def test_true_spectra_stay_where_they_are(epsilons):
    rng = np.random.default_rng(1)
    for _ in range(40):
        true = true_curve(rng, epsilons)
        np.testing.assert_allclose(project_spectrum(epsilons, true), true, atol=1e-9)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32), st.integers(1, 25))
def test_no_true_spectrum_gets_further_away(seed, points):
    rng = np.random.default_rng(seed)
    epsilons = np.cumsum(rng.exponential(0.2, size=points))
    estimate = rng.normal(0.2, 0.5, size=points)
    projected = project_spectrum(epsilons, estimate)
    np.testing.assert_allclose(project_spectrum(epsilons, projected), projected, atol=1e-8)
    for _ in range(5):
        true = true_curve(rng, epsilons)
        # the angle at the projection is never acute: stronger than "not further", and true of nothing else
        assert np.sum((estimate - projected) * (true - projected)) <= 1e-9
        before, after = (np.sum((curve - true) ** 2) for curve in (estimate, projected))
        assert after <= before + 1e-9


def test_nothing_impossible_is_left():
    rng = np.random.default_rng(2)
    epsilons = np.linspace(0, 2, 15)
    for _ in range(20):
        curve = project_spectrum(epsilons, rng.normal(0.3, 0.6, size=15))
        slopes = np.diff(np.append(1.0, curve)) / np.diff(np.append(0.0, np.exp(epsilons)))
        assert (np.diff(slopes) >= -1e-9).all()
        assert (slopes <= 1e-12).all()
        assert 0 <= curve.min() <= curve.max() <= 1


@pytest.mark.parametrize(
    ("epsilons", "deltas"),
    [
        ([], []),
        ([0, 1], [0.1]),
        ([0, 1], [0.1, np.nan]),
        ([1, 1], [0.1, 0.1]),
        ([-1, 1], [0.1, 0.1]),
    ],
)
def test_what_is_no_estimate_is_refused(epsilons, deltas):
    with pytest.raises(InvalidParameter):
        project_spectrum(epsilons, deltas)
