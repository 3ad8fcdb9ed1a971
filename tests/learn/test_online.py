"""A mixture that keeps learning: it follows a drift, forgets at the stated rate, and can be kept."""

from __future__ import annotations

import json

import numpy as np
import pytest

from noisewright.errors import InvalidParameter
from noisewright.learn.online import OnlineMixture
from noisewright.learn.questions.feedback import Evaluation, response
from noisewright.learn.rules import ConstantRule, LinearRule
from noisewright.randomness import SeededSource

EPSILON = 1.0
BROKEN = {"first": [2.0, 1.0, 1.0], "second": [0.0, 0.0, 0.0]}
UNITS = np.random.default_rng(1).uniform(-1, 1, (2000, 2))


def answers(accuracy: float, people: int, seed: int) -> np.ndarray:
    """Randomized answers about a rule that is right so often."""
    right = np.random.default_rng(seed).random(people) < accuracy
    return response(EPSILON).perturb_cells(right.astype(np.int64), SeededSource(seed)) == 1


def two_rules(memory: float) -> OnlineMixture:
    mixture = OnlineMixture(EPSILON, memory)
    mixture.add("first", LinearRule([1.0, 0.0]))
    mixture.add("second", LinearRule([0.0, 1.0]))
    return mixture


def agreement(mixture: OnlineMixture, rule: LinearRule) -> float:
    return float(np.mean(mixture.rule.predict(UNITS) == rule.predict(UNITS)))


def test_without_forgetting_it_is_the_plain_evaluation():
    mixture = two_rules(np.inf)
    heard = {"first": answers(0.8, 301, 1), "second": answers(0.4, 200, 2)}
    for name, bits in heard.items():
        for part in np.array_split(bits, 7):
            mixture.hear(name, part)
    expected = Evaluation.of([bits.sum() for bits in heard.values()], [301, 200], EPSILON)
    found = mixture.evaluation()
    assert found.value == pytest.approx(expected.value)
    assert found.variance == pytest.approx(expected.variance)
    assert found.asked.tolist() == [301, 200]


def test_answers_fade_with_every_answer_that_comes_after():
    mixture = OnlineMixture(EPSILON, memory=50.0)
    for name in ("a", "b"):
        mixture.add(name, ConstantRule(1))
    generator = np.random.default_rng(3)
    history = [(name, generator.random() < 0.7) for name in generator.choice(["a", "b"], 200)]
    for name, bit in history:
        mixture.hear(name, np.array([bit]))
    weights = np.exp(-np.arange(200)[::-1] / 50.0)
    mine = np.array([name == "a" for name, _ in history])
    right = np.array([bit for _, bit in history])
    kept = mixture.to_dict()["answers"]["sums"]["a"]
    assert kept == pytest.approx(
        [weights[mine & right].sum(), weights[mine].sum(), (weights[mine] ** 2).sum()]
    )
    effective = weights[mine].sum() ** 2 / (weights[mine] ** 2).sum()
    assert mixture.evaluation().asked[0] == np.floor(effective)


def test_no_more_than_twice_the_memory_counts():
    mixture = OnlineMixture(EPSILON, memory=10.0)
    mixture.add("only", ConstantRule(1))
    mixture.hear("only", np.ones(1000, dtype=bool))
    assert mixture.evaluation().asked.tolist() == [20]


def test_many_at_once_are_as_one_by_one():
    bits = answers(0.7, 60, 5)
    together, single = two_rules(20.0), two_rules(20.0)
    together.hear("first", bits)
    for bit in bits:
        single.hear("first", bit)
    assert together.evaluation().value == pytest.approx(single.evaluation().value)
    assert together.evaluation().variance == pytest.approx(single.evaluation().variance)


def test_the_stated_variance_is_that_of_the_estimate():
    """Mean stated variance over 400 streams within 25 % of the observed one, whose relative sd is 7 %.

    Counting all 2,000 answers as if none had faded would state a tenth of it.
    """
    found = []
    for seed in range(400):
        mixture = OnlineMixture(EPSILON, memory=100.0)
        mixture.add("only", LinearRule([1.0, 0.0]))
        mixture.hear("only", answers(0.75, 2000, seed))
        found.append(mixture.evaluation())
    observed = np.var([each.value[0] for each in found], ddof=1)
    stated = np.mean([each.variance[0] for each in found])
    assert 0.75 < stated / observed < 1.25
    assert np.mean([each.value[0] for each in found]) == pytest.approx(0.75, abs=0.05)


