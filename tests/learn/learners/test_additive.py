"""The additive learner: rounds that fit the people, and rules that fit the truth."""

import numpy as np
import pytest

from noisewright.learn.chance import read_chance
from noisewright.learn.learners.additive import additive_procedure, bins_for, cuts_at
from noisewright.learn.rounds import Population, simulate
from noisewright.learn.rules import Axis

AXES = [Axis(0, 1), Axis(1, 2), Axis(2, 3)]


def clinic(count: int, seed: int = 0, classes: int = 2) -> tuple[np.ndarray, np.ndarray]:
    """The first column decides, the second helps, the third says nothing and lies in a corner of its domain."""
    generator = np.random.default_rng(seed)
    units = generator.normal([0, 0.1, -0.9], [0.3, 0.4, 0.02], (count, 3)).clip(-1, 1)
    score = 3 * units[:, 0] + units[:, 1] + generator.normal(0, 0.4, count)
    return units, np.digitize(score, np.linspace(-0.5, 1, classes + 1)[1:-1])


def learned(units, labels, epsilon, classes=2, seed=1):
    people = Population(units, labels, epsilon, read_chance(seed))
    return simulate(additive_procedure(AXES, len(units), epsilon, classes), people)


@pytest.mark.parametrize(("classes", "least"), [(2, 0.85), (3, 0.68)])
def test_it_learns_and_knows_which_feature_matters(classes, least):
    units, labels = clinic(6000, classes=classes)
    found = learned(units, labels, 2.0, classes)
    fresh, truth = clinic(5000, seed=9, classes=classes)
    assert np.mean(found.rule().predict(fresh) == truth) > least
    assert found.laws[0].strength() > 2 * max(law.strength() for law in found.laws[1:])
    assert [axis.start for axis in found.rule(strongest=1).axes] == [0]
    assert np.abs(found.shares - np.bincount(labels) / len(labels)).max() < 0.08


def test_the_second_round_cuts_where_people_stand():
    units, labels = clinic(6000)
    rounds = additive_procedure(AXES, 6000, 3.0)
    first = next(rounds)
    people = Population(units, labels, 3.0, read_chance(1))
    second = rounds.send([people.answer(ask) for ask in first])
    assert first[0].question.cuts == first[2].question.cuts == (4, 8, 12)
    assert max(second[2].question.cuts) <= 6  # nearly everybody is in the first two cells of the third axis
    assert sum(ask.people for ask in (*first, *second)) == 6000


def test_made_up_people_follow_the_law():
    units, labels = clinic(20_000)
    found = learned(units, labels, 4.0)
    made, codes = found.people(20_000, 3, np.random.default_rng(3))
    rule = found.rule()
    assert abs(np.mean(rule.predict(made) == codes) - np.mean(rule.predict(units) == labels)) < 0.04
    assert np.abs(made.mean(axis=0) - units.mean(axis=0)).max() < 0.08


def test_too_little_to_know_anything_gives_the_default_class():
    units, labels = clinic(300)
    found = learned(units, 1 - labels, 0.2)
    assert found.worth < 8
    assert found.rule().predict(units).tolist() == [0] * 300
    assert not found.rule().axes


@pytest.mark.parametrize("came", [0, 1])
def test_rounds_go_on_without_answers(came):
    rounds, sent = additive_procedure(AXES, 60, 1.0), [np.zeros(came, dtype=int)] * 3
    next(rounds)
    rounds.send(sent)
    with pytest.raises(StopIteration) as done:
        rounds.send(sent)
    assert not done.value.value.rule().axes


def test_fewer_people_than_features():
    units, labels = clinic(4)
    assert learned(units, labels, 1.0).rule().predict(units).shape == (4,)


@pytest.mark.parametrize("bins", [2, 3, 5, 8])
def test_cuts_rise_and_stay_inside_whatever_the_shares(bins):
    generator = np.random.default_rng(bins)
    for _ in range(200):
        shares = generator.dirichlet(np.full(16, 0.05))
        cuts = cuts_at(shares, bins)
        assert len(cuts) == bins - 1
        assert all(0 < left < right for left, right in zip([0, *cuts], [*cuts, 16], strict=True) if left)
        assert 1 <= cuts[0] <= cuts[-1] <= 15
        assert len(set(cuts)) == bins - 1


def test_even_shares_are_cut_evenly():
    assert cuts_at(np.full(16, 1 / 16), 4) == [4, 8, 12]
    assert [bins_for(epsilon, 2, 16) for epsilon in (0.1, 1, 2, 5, 10)] == [2, 2, 3, 6, 8]
