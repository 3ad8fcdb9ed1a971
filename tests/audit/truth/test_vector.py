"""The vector Laplace curve against its closed form, an integral and a simulation."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import quad

from noisewright.audit.truth import (
    LossLaw,
    laplace,
    laplace_vector,
    laplace_vector_bracket,
    randomized_response,
)
from noisewright.errors import InvalidParameter

EPSILONS = np.array([0.0, 0.05, 0.3, 0.77, 1.0, 1.4])


def test_one_coordinate_is_the_closed_form() -> None:
    lower, upper = laplace_vector_bracket(1.3, 1, EPSILONS)
    truth = laplace(1.3, EPSILONS)
    assert np.all((lower <= truth) & (truth <= upper))
    assert np.all(upper - lower < 1e-9)


def one_coordinate(share: float, epsilon: float) -> float:
    """The closed form at any real ε, by the symmetry δ(−ε) = 1 − e^(−ε) + e^(−ε)·δ(ε)."""
    if epsilon >= 0:
        return float(laplace(share, epsilon))
    return 1 - np.exp(epsilon) * (1 - float(laplace(share, -epsilon)))


def test_two_coordinates_are_an_integral_over_the_first() -> None:
    share = 0.65
    density = lambda loss: np.exp((loss - share) / 2) / 4  # noqa: E731
    for epsilon in EPSILONS:
        rest = lambda loss, at=epsilon: density(loss) * one_coordinate(share, at - loss)  # noqa: E731
        turns = [at for at in (epsilon - share, epsilon, epsilon + share) if abs(at) < share]
        found = quad(rest, -share, share, points=turns or None, epsabs=1e-13)[0]
        found += one_coordinate(share, epsilon - share) / 2
        found += np.exp(-share) / 2 * one_coordinate(share, epsilon + share)
        lower, upper = laplace_vector_bracket(2 * share, 2, epsilon)
        assert lower - 1e-12 <= found <= upper + 1e-12
        assert upper - lower < 1e-9


def test_twenty_coordinates_are_what_a_simulation_shows() -> None:
    random, dims = np.random.default_rng(5), 20
    noise = random.laplace(size=(20_000, dims))
    losses = (np.abs(noise - 1 / dims) - np.abs(noise)).sum(axis=1)
    for epsilon in (0.0, 0.2):
        gaps = np.maximum(-np.expm1(epsilon - losses), 0.0)
        # six standard errors: a false alarm in 5·10⁸; 10 % more noise is beyond them
        reach = 6.1 * gaps.std() / np.sqrt(len(gaps))
        assert abs(laplace_vector(1.0, dims, epsilon) - gaps.mean()) < reach
        assert abs(laplace_vector(1.1, dims, epsilon) - gaps.mean()) > reach


def test_a_spread_difference_hides_better_than_one_in_a_single_coordinate() -> None:
    # so the spectrum of a vector mechanism does not depend on the distance alone
    assert laplace_vector(1.0, 2, 0.0) < 0.65 * laplace(1.0, 0.0)


def test_losses_add_up() -> None:
    budget = 0.5
    odds = np.exp(budget)
    once = LossLaw(budget, np.array([1.0, 0.0, odds]) / (1 + odds))
    assert once.spectrum(EPSILONS) == pytest.approx(randomized_response(budget, 2, EPSILONS), abs=1e-15)
    p, q = np.array([odds, 1]) / (1 + odds), np.array([1, odds]) / (1 + odds)
    left, right = np.einsum("a,b,c->abc", p, p, p), np.einsum("a,b,c->abc", q, q, q)
    expected = [np.maximum(left - np.exp(epsilon) * right, 0).sum() for epsilon in EPSILONS]
    assert once.repeated(3).spectrum(EPSILONS) == pytest.approx(expected, abs=1e-14)


@pytest.mark.parametrize("dims", [0, 1.5, 1 << 20])
def test_vectors_without_a_length_are_refused(dims) -> None:
    with pytest.raises(InvalidParameter, match="dims"):
        laplace_vector(1.0, dims, 0.0)
