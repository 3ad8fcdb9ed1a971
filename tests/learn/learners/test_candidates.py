"""Choosing by expectation and comparisons: little evidence leaves the expectation, much overrules it."""

import numpy as np
import pytest

from noisewright.errors import InvalidParameter
from noisewright.learn.learners.candidates import (
    UNPROVEN,
    Candidate,
    Choice,
    LearningTask,
    check_learners,
    choice_procedure,
    learn_all,
    worth,
)
from noisewright.learn.questions.rounds import Population, read_chance, simulate
from noisewright.learn.rules import ConstantRule, LinearRule
from noisewright.learn.rules.schema import read_schema

GOOD, BAD = LinearRule([1.0]), LinearRule([-1.0])


def chosen(people: int, epsilon: float, expected=(0.6, 0.7), seed: int = 1) -> str:
    """The bad rule is expected to be the better one."""
    units = np.random.default_rng(0).uniform(-1, 1, (people, 1))
    population = Population(units, (units[:, 0] > 0).astype(int), epsilon, read_chance(seed))
    rivals = [Candidate("good", GOOD, expected[0]), Candidate("bad", BAD, expected[1])]
    return simulate(choice_procedure(rivals, people, epsilon), population).best.name


def test_much_evidence_overrules_the_expectation():
    assert chosen(2000, 2.0) == "good"


def test_little_evidence_does_not():
    assert {chosen(20, 0.1, seed=seed) for seed in range(10)} == {"bad"}


def test_one_candidate_or_nobody_to_ask_needs_no_round():
    for people, rivals in ((100, 1), (1, 2), (0, 2)):
        candidates = [Candidate(f"{place}", GOOD, place / 10) for place in range(rivals)]
        with pytest.raises(StopIteration) as done:
            next(choice_procedure(candidates, people, 1.0))
        assert done.value.value.best.name == f"{rivals - 1}"


@pytest.mark.parametrize("names", [(), "additive", ["forest"], ["additive", "moments"]])
def test_learners_that_are_none_are_refused(names):
    with pytest.raises(InvalidParameter):
        check_learners(names, classes=3)


@pytest.mark.parametrize("names", [["additive"], ["moments"], ["directions", "additive", "moments"]])
def test_learners_share_the_people_and_all_hand_over_candidates(names):
    generator = np.random.default_rng(1)
    units = generator.uniform(-1, 1, (6001, 2))
    labels = (units[:, 0] > 0.2).astype(int)
    people = Population(units, labels, 2.0, read_chance(1))
    task = LearningTask(read_schema(None, 2), 6001, 2.0, 2, 0, np.random.default_rng(2))
    found = simulate(learn_all(names, task), people)
    assert people.left == 0
    rules = {each.name: each.rule for each in found.candidates}
    assert set(names) < set(rules)
    assert isinstance(rules["always the same class"], ConstantRule)
    for name in names:
        assert np.mean(rules[name].predict(units) == labels) > 0.8, name


def test_mixing_lets_every_rule_vote_by_its_worth():
    """Two rules that agree outvote a better one only if they are worth more together."""
    units = np.array([[1.0]])
    for worths, expected in (((0.9, 0.6, 0.6), 1), ((0.7, 0.65, 0.65), 0)):
        rivals = tuple(Candidate("x", ConstantRule(code), 0.5) for code in (1, 0, 0))
        assert Choice(rivals, np.array(worths)).vote().predict(units) == expected
    assert Choice(rivals, np.full(3, 0.4)).vote() is rivals[-1].rule


def test_of_equals_the_constant_answer_is_taken():
    rivals = (Candidate("rule", GOOD, 0.6), Candidate("always the same class", ConstantRule(0), 0.6))
    assert Choice(rivals, worth(rivals, [None])).best.name == "always the same class"


def test_an_unproven_learner_needs_more_than_a_favourable_answer():
    """A gain of one standard error is enough for a learner whose answers speak for it, and not for others."""
    for bar, expected in ((0.0, "rule"), (UNPROVEN, "always the same class")):
        rivals = (Candidate("rule", GOOD, 0.6, 0.1, bar), Candidate("always the same class", BAD, 0.6))
        assert Choice(rivals, worth(rivals, [(0.05, 0.05**2)])).best.name == expected
    assert Choice(rivals, worth(rivals, [(0.2, 0.05**2)])).best.name == "rule"
