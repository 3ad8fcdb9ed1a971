"""Noise: the integers drawn, the proof about them, and that no other noise of equal budget is smaller."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chi2

from noisewright.errors import BadRelease, GuaranteeBroken, InvalidParameter
from noisewright.randomness import SeededSource
from noisewright.release.noise import information_upper, noise_variances, plan_noise, table
from noisewright.release.noise.plan import _by_differences, log_likelihood
from noisewright.release.noise.variances import information

BUDGETS = (1 / 64, 1 / 4, 4.0)


def test_the_table_is_what_it_says() -> None:
    weights = [int(weight) for weight in table.table().weights]
    assert sum(weights) == 1 << 62
    assert weights == weights[::-1]  # so the mean is exactly zero
    second = sum(weight * (place - table.REACH) ** 2 for place, weight in enumerate(weights))
    assert table.variance() == pytest.approx(float(Fraction(second, 1 << 62)), rel=1e-15)
    ideal = 0.5 * math.log(2 * math.pi * math.e * table.variance())
    assert ideal - 1e-11 < table.entropy_lower() < ideal


def exact_information(cells: np.ndarray) -> float:
    """I(world; cell + offset) of the table itself, summed over all outcomes, in one dimension."""
    masses = table.table().masses
    low, high = int(cells.min()), int(cells.max())
    laws = np.zeros((len(cells), masses.size + high - low))
    for law, cell in zip(laws, cells, strict=True):
        law[cell - low : cell - low + masses.size] = masses
    mean = laws.mean(axis=0)
    ratio = np.divide(laws, mean, out=np.ones_like(laws), where=laws > 0)
    return float((laws * np.log(ratio)).sum() / len(cells))


@pytest.mark.parametrize("nats", [1 / 64, 1 / 4, 1.0])
@pytest.mark.parametrize("places", [[-1.0, 1.0], [0.0, 0.0, 0.0, 5.0], [1.0, 2.0, 4.0, 8.0, 16.0, 32.0]])
def test_the_integers_keep_the_budget_exactly(places: list[float], nats: float) -> None:
    plan = plan_noise(np.array(places)[:, None], nats)
    told = exact_information(plan.cells[:, 0])
    assert told <= plan.information_upper <= nats
    assert exact_information(2 * plan.cells[:, 0]) > told  # the check can see noise that is too small


def test_half_the_noise_breaks_the_budget() -> None:
    """A normal-looking spread makes the bound tight, so the true information exceeds it at once."""
    places = np.array([-1.9, -1.2, -0.8, -0.5, -0.15, 0.15, 0.5, 0.8, 1.2, 1.9])
    plan = plan_noise(places[:, None], 1 / 4)
    assert exact_information(plan.cells[:, 0]) > 0.24
    assert exact_information(np.rint(1.2 * plan.cells[:, 0]).astype(np.int64)) > 1 / 4


@pytest.mark.parametrize("shape", ["optimal", "paper", "isotropic"])
@pytest.mark.parametrize("nats", BUDGETS)
def test_every_shape_keeps_the_budget_and_optimal_is_the_least(shape: str, nats: float) -> None:
    outputs = np.random.default_rng(1).normal(size=(128, 6)) @ np.random.default_rng(2).normal(size=(6, 6))
    plan = plan_noise(outputs, nats, shape)
    assert plan.information_upper <= nats
    assert plan_noise(outputs, nats).total_variance <= plan.total_variance * (1 + 1e-9)
    if shape != "paper":  # which is loose by design
        assert plan.information_upper > nats * (1 - 1e-4)


@settings(max_examples=60, deadline=None)
@given(
    variances=st.lists(st.floats(1e-6, 1e6), min_size=1, max_size=8),
    nats=st.sampled_from(BUDGETS),
    tilt=st.lists(st.floats(-0.5, 0.5), min_size=8, max_size=8),
)
def test_no_other_noise_of_the_same_budget_has_less_variance(variances, nats, tilt) -> None:
    spread = np.array(variances)
    best = noise_variances(spread, nats)
    assert information(spread, best) == pytest.approx(nats, rel=1e-9)
    other = best * np.exp(np.array(tilt[: spread.size]))
    while information(spread, other) > nats:
        other *= 1.02
    assert other.sum() >= best.sum() * (1 - 1e-9)


def test_the_published_formula() -> None:
    outputs = np.array([[0.0, 0.0], [2.0, 6.0]])
    plan = plan_noise(outputs, 0.5, "paper")
    assert plan.variances.tolist() == pytest.approx([1 * 4 / 1.0, 3 * 4 / 1.0])


def test_constant_directions_get_no_noise_and_never_vary() -> None:
    """More coordinates than worlds: what leaves differs only along directions with noise."""
    generator = np.random.default_rng(4)
    outputs = np.concatenate([generator.normal(size=(16, 40)), np.full((16, 2), 7.0)], axis=1)
    plan = plan_noise(outputs, 1.0)
    assert plan.cells.shape[1] == plan.steps.size == 15
    released = plan.vector(plan.simulate(np.arange(16), generator))
    assert np.abs(released[:, 40:] - 7.0).max() < 1e-9
    assert np.allclose(plan.vector(plan.cells), outputs, atol=1e-3)


def test_worlds_that_differ_by_rounding_alone_are_not_told_apart() -> None:
    """A direction whose variation is a trillionth of the largest is dropped, not released bare."""
    outputs = np.random.default_rng(5).normal(size=(32, 1)) * np.array([[1.0, 0.0]])
    outputs[:, 1] = 3.0 + np.arange(32) * 4e-16
    plan = plan_noise(outputs, 1.0)
    released = plan.vector(plan.cells)
    assert plan.steps.size == 1
    assert (
        np.ptp(released[:, 1] - plan.spread.directions[1, 0] / plan.spread.directions[0, 0] * released[:, 0])
        < 1e-15
    )


def test_a_draw_follows_the_table() -> None:
    """χ² over 40 bins at a false-alarm rate of 1e-9; a deviation off by 5 % is rejected."""
    plan = plan_noise(np.array([[-1.0], [1.0]]), 0.25)
    stream = SeededSource(11).stream()
    offsets = np.array([plan.draw(1, stream)[0] for _ in range(2000)]) - plan.cells[1, 0]
    offsets = np.concatenate([offsets, table.draw(stream, 60_000)])
    edges = np.quantile(np.arange(-table.REACH, table.REACH + 1), np.linspace(0.35, 0.65, 39))
    cumulative = np.cumsum(table.table().masses)
    shares = np.diff(np.concatenate([[0], cumulative[(edges + table.REACH).astype(int)], [1]]))
    limit = chi2.isf(1e-9, shares.size - 1)

    def statistic(values: np.ndarray) -> float:
        found = np.bincount(np.searchsorted(np.floor(edges), values, side="left"), minlength=shares.size)
        return float(((found - values.size * shares) ** 2 / (values.size * shares)).sum())

    assert statistic(offsets) < limit < statistic(offsets * 1.05)


def test_posterior_is_bayes_rule() -> None:
    outputs = np.random.default_rng(6).normal(size=(8, 2))
    weights = np.array([0.0, 1, 2, 3, 4, 5, 6, 7]) / 28
    plan = plan_noise(outputs, 1.0, weights=weights)
    cells = plan.simulate(np.array([3, 5]), np.random.default_rng(0))
    away = (cells[:, None, :] - plan.cells) / table.DEVIATION
    law = np.exp(-0.5 * (away**2).sum(axis=2)) * weights
    assert plan.posterior(cells) == pytest.approx(law / law.sum(axis=1, keepdims=True))
    assert (plan.posterior(cells)[:, 0] == 0).all()


def test_worlds_that_lie_far_apart_are_told_from_each_other() -> None:
    """Multiplied out in floats, 10¹⁵ steps leave no digit for the distance between neighbours."""
    far = 10**15 + np.array([[0], [table.DEVIATION], [10 * table.DEVIATION], [-(10**15)]])
    found = log_likelihood(far[:1], far)
    assert (found[0, :3] - found[0, 0]).tolist() == [0.0, -0.5, -50.0]
    assert found[0, 3] < -1e20
    near = np.random.default_rng(1).integers(-(10**5), 10**5, size=(20, 7))
    fast, slow = log_likelihood(near, near), _by_differences(near, near)
    assert np.ptp(fast - slow, axis=1).max() < 1e-9


def test_weights_decide_the_noise() -> None:
    outputs = np.array([[0.0], [1.0], [100.0], [101.0]])
    near = plan_noise(outputs, 0.5, weights=np.array([0.5, 0.5, 0.0, 0.0]))
    assert near.total_variance < plan_noise(outputs, 0.5).total_variance / 1000
    assert near.information_upper <= 0.5


def test_refusals() -> None:
    with pytest.raises(BadRelease, match="same output in every world"):
        plan_noise(np.ones((4, 2)), 1.0)
    with pytest.raises(GuaranteeBroken):
        plan_noise(np.array([[1.0], [np.nan]]), 1.0)
    with pytest.raises(GuaranteeBroken):
        plan_noise(np.array([[1.0], [2.0]]), 1.0, weights=np.array([0.5, 0.6]))
    with pytest.raises(InvalidParameter, match="one of"):
        plan_noise(np.array([[1.0], [2.0]]), 1.0, shape="round")


def test_a_direction_without_variance_costs_nothing() -> None:
    assert information_upper(np.array([0.0])) == 0.0
