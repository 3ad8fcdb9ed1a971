"""An adversary who picks each release after seeing the last: static noise gives in, ours does not.

With posterior weights w, the adversary asks for the output w_j^1.5·e_j: a direction of its own for every
world, and a long one for those that are still likely. Over *all* worlds that varies little, over the likely
ones a lot. I(J; releases) = E[ln worlds − H(J | releases)], the mean of a number between 0 and
ln worlds, so that Chernoff's bound for bounded variables tests a claim about it without any approximation.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.special import entr, rel_entr

from noisewright.errors import BudgetSpent
from noisewright.release.composition.posterior import GUARD, SLACK, Posterior, guarded_nats
from noisewright.release.noise import plan_noise, table

WORLDS, RELEASES, TRIALS, CLAIMED = 64, 8, 300, 1.0
FALSE_ALARM = 1e-9


def outputs(weights):
    return np.diag(weights**1.5)


def static_plan(posterior):
    return plan_noise(outputs(posterior.weights), CLAIMED / RELEASES, "paper")


def our_plan(posterior):
    weights = posterior.guarded_weights()
    return plan_noise(outputs(weights), guarded_nats(CLAIMED / RELEASES), "paper", weights)


def told(plan_of):
    """The nats that the releases told about the world, for each of many runs."""
    first = plan_of(Posterior.uniform(WORLDS))
    return [_told(plan_of, first, np.random.default_rng([1, run])) for run in range(TRIALS)]


def _told(plan_of, plan, generator):
    world, posterior = generator.integers(WORLDS, size=1), Posterior.uniform(WORLDS)
    for release in range(RELEASES):
        try:
            plan = plan_of(posterior) if release else plan
        except BudgetSpent:  # all but known: nothing more is released
            break
        posterior = posterior.after(plan, plan.simulate(world, generator)[0])
    return math.log(WORLDS) - entr(posterior.weights).sum()


def refutes(runs) -> bool:
    """Whether runs whose expectation is at most the claim are so large with probability below the level."""
    mean, claim = np.mean(runs) / math.log(WORLDS), CLAIMED / math.log(WORLDS)
    evidence = len(runs) * (rel_entr(mean, claim) + rel_entr(1 - mean, 1 - claim))  # Hoeffding 1963, thm 1
    return bool(mean > claim and evidence > -math.log(FALSE_ALARM))


def test_static_noise_breaks_its_claim():
    runs = told(static_plan)
    assert refutes(runs)
    assert np.mean(runs) > 1.8 * CLAIMED


def test_noise_for_the_posterior_keeps_it():
    """The same test on the same adversary and as many runs; the one above shows what it would notice."""
    runs = told(our_plan)
    assert not refutes(runs)
    assert np.mean(runs) < 1.25 * CLAIMED


@pytest.mark.parametrize("spread", [0.0, 1.0, 30.0, 2000.0])
def test_guarded_weights_cover_the_true_ones(spread):
    """True weights in long arithmetic, also those that no double can hold."""
    logarithms = -np.sort(np.random.default_rng(2).uniform(0, spread, 64))
    logarithms -= logarithms.max()
    logarithms[:2] = 0.0  # two worlds at the top, so that none is certain
    guarded = Posterior(logarithms).guarded_weights()
    true = np.exp(logarithms.astype(np.longdouble))
    true /= true.sum()
    assert (true <= (1 + SLACK / 2) * guarded).all()
    assert guarded.min() >= GUARD / 64
    assert guarded.sum() == pytest.approx(1, abs=1e-12)


def test_a_world_that_underflowed_can_come_back():
    """Weights are floored where noise is planned, not where they are remembered."""
    plan = plan_noise(np.array([[0.0], [1.0]]), 0.5)
    far = Posterior(np.array([0.0, -900.0]))
    back = far.after(plan, plan.cells[1])
    gained = back.log_weights[1] - far.log_weights[1]
    assert gained == pytest.approx(0.5 * float((plan.cells[1] - plan.cells[0])[0] / table.DEVIATION) ** 2)


def test_a_world_out_of_reach_is_out():
    plan = plan_noise(np.array([[0.0], [0.0], [1.0], [1e3]]), 4.0)
    assert Posterior.uniform(4).after(plan, plan.cells[3]).weights.tolist() == [0, 0, 0, 1]


def test_a_world_that_is_all_but_known_is_not_released_from():
    with pytest.raises(BudgetSpent, match="nearly identify the secret world"):
        Posterior(np.array([0.0, -5.0, -np.inf])).guarded_weights()
    assert Posterior(np.array([0.0, -4.0, -np.inf])).guarded_weights().min() > 0


def test_the_posterior_is_that_of_the_law_of_the_noise():
    """Against the plan's own, which takes the ideal law for that of the integers."""
    generator = np.random.default_rng(4)
    plan = plan_noise(generator.normal(size=(32, 5)), 1.0)
    for cells in plan.simulate(generator.integers(32, size=20), generator):
        exact = Posterior.uniform(32).after(plan, cells).weights
        assert np.allclose(exact, plan.posterior(cells[None])[0], rtol=1e-6, atol=1e-12)
