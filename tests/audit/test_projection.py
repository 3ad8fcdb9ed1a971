"""The nearest possible spectrum: true ones stay, estimates only come closer, nothing impossible is left."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from noisewright.audit.projection import project_spectrum
from noisewright.errors import InvalidParameter


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
