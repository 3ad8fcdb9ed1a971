"""The optimal attack: its posterior by hand, its success in closed form, and that nothing beats it."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.special import ndtr

from noisewright.release.attacks import BayesAttack, LinearAttack, trials
from noisewright.release.attacks.trials import play
from release.attacks.made_up import WORLDS, halved, plan_of, silent, two_worlds

SIX_DEVIATIONS = 6.2  # a normal mean is this far off with probability below 1e-9


def test_probabilities_are_sums_of_posteriors() -> None:
    plan = plan_of(0.5)
    cells = play(plan, 20, np.random.default_rng(1)).cells
    by_hand = np.array([[row[WORLDS.member[:, i]].sum() for i in range(24)] for row in plan.posterior(cells)])
    attack = BayesAttack(plan, WORLDS)
    np.testing.assert_allclose(attack.scores(cells), by_hand - 0.5, atol=1e-7)
    np.testing.assert_allclose(
        attack.success(cells), np.maximum(by_hand, 1 - by_hand).mean(axis=0), atol=1e-12
    )


@pytest.mark.parametrize("distance", [0.2, 1.0, 3.0])
def test_two_worlds_are_told_apart_as_two_normal_laws(distance: float) -> None:
    """P(right) = Φ(distance/2), and a distance 10 % off would be noticed."""
    plan, worlds = two_worlds(distance)
    moments = BayesAttack(plan, worlds).moments(play(plan, 40_000, np.random.default_rng(2)).cells)
    found = 0.5 + moments.mean()[0] / 2
    reach = SIX_DEVIATIONS * math.sqrt(moments.variance()[0] / 40_000) / 2
    assert abs(found - ndtr(distance / 2)) < reach
    assert abs(found - ndtr(1.1 * distance / 2)) > reach


def test_chances_are_hit_rates() -> None:
    """Guesses by p ≥ ½ are right as often as the chances say; a false alarm has probability below 1e-9."""
    plan = plan_of(2.0)
    played = play(plan, 5000, np.random.default_rng(3))
    attack = BayesAttack(plan, WORLDS)
    hits = ((attack.scores(played.cells) > 0) == played.member(WORLDS)).mean(axis=1)
    reach = SIX_DEVIATIONS * hits.std() / math.sqrt(len(hits))
    assert abs(hits.mean() - attack.success(played.cells).mean()) < reach
    wrong = BayesAttack(halved(plan), WORLDS)  # believes in other worlds than those that were played
    assert abs(hits.mean() - wrong.success(played.cells).mean()) > reach


@pytest.mark.parametrize("nats", [0.05, 1.0, 6.0])
def test_no_other_guess_is_better(nats: float) -> None:
    plan = plan_of(nats)
    played = play(plan, 4000, np.random.default_rng(4))
    hits = ((LinearAttack(plan, WORLDS).scores(played.cells) > 0) == played.member(WORLDS)).mean(axis=1)
    best = BayesAttack(plan, WORLDS).success(played.cells).mean()
    assert hits.mean() <= best + SIX_DEVIATIONS * hits.std() / math.sqrt(len(hits))


def test_silence_and_shouting() -> None:
    plan = plan_of(1.0)
    cells = play(plan, 50, np.random.default_rng(5)).cells
    assert (BayesAttack(silent(plan), WORLDS).success(cells) == 0.5).all()
    loud = plan_of(60.0)
    assert BayesAttack(loud, WORLDS).success(loud.cells).min() > 1 - 1e-6


def test_blocks_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = plan_of(0.5)
    cells = play(plan, 50, np.random.default_rng(6)).cells
    whole = BayesAttack(plan, WORLDS).moments(cells)
    monkeypatch.setattr(trials, "NUMBERS_AT_ONCE", 7 * WORLDS.count)
    pieces = BayesAttack(plan, WORLDS).moments(cells)
    np.testing.assert_allclose(pieces.mean(), whole.mean(), rtol=1e-12)
    np.testing.assert_allclose(pieces.reach(0.01), whole.reach(0.01), rtol=1e-6)


def test_slack_covers_the_table() -> None:
    assert 1e-9 <= BayesAttack(plan_of(0.5), WORLDS).slack < 1e-8
