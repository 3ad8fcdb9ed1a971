"""The noise keeps the budget for the integers that are drawn; less noise would not."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.special import entr

from noisewright.errors import InvalidParameter
from noisewright.randomness import SeededSource
from noisewright.release.basics.worlds import IndependentWorlds
from noisewright.release.noise import table
from noisewright.release.unbounded.plan import Frame, LimitedPlan, frame_of, plan_limited
from noisewright.release.unbounded.simulation import Example, Simulation
from noisewright.statistics.bounded_means import LIMITS
from release.unbounded.small import ROWS, all_halves

FRAME = Frame(np.zeros(3), np.eye(3), np.array([4.0, 2.0, 0.1]))
MOMENTS = np.array([1.0, 0.1, 1e-4])
TRIALS = 10_000


@pytest.mark.parametrize("shape", ["optimal", "paper", "isotropic"])
@pytest.mark.parametrize("nats", [1 / 64, 1.0, 8.0])
def test_the_bound_keeps_the_budget_and_hardly_wastes_it(shape: str, nats: float) -> None:
    plan = plan_limited(FRAME, MOMENTS, nats, shape)
    assert plan.information_upper <= nats
    assert plan.information_upper < plan.information_certain
    if shape != "paper":
        assert plan.information_upper > nats * (1 - 1e-6)


def test_optimal_is_the_least_total_variance() -> None:
    totals = [
        plan_limited(FRAME, MOMENTS, 0.25, shape).total_variance
        for shape in ("optimal", "isotropic", "paper")
    ]
    assert totals[0] == min(totals)


def test_a_huge_budget_still_fits_the_integers() -> None:
    plan = plan_limited(FRAME, MOMENTS, 100.0)
    cells = plan.draw(np.array([1e9, 0.0, -1e9]), SeededSource(1).stream())
    assert np.abs(cells).max() < 2**52
    assert np.allclose(plan.vector(cells), [4.0, 0.0, -0.1], atol=1e-8)


def test_a_budget_below_the_lattice_is_refused() -> None:
    with pytest.raises(InvalidParameter, match="take a larger one"):
        plan_limited(FRAME, MOMENTS, 1e-13)


def test_cells_are_the_snapped_output_and_an_offset_of_the_table() -> None:
    plan = plan_limited(FRAME, MOMENTS, 0.25)
    output = np.array([0.5, -0.25, 9.0])  # the last is clipped
    cells = plan.draw(output, SeededSource(2).stream())
    offsets = table.draw(SeededSource(2).stream(), 3)
    assert (cells - offsets == np.rint(np.array([0.5, -0.25, 0.1]) / plan.steps)).all()


def simulated() -> tuple[Simulation, NDArray[np.float64]]:
    """A simulation of column means of the small pool, and the outputs of all its halves."""
    pilot, trials = (
        IndependentWorlds(8, count, seed).member @ ROWS / 4 for count, seed in ((64, 1), (TRIALS, 2))
    )
    frame = frame_of(pilot)
    example = Example(IndependentWorlds(8, TRIALS, 2).member[0], 0, trials[0])
    return Simulation(frame, frame.coordinates(trials), 0.0, example), all_halves(8) @ ROWS / 4


def true_information(plan: LimitedPlan, outputs: NDArray[np.float64]) -> float:
    """Nats about which of equally likely outputs was noised along two directions: h(release) − h(noise).

    The density of the release is a mixture of normal ones, analytic, so a sum over a grid is exact to 1e-9.
    """
    places = np.rint(plan.frame.coordinates(outputs) / plan.steps) / table.DEVIATION
    reach, pitch = np.abs(places).max() + 8, 0.25
    line = np.arange(-reach, reach, pitch)
    bells = np.exp(-0.5 * (line - places[:, :, None]) ** 2) / math.sqrt(2 * math.pi)
    density = np.einsum("mi,mj->ij", bells[:, 0], bells[:, 1]) / len(places)
    assert density.sum() * pitch**2 == pytest.approx(1, abs=1e-9)
    return float(entr(density).sum() * pitch**2 - math.log(2 * math.pi * math.e))


@pytest.mark.parametrize("limit", LIMITS)
def test_the_true_information_is_within_the_budget_and_half_the_noise_is_caught(limit: str) -> None:
    found, outputs = simulated()
    moments = found.moment_limits(1e-6, LIMITS[limit])
    truth = (found.frame.coordinates(outputs) ** 2).mean(axis=0)
    assert (truth <= moments).all()
    assert (moments <= 1.25 * truth).all()
    for nats in (1 / 64, 1 / 4, 1.0, 2.0):
        plan = plan_limited(found.frame, moments, nats)
        assert 0.7 * nats < true_information(plan, outputs) <= nats
        halved = LimitedPlan(plan.frame, moments, plan.steps / math.sqrt(2))
        assert true_information(halved, outputs) > nats
