"""Lemmas 2 and 3 of the paper against integrals of the densities, in both directions."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from scipy.integrate import quad

from noisewright.audit.truth import classical_sigma, gaussian, laplace
from noisewright.errors import InvalidParameter

EPSILONS = np.array([0.0, 0.1, 0.5, 0.99, 1.5, 3.0])


def integrated(left, right, epsilon: float, turns: list[float]) -> float:
    """∫ (left − e^ε·right)₊ over a range beyond which nothing is left."""
    edges = [-60.0, *sorted(turns), 60.0]
    gap = lambda x: max(left(x) - math.exp(epsilon) * right(x), 0.0)  # noqa: E731
    return sum(quad(gap, *piece, limit=200, epsabs=1e-12)[0] for piece in pairwise(edges))


def double_exponential(centre: float, rate: float):
    return lambda x: rate / 2 * math.exp(-rate * abs(x - centre))


def bell(centre: float, sigma: float):
    return lambda x: math.exp(-(((x - centre) / sigma) ** 2) / 2) / sigma / math.sqrt(2 * math.pi)


@pytest.mark.parametrize("budget", [0.7, 2.0])
@pytest.mark.parametrize("shift", [1.0, -1.0])
def test_laplace_is_the_integral_in_both_directions(budget: float, shift: float) -> None:
    left, right = double_exponential(0, budget), double_exponential(shift, budget)
    for epsilon in EPSILONS:
        turn = shift / 2 * (1 - epsilon / budget)  # where the densities cross, at e^ε
        found = integrated(left, right, epsilon, [0.0, shift, turn])
        assert laplace(budget, epsilon) == pytest.approx(found, abs=1e-9)
        if epsilon < 0.6 * budget:
            assert laplace(1.1 * budget, epsilon) > found + 0.01  # another law is told apart


@pytest.mark.parametrize("sigma", [0.8, 4.0])
@pytest.mark.parametrize("shift", [1.0, -1.0])
def test_gaussian_is_the_integral_in_both_directions(sigma: float, shift: float) -> None:
    left, right = bell(0, sigma), bell(shift, sigma)
    for epsilon in EPSILONS:
        turn = shift * (0.5 - sigma**2 * epsilon)
        found = integrated(left, right, epsilon, [turn] if abs(turn) < 50 else [])
        assert gaussian(sigma, epsilon) == pytest.approx(found, abs=1e-9)
    assert gaussian(sigma / 1.1, 0.0) > gaussian(sigma, 0.0) * 1.05


def test_gaussian_needs_only_the_distance() -> None:
    assert gaussian(2.0, EPSILONS, distance=3.0) == pytest.approx(gaussian(2.0 / 3.0, EPSILONS))


def test_gaussian_keeps_its_digits_far_out() -> None:
    # the two tails agree in most digits; the integrand does not cancel
    gap = lambda x: -np.exp(-x * x / 2) * np.expm1(10 - (0.5 - x)) / np.sqrt(2 * np.pi)  # noqa: E731
    exact = quad(gap, -14.0, -9.5, epsabs=0, epsrel=1e-12)[0]
    assert float(gaussian(1.0, 10.0)) == pytest.approx(exact, rel=1e-9)


def test_the_textbook_sigma_breaks_its_promise_for_large_epsilon() -> None:
    kept = [bool(gaussian(classical_sigma(epsilon, 1e-5), epsilon) <= 1e-5) for epsilon in (0.5, 1.0, 9.0)]
    assert kept == [True, True, False]


@pytest.mark.parametrize("epsilons", [-0.1, [0.0, np.nan], np.inf, "one", [[0], [0, 1]]])
def test_epsilons_without_a_meaning_are_refused(epsilons) -> None:
    with pytest.raises(InvalidParameter, match="epsilons must be"):
        laplace(1.0, epsilons)


@pytest.mark.parametrize(("sigma", "distance"), [(0.0, 1.0), (1.0, -1.0), (np.nan, 1.0)])
def test_noise_without_a_size_is_refused(sigma: float, distance: float) -> None:
    with pytest.raises(InvalidParameter, match=r"sigma|distance"):
        gaussian(sigma, 0.0, distance)