def test_it_follows_a_drift_that_a_long_memory_misses():
    for memory, follows in ((1000.0, True), (np.inf, False)):
        mixture = two_rules(memory)
        for name, before, seed in (("first", 0.9, 1), ("second", 0.5, 2)):
            mixture.hear(name, answers(before, 6000, seed))
        assert agreement(mixture, LinearRule([1.0, 0.0])) > 0.9
        for part in range(20):
            mixture.hear("first", answers(0.15, 150, 100 + part))  # what was right is wrong now
            mixture.hear("second", answers(0.5, 150, 200 + part))
        assert (agreement(mixture, LinearRule([-1.0, 0.0])) > 0.9) is follows


def test_a_newcomer_is_asked_about_first_and_takes_over():
    mixture = two_rules(5000.0)
    for name in ("first", "second"):
        mixture.hear(name, answers(0.55, 1000, len(name)))
    assert mixture.is_stale(0.8)
    mixture.add("new", LinearRule([1.0, 1.0]))
    assert mixture.next_name() == "new"
    assert mixture.question("new").epsilon == EPSILON
    mixture.hear("new", answers(0.95, 1500, 9))
    assert not mixture.is_stale(0.8)
    assert agreement(mixture, LinearRule([1.0, 1.0])) > 0.85


def test_rules_that_have_fallen_are_dropped_and_others_stay():
    mixture = two_rules(np.inf)
    mixture.add("opposed", LinearRule([-1.0, 0.0]))
    mixture.add("unheard", ConstantRule(1))
    for name, accuracy in (("first", 0.9), ("second", 0.5), ("opposed", 0.1)):
        mixture.hear(name, answers(accuracy, 2000, len(name)))
    assert mixture.drop_fallen() == ["second"]
    assert list(mixture.rules) == ["first", "opposed", "unheard"]
    assert mixture.drop_fallen(doubt=0.0, keep=3) == []


def test_it_is_the_same_after_a_trip_through_json():
    for memory in (30.0, np.inf):
        mixture = two_rules(memory)
        mixture.hear("first", answers(0.8, 100, 1))
        again = OnlineMixture.from_dict(json.loads(json.dumps(mixture.to_dict(), allow_nan=False)))
        for each in (mixture, again):
            each.hear("second", answers(0.3, 100, 2))
        assert again.to_dict() == mixture.to_dict()
        assert again.weights.tolist() == mixture.weights.tolist()


def test_a_mixture_nobody_has_judged_says_so():
    mixture = two_rules(10.0)
    assert mixture.evaluation().value.tolist() == [0.5, 0.5]
    assert np.isinf(mixture.evaluation().variance).all()
    assert mixture.rule.weights.tolist() == [1.0, 0.0]


def test_what_makes_no_sense_is_refused():
    mixture = two_rules(10.0)
    for call in (
        lambda: OnlineMixture(EPSILON, memory=0.5),
        lambda: OnlineMixture(EPSILON, memory=float("nan")),
        lambda: mixture.add("first", ConstantRule(1)),
        lambda: mixture.add("third", "a rule"),
        lambda: mixture.hear("third", True),
        lambda: mixture.hear("first", [1, 0]),
        lambda: mixture.drop("third"),
        lambda: OnlineMixture(EPSILON).rule,
        lambda: OnlineMixture(EPSILON).next_name(),
        lambda: OnlineMixture.from_dict({"epsilon": 1.0}),
        lambda: OnlineMixture.from_dict(mixture.to_dict() | {"answers": {"memory": 1.0, "sums": {}}}),
        lambda: OnlineMixture.from_dict(mixture.to_dict() | {"answers": {"memory": 1.0, "sums": BROKEN}}),
    ):
        with pytest.raises(InvalidParameter):
            call()
