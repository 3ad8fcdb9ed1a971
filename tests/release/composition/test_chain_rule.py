"""The theorem on four worlds and two releases, by summing over everything that can come out.

Sums run over every ``STRIDE``-th cell. A Gaussian over a lattice of a quarter of its deviation is summed to
more digits than a double has, and what is summed here is as smooth.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.special import entr, softmax

from noisewright.release.composition.posterior import CERTAIN, Posterior, guarded_nats, log_likelihoods
from noisewright.release.noise import plan_noise, table

WORLDS, FIRST, CAUTIOUS, BOLD = 4, 0.4, 0.1, 0.6
STRIDE = table.DEVIATION // 4


def cells_of(plan):
    """All cells that a release can reach but for a part of 10⁻¹⁵ of its mass."""
    reach = table.REACH - table.DEVIATION // 8
    return np.arange(plan.cells.min() - reach, plan.cells.max() + reach, STRIDE)[:, None]


def law(plan):
    """P(cells | world) on the coarse lattice: cells by worlds."""
    logarithms = np.array([log_likelihoods(plan, cells) for cells in cells_of(plan)])
    return np.exp(logarithms) * STRIDE


def information(law, weights):
    joint = law * weights
    return float(entr(joint.sum(axis=1)).sum() - weights @ entr(law).sum(axis=0))


def second(posterior, weights):
    """A plan that follows from the first release: tell the two likeliest worlds apart, at a price that too."""
    low, high = np.argsort(posterior.weights)[-2:]
    outputs = np.zeros((WORLDS, 1))
    outputs[[low, high], 0] = -1.0, 1.0
    nats = BOLD if posterior.weights[high] > 0.4 else CAUTIOUS
    return plan_noise(outputs, guarded_nats(nats), weights=weights), nats


def after_first():
    plan = plan_noise(np.array([[0.0], [1.0], [2.0], [4.0]]), FIRST)
    chances = law(plan)
    posteriors = [Posterior.uniform(WORLDS).after(plan, cells) for cells in cells_of(plan)]
    return chances, chances.mean(axis=1), posteriors


def test_the_parts_add_up_to_the_whole_and_stay_below_the_budgets():
    chances, mass, posteriors = after_first()
    assert mass.sum() == pytest.approx(1, abs=1e-9)
    parts, whole, budgets = [], [], []
    for posterior in posteriors:
        if posterior.weights.max() > CERTAIN:  # stop
            budgets.append(0.0)
            parts.append(0.0)
            whole.append(math.log(WORLDS) - entr(posterior.weights).sum())
            continue
        plan, nats = second(posterior, posterior.guarded_weights())
        chances_next = law(plan)
        parts.append(information(chances_next, posterior.weights))
        assert parts[-1] <= nats
        budgets.append(nats)
        finals = posterior.log_weights + np.log(np.maximum(chances_next, 1e-300))
        told = math.log(WORLDS) - entr(softmax(finals, axis=1)).sum(axis=1)
        whole.append((chances_next @ posterior.weights) @ told)
    alone = information(chances, np.full(WORLDS, 1 / WORLDS))
    assert alone <= FIRST
    assert mass @ whole == pytest.approx(alone + mass @ parts, abs=1e-7)
    assert mass @ whole <= FIRST + mass @ budgets
    assert set(budgets) == {0.0, CAUTIOUS, BOLD}


def test_a_plan_for_the_prior_does_not_keep_the_budget_of_a_step():
    _, mass, posteriors = after_first()
    over = 0.0
    for posterior, chance in zip(posteriors, mass, strict=True):
        plan, nats = second(posterior, None)
        over += chance * (information(law(plan), posterior.weights) > nats)
    assert over > 0.1


def test_releases_fixed_beforehand_need_no_posterior():
    uniform = np.full(WORLDS, 1 / WORLDS)
    one = plan_noise(np.array([[0.0], [1.0], [2.0], [4.0]]), FIRST)
    two = plan_noise(np.array([[3.0], [0.0], [1.0], [1.0]]), BOLD)
    first, other = law(one), law(two)
    together = (first[:, None, :] * other[None, :, :]).reshape(-1, WORLDS)
    bound = information(first, uniform) + information(other, uniform)
    assert max(FIRST, BOLD) / 2 < information(together, uniform) <= bound <= FIRST + BOLD
