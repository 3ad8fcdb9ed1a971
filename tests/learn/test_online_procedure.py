"""Online learning in rounds: it recovers from a drift, asks everybody once, and runs on a coordinator."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from noisewright.errors import InvalidParameter
from noisewright.learn.bases import find_base
from noisewright.learn.devices import Answer, Coordinator
from noisewright.learn.online import OnlineMixture, online_procedure
from noisewright.learn.questions import SplitQuestion
from noisewright.learn.questions.rounds import Population, read_chance, simulate
from noisewright.learn.rules import ConstantRule, LinearRule
from noisewright.learn.rules.schema import read_schema
from noisewright.randomness import SeededSource

EPSILON = 4.0
BASE = find_base("svm", intercept=False)
QUESTION = SplitQuestion(EPSILON, width=2)


def people(count: int, generator: np.random.Generator, *, flipped: bool = False):
    units = generator.uniform(-1, 1, (count, 2))
    return units, ((units @ [1.0, -0.5] > 0) ^ flipped).astype(np.int64)


def error(mixture: OnlineMixture, *, flipped: bool) -> float:
    units, labels = people(3000, np.random.default_rng(99), flipped=flipped)
    return float(np.mean(mixture.rule.predict(units) != labels))


def begin(mixture: OnlineMixture, *, batch=300, judges=400, rounds=8, seed=1):
    return online_procedure(mixture, QUESTION, BASE, batch, judges, rounds, np.random.default_rng(seed))


@pytest.mark.parametrize("seed", range(4))
def test_it_recovers_when_all_labels_flip(seed):
    """A mixture that stopped learning before the flip would be wrong about more than nine in ten."""
    mixture, generator = OnlineMixture(EPSILON, memory=500.0), np.random.default_rng(seed)
    rounds, source = begin(mixture, seed=seed), SeededSource(seed)

    def answered(asked, *, flipped: bool):
        return [
            ask.question.answers(*people(ask.people, generator, flipped=flipped), source) for ask in asked
        ]

    asked = next(rounds)
    for _ in range(4):
        asked = rounds.send(answered(asked, flipped=False))
    assert error(mixture, flipped=False) < 0.1
    assert error(mixture, flipped=True) > 0.9
    for _ in range(4):
        asked = rounds.send(answered(asked, flipped=True))
    with pytest.raises(StopIteration) as end:
        rounds.send(answered(asked, flipped=True))
    assert end.value.value is mixture
    assert error(mixture, flipped=True) < 0.1


def test_every_client_is_asked_once_and_pays_epsilon():
    chance = read_chance(1)
    population = Population(*people(3 * 100 + 3 * 90, np.random.default_rng(1)), EPSILON, chance)
    simulate(begin(OnlineMixture(EPSILON), batch=100, judges=90, rounds=3), population)
    assert population.account.totals() == {Fraction(EPSILON): 570}


def test_rules_that_were_there_are_judged_from_the_first_round_on():
    mixture = OnlineMixture(EPSILON)
    mixture.add("old", LinearRule([1.0, 0.0]))
    mixture.add("batch 1", ConstantRule(1))
    mixture.hear("old", [True] * 5)
    rounds = begin(mixture, batch=10, judges=7, rounds=1)
    first = next(rounds)
    assert [ask.people for ask in first] == [10, 3, 4]  # the odd judge goes to the rule that is known less
    source, generator = SeededSource(1), np.random.default_rng(1)
    last = rounds.send([ask.question.answers(*people(ask.people, generator), source) for ask in first])
    assert list(mixture.rules) == ["old", "batch 1", "batch 2"]
    assert sum(ask.people for ask in last) == 7
    assert {ask.question.kind for ask in last} == {"feedback"}


def test_fewer_judges_than_rules_ask_about_those_known_least():
    mixture = OnlineMixture(EPSILON)
    for name in "abc":
        mixture.add(name, ConstantRule(1))
    mixture.hear("a", [True, False])
    asks = next(begin(mixture, judges=2))[1:]
    assert [ask.people for ask in asks] == [1, 1]
    mixture.hear("b", [True, False, True])
    assert [ask.question.rule for ask in next(begin(mixture, judges=1))[1:]] == [mixture.rules["c"]]


def test_a_coordinator_drives_it_with_people_who_come_or_do_not():
    mixture = OnlineMixture(EPSILON)
    procedure = begin(mixture, batch=30, judges=12, rounds=2)
    server = Coordinator(procedure, read_schema(None, 2), epsilon=EPSILON)
    server.close_round()  # nobody came to the first batch, so there is no rule, and nobody to judge
    assert mixture.rules == {}
    units, labels = people(60, np.random.default_rng(2))
    for place in range(60):
        if (task := server.task_for(f"person {place}")) is not None:
            answer = task.question.answers(units[[place]], labels[[place]], SeededSource(place))
            server.receive(Answer(task.id, answer[0].tolist()))
    assert server.done
    assert server.result is mixture
    assert list(mixture.rules) == ["batch 1"]
    assert mixture.evaluation().asked.tolist() == [12]


def test_what_makes_no_sense_is_refused():
    for wrong in ({"batch": 0}, {"judges": 0}, {"rounds": 0}, {"rounds": 1.5}):
        with pytest.raises(InvalidParameter):
            next(begin(OnlineMixture(EPSILON), **wrong))
    three = SplitQuestion(EPSILON, width=2, classes=3)
    with pytest.raises(InvalidParameter, match="two classes"):
        next(online_procedure(OnlineMixture(EPSILON), three, BASE, 9, 9, 9, np.random.default_rng(1)))
