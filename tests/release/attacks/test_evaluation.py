"""Judging: what is chosen by some trials is judged by others."""

from __future__ import annotations

import numpy as np

from noisewright.release.attacks import BayesAttack, Split
from noisewright.release.attacks.evaluation import Court
from noisewright.release.attacks.trials import play
from release.attacks.made_up import WORLDS, plan_of


def test_the_most_exposed_record_of_the_optimal_attack_is_chosen_by_other_trials() -> None:
    """With few trials the record that looks most exposed differs; the one that judges itself is not taken."""
    plan = plan_of(0.5)
    trials, attack = play(plan, 16, np.random.default_rng(7)), BayesAttack(plan, WORLDS)
    result, told = Court(trials, WORLDS, Split(0.5), failure=0.01, shown=0.01).judge_bayes(attack)
    chosen, judged = (attack.success(trials.cells[part]) for part in Split(0.5).parts(16))
    assert chosen.argmax() != judged.argmax() == attack.success(trials.cells).argmax()
    assert result.exposed == chosen.argmax()
    np.testing.assert_allclose(result.records, judged, rtol=1e-12)
    assert result.worst.value == result.records[result.exposed] < judged.max()
    assert (result.worst.count, result.success.count, told.size) == (8, 16, 16)
