"""Evidence for features that matter: rare where nothing matters, large where something does."""

import numpy as np
import pytest

from noisewright.learn.learners.additive import additive_procedure
from noisewright.learn.learners.evidence import feature_evidence, strongest, total_evidence
from noisewright.learn.learners.odds import FeatureAnswers, Relation
from noisewright.learn.questions.rounds import Population, read_chance, simulate
from noisewright.learn.rules import Axis

AXES = [Axis(place, place + 1) for place in range(4)]


def evidence(slope: float, seed: int, epsilon: float = 1.0, people: int = 1500) -> float:
    """The log evidence of four features, of which the first has so much to do with the label."""
    generator = np.random.default_rng(seed)
    units = generator.uniform(-1, 1, (people, 4))
    labels = (slope * units[:, 0] + generator.logistic(size=people) > 0.5).astype(int)
    population = Population(units, labels, epsilon, read_chance(seed))
    return simulate(additive_procedure(AXES, people, epsilon), population).evidence


def test_evidence_is_rare_where_nothing_matters():
    """80 collections: E reaches 3 in at most 27 with certainty 1 − 1e-4 if its mean is 1 (Markov, binomial);
    its mean is below 1.5. A slope of 4, where E reaches 3 nearly always, shows that it can be large."""
    nothing = np.exp([evidence(0.0, seed) for seed in range(80)])
    assert (nothing >= 3).sum() <= 27
    assert nothing.mean() < 1.5
    assert sum(evidence(4.0, seed) > np.log(3) for seed in range(10)) >= 8


def test_the_score_has_the_variance_that_it_states():
    """Under no relation g/√I is a standard normal: 400 features, variance within 0.7 to 1.3 (4 standard errors)."""
    from noisewright.learn.questions import CellQuestion
    from noisewright.randomness import SeededSource

    axis, question = Axis(0, 1), CellQuestion(1.0, Axis(0, 1), (8,))
    scores = []
    for seed in range(400):
        generator = np.random.default_rng(seed)
        units, labels = generator.uniform(-1, 1, (400, 1)), (generator.random(400) < 0.35).astype(int)
        answers = FeatureAnswers(axis, 2)
        answers.add(question, question.answers(units, labels, SeededSource(seed)))
        found = answers.relation(np.log([0.35 / 0.65]))
        scores.append(float(found.score[0] / np.sqrt(found.information[0, 0])))
    assert 0.7 < np.var(scores) < 1.3
    assert abs(np.mean(scores)) < 0.2


@pytest.mark.parametrize("classes", [2, 4])
@pytest.mark.parametrize(
    "axis", [Axis(0, 1), Axis(0, 1, cells=2, ordered=False), Axis(0, 3, cells=3, ordered=False)]
)
def test_without_answers_there_is_no_evidence(axis, classes):
    relation = FeatureAnswers(axis, classes).relation(np.zeros(classes - 1))
    assert feature_evidence(relation) == pytest.approx(0)
    assert total_evidence([feature_evidence(relation)] * 3) == pytest.approx(0)


def test_the_strongest_are_those_with_the_most_evidence():
    strong, weak = (feature_evidence(Relation(np.array([g]), np.array([[9.0]]))) for g in (12.0, 1.0))
    assert strongest([weak, strong, weak, strong], 2) == [1, 3]
