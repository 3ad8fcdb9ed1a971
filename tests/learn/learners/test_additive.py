"""The additive learner: rounds that fit the people, and rules that fit the truth."""

import numpy as np
import pytest

from noisewright.learn.learners import additive
from noisewright.learn.learners.additive import Additive, additive_procedure, bins_for, cuts_at
from noisewright.learn.learners.evidence import LabelShares
from noisewright.learn.questions import CellQuestion
from noisewright.learn.questions.rounds import Population, read_chance, simulate
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


def played(rounds, answer):
    """Every round that was asked, and what was learned."""
    asked, replies = [], None
    while True:
        try:
            asked.append(rounds.send(replies))
        except StopIteration as learned:
            return asked, learned.value
        replies = [answer(ask) for ask in asked[-1]]


@pytest.mark.parametrize(("classes", "least"), [(2, 0.85), (3, 0.68)])
def test_it_learns_and_knows_which_feature_matters(classes, least):
    units, labels = clinic(6000, classes=classes)
    found = learned(units, labels, 2.0, classes)
    fresh, truth = clinic(5000, seed=9, classes=classes)
    assert np.mean(found.rule().predict(fresh) == truth) > least
    assert found.laws[0].strength() > 2 * max(law.strength() for law in found.laws[1:])
    assert [axis.start for axis in found.rule(strongest=1).axes] == [0]
    assert np.abs(found.shares - np.bincount(labels) / len(labels)).max() < 0.08


def test_later_rounds_cut_where_people_stand():
    units, labels = clinic(6000)
    rounds = additive_procedure(AXES, 6000, 3.0)
    people = Population(units, labels, 3.0, read_chance(1))
    asked, _ = played(rounds, people.answer)
    assert asked[0][0].question.cuts == asked[0][2].question.cuts == (4, 8, 12)
    assert max(asked[1][2].question.cuts) <= 6  # nearly everybody is in the first two cells of the third axis
    assert [sum(ask.people for ask in each) for each in asked] == [1800, 1200, 1200, 1800]


def last_round(seed: int, spread: float) -> set[int]:
    """The features of the last round, of twelve of which the eighth has to do with the label."""
    generator = np.random.default_rng(seed)
    units = generator.uniform(-1, 1, (3000, 12))
    labels = (units[:, 7] + generator.normal(0, spread, 3000) > 0.1).astype(int)
    rounds = additive_procedure([Axis(place, place + 1) for place in range(12)], 3000, 1.0)
    asked, _ = played(rounds, Population(units, labels, 1.0, read_chance(seed)).answer)
    rounds_of_features = [each for each in asked if all(hasattr(ask.question, "axis") for ask in each)]
    return {ask.question.axis.start for ask in rounds_of_features[-1]}


def test_few_people_go_on_with_the_features_that_show_something(monkeypatch):
    """The one that decides is among the three of the last round in at least 10 of 12 runs.

    By chance that were 1 in 4 each, and 10 of 12 happened once in 25,000.
    """
    monkeypatch.setattr(additive, "SETTLED", np.inf)
    monkeypatch.setattr(additive, "AIM", 100.0)
    kept = [last_round(seed, 0.3) for seed in range(12)]
    assert {len(features) for features in kept} == {3}
    assert sum(7 in features for features in kept) >= 10


def test_all_features_are_asked_about_again_once_it_is_clear_that_some_matter():
    assert max(len(last_round(seed, 0.05)) for seed in range(4)) == 12


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
    assert found.rule().predict(units).tolist() == [0] * 300
    assert not found.rule().axes


def test_labels_that_have_nothing_to_do_with_the_features_leave_the_constant_answer():
    """Shuffled labels, 30 runs: fewer than a tenth of the people are given another class in at least 24.

    Measured on 150 other runs that is so in 0.97 of them, and 7 misses of 30 then never happen. By the
    learned odds alone, without doubt, it is so in 0.62, and in 24 of 30 three times in a hundred.
    """
    kept = 0
    for seed in range(30):
        units, labels = clinic(900, seed)
        found = learned(units, np.random.default_rng(seed).permutation(labels), 1.0, seed=seed)
        kept += np.mean(found.rule().predict(units) != found.shares.argmax()) < 0.1
    assert kept >= 24


def test_classes_that_are_known_to_be_even_need_less_evidence():
    """Half of the labels each: with more clients the stakes of a rule fall, whatever its evidence."""
    question, answers = CellQuestion(1.0, Axis(0, 1), (8,)), np.tile([0, 1, 2, 3], 4000)
    doubts = []
    for count in (0, 400, 16_000):
        asked = [(question, answers[:count])] if count else []
        doubts.append(Additive((), LabelShares.of(asked, 2, default=0), evidence=0.0).doubt)
    assert doubts[0] > 1.5 * doubts[1] > 3 * doubts[2] > 0


def test_classes_that_are_known_to_be_uneven_need_much_evidence():
    question = CellQuestion(1.0, Axis(0, 1), (8,))
    # 9 of 10 people have the first label: of the answers 0.175 + 0.3 · 0.45 = 0.31 are each of its pairs.
    answers = np.repeat([0, 1, 2, 3], [3100, 1900, 3100, 1900])
    label = LabelShares.of([(question, answers)], 2, default=0)
    assert label.shares[0] == pytest.approx(0.9, abs=0.02)
    assert not Additive((), label, evidence=float(np.log(2))).convinced
    assert Additive((), label, evidence=float(np.log(20))).convinced


@pytest.mark.parametrize("came", [0, 1])
def test_rounds_go_on_without_answers(came):
    rounds = additive_procedure(AXES, 60, 1.0)
    _, found = played(rounds, lambda ask: np.zeros(came, dtype=int))
    assert not found.rule().axes


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
