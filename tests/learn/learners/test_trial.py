"""The trial of a rule by fresh clients: rarely for a rule that says nothing, nearly always for one that does."""

import numpy as np
import pytest

from noisewright.learn.learners.evidence import LabelShares
from noisewright.learn.learners.odds import FeatureLaw
from noisewright.learn.learners.trial import enough_people, lead_evidence, trial_procedure
from noisewright.learn.questions import CellQuestion
from noisewright.learn.questions.rounds import Population, read_chance, simulate
from noisewright.learn.rules import Axis
from noisewright.randomness import SeededSource

PEOPLE = 732
AXES = [Axis(0, 1, cells=2), Axis(1, 2, cells=2)]
LABELLED = CellQuestion(1.0, AXES[0], (1,))


def law(axis: Axis, slope: float) -> FeatureLaw:
    """Two even halves of a feature, of which the upper one speaks for class 1."""
    return FeatureLaw(axis, np.log(0.5) + slope / 4 * np.array([[1, -1], [-1, 1]]), np.full(2, 0.5))


def trial(slope: float, seed: int, rare: float = 0.4):
    """What people say of a rule that believes in slopes of 1, if the true ones are ``slope``."""
    generator = np.random.default_rng(seed)
    units = generator.uniform(-1, 1, (3 * PEOPLE, 2))
    score = slope * np.sign(units).sum(axis=1) / 2 + np.log(rare / (1 - rare))
    labels = (score + generator.logistic(size=len(units)) > 0).astype(int)
    learned, fresh = slice(PEOPLE, None), slice(PEOPLE)
    told = LABELLED.answers(units[learned], labels[learned], SeededSource(seed))
    label = LabelShares.of([(LABELLED, told)], 2, default=0)
    rounds = trial_procedure(tuple(law(axis, 1.0) for axis in AXES), label, PEOPLE, 1.0)
    return simulate(rounds, Population(units[fresh], labels[fresh], 1.0, read_chance(seed)))


@pytest.mark.parametrize("rare", [0.4, 0.1])
def test_a_rule_that_says_nothing_has_little_evidence(rare):
    """200 trials: B reaches 3 in at most 92 with certainty 1 − 1e-4 if its mean is 1 (Markov, binomial);
    its mean is below 1.5."""
    found = np.exp([trial(0.0, seed, rare).evidence for seed in range(200)])
    assert (found >= 3).sum() <= 92
    assert found.mean() < 1.5


def test_a_rule_that_is_right_is_found_out():
    """With true slopes of 1.5 the lead is about 0.13, three standard errors: B reaches 3 in 32 of 40."""
    assert sum(trial(1.5, seed).evidence > np.log(3) for seed in range(40)) >= 32


def test_odds_that_are_too_small_are_stretched():
    """A rule that believes in slopes of 1 is stretched further where they are 4 than where they are 1."""
    far, near = ([trial(slope, seed).scale for seed in range(20)] for slope in (4.0, 1.0))
    assert np.mean(far) > np.mean(near) + 0.5
    assert 1 <= min(far + near) <= max(far + near) <= 3


@pytest.mark.parametrize("variance", [0.003, 0.04, 1.0])
def test_the_evidence_has_mean_one_where_there_is_no_lead(variance):
    """The integral of B against N(0, v) by the trapezoid rule, over leads so large that no more is left."""
    leads = np.linspace(-3, 3, 6001) * max(1.0, 3 * variance**0.5)
    log_density = -(leads**2) / variance / 2 - np.log(2 * np.pi * variance) / 2
    values = np.exp([lead_evidence(lead, variance)[0] for lead in leads] + log_density)
    assert np.trapezoid(values, leads) == pytest.approx(1, abs=1e-3)


def test_the_smaller_epsilon_the_more_people_try():
    assert enough_people(0.5) > enough_people(1.0) > enough_people(4.0) > 0
