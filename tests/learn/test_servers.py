"""Servers that learn from each other: who pays what, who gains, and who cannot be hurt."""

from __future__ import annotations

import json
from fractions import Fraction

import numpy as np
import pytest

from noisewright.errors import BadDocument, InvalidParameter
from noisewright.learn.bases import find_base
from noisewright.learn.ensemble import Mixing, Plan
from noisewright.learn.questions import SplitQuestion
from noisewright.learn.questions.feedback import Evaluation
from noisewright.learn.questions.rounds import read_chance
from noisewright.learn.rules import ConstantRule, LinearRule, MixedRule
from noisewright.learn.rules.many_classes import ClassRule
from noisewright.learn.servers import Clients, Server, Training, Transfer, collaborate, fair, not_all_coins

WIDTH = 3


def records(slope, people: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    generator = np.random.default_rng(seed)
    units = generator.uniform(-1, 1, (people, WIDTH))
    return units, (units @ np.asarray(slope) > 0).astype(np.int64)


def server(name: str, slope, seed: int, *, epsilon=2.0, people=600, spare=0, weak=8, **options) -> Server:
    chance = read_chance(seed)
    clients = Clients(*records(slope, people, seed), epsilon, chance)
    plan = Plan(weak, training=100, subset=40, evaluation=people - 100 - spare)
    base = find_base("svm", intercept=False)
    training = Training(SplitQuestion(epsilon, width=WIDTH), plan, base, Mixing(averaging="shrunken"))
    return Server(name, clients, training, public=chance.public, **options)


def error(rule, slope) -> float:
    units, labels = records(slope, 4000, seed=99)
    return float(np.mean(rule.predict(units) != labels))


def message(rule, name: str = "stranger") -> str:
    return json.dumps({"server": name, "rule": rule.to_dict()})


# -- who pays what -------------------------------------------------------------------------------------


@pytest.mark.parametrize("epsilon", [0.3, 1.0])
def test_halves_cost_every_client_exactly_epsilon(epsilon):
    servers = [server(str(place), [1, 0, 0], place, epsilon=epsilon) for place in range(3)]
    collaborate(servers)
    for each in servers:
        assert each.clients.account.totals() == {Fraction(epsilon): 600}


def test_groups_cost_every_client_exactly_epsilon():
    servers = [server(str(place), [1, 0, 0], place, spare=150, payment="groups") for place in range(3)]
    collaborate(servers)
    for each in servers:
        assert each.clients.account.totals() == {Fraction(2): 600}


def test_judges_of_both_rounds_are_the_same_people_and_trainers_are_not_asked_again():
    one, two = (server(str(place), [1, 0, 0], place) for place in range(2))
    one.train()
    two.train()
    assert one.clients.account.totals() == {Fraction(2): 100, Fraction(1): 500}
    one.receive(two.publish())
    assert one.combine().evaluation.asked.tolist() == [250, 250]
    assert one.clients.left == 0


# -- who gains, who is not hurt ------------------------------------------------------------------------


def test_servers_gain_from_each_other_even_if_some_are_opposed():
    """Mean error over ten servers of 600 clients: alone about 15 %, together less than two thirds of it."""
    slope = np.array([1.0, -0.5, 0.5])
    servers = [server(str(place), slope * (-1) ** place, place, epsilon=4.0) for place in range(10)]
    together = collaborate(servers)
    alone = [error(each.rule, slope * (-1) ** place) for place, each in enumerate(servers)]
    combined = [error(together[str(place)], slope * (-1) ** place) for place in range(10)]
    assert np.mean(combined) < 2 / 3 * np.mean(alone)


@pytest.mark.parametrize(
    "hostile",
    [
        LinearRule([0.0, 1.0, 0.0]),  # unrelated, and the same from everybody, so that noise adds up
        LinearRule([0.0, 1e29, 0.0], 1e29),  # loud
        ConstantRule(1),
        MixedRule([LinearRule([0.0, 0.0, 1.0]), ConstantRule(0)], np.array([1.0, 1.0]), "votes"),
    ],
)
def test_a_server_is_not_hurt_by_24_hostile_ones(hostile):
    """The gate opens for coins in 1 % of runs: in more than 5 of 12 with probability below 1e-9.

    Ungated, the rule is more than 5 points worse on average.
    """
    gated, ungated = np.array([harm(hostile, seed) for seed in range(12)]).T
    assert np.count_nonzero(gated) <= 5
    assert np.mean(gated) < 0.02
    assert np.mean(ungated) > 0.05


def harm(hostile, seed: int) -> list[float]:
    """By how much 24 hostile rules raise the error of a server, with the gate and without it."""
    slope = [1.0, 0.0, 0.0]
    own = server("own", slope, seed, people=1200, weak=20)
    own.train()
    for place in range(24):
        own.receive(message(hostile, f"hostile {place}"))
    found, rules = own.combine().evaluation, [own.rule, *[hostile] * 24]
    combined = [Transfer(level=level).combine(rules, found).rule for level in (0.01, 1 - 1e-12)]
    return [error(rule, slope) - error(own.rule, slope) for rule in combined]


def test_rules_that_are_wrong_here_help_as_well():
    slope = np.array([1.0, 0.0, 0.0])
    own = server("own", slope, 3, epsilon=1.0, people=2000, weak=20)
    own.train()
    for place in range(24):
        own.receive(message(LinearRule(-slope), f"opposed {place}"))
    combined = own.combine()
    assert error(combined.rule, slope) < 0.05 < error(own.rule, slope)


def test_without_evidence_the_own_rule_stands_alone():
    found = Evaluation(np.array([0.4, 0.7, 0.35]), np.full(3, 0.04), np.full(3, 50))
    rules = [LinearRule([2.0, 0.0]), LinearRule([0.0, 1.0]), ConstantRule(1)]
    combined = Transfer().combine(rules, found)
    assert combined.weights.tolist() == [1.0, 0.0, 0.0]
    assert combined.rule.weights.tolist() == [1.0, 0.0]


def test_the_published_weights_by_hand():
    found = Evaluation(np.array([0.85, 0.05, 0.7]), np.full(3, 0.01), np.full(3, 100))
    rules = [LinearRule([1.0, 0.0]), LinearRule([0.0, 4.0]), ConstantRule(1)]
    combined = Transfer(cutoff=0.8, weighting="cutoff").combine(rules, found)
    assert combined.weights == pytest.approx([0.25, -0.75, 0.0])
    assert combined.rule.weights == pytest.approx([0.25, -0.75])


@pytest.mark.parametrize("judges", [10, 76])
def test_coins_are_told_from_rules_at_the_stated_level(judges):
    """At most 1 % of 1,500 sets of 24 coins pass: more than 45 do with probability below 1e-9.

    With a third of the rules right nine times in ten among their reports, nearly all sets pass.
    """
    generator = np.random.default_rng(5)
    asked = np.full(24, judges)

    def passing(chance, sets: int) -> int:
        counts = generator.binomial(asked, chance, (sets, 24))
        return sum(not_all_coins(Evaluation.of(right, asked, 2.5), 0.01) for right in counts)

    assert passing(0.5, 1500) <= 45
    assert passing(np.where(np.arange(24) < 8, 0.9, 0.5), 100) >= 95


def test_fair_rules_give_the_same_classes():
    units = np.random.default_rng(1).uniform(-1, 1, (500, 2))
    votes = MixedRule([LinearRule([1.0, 0.0]), ConstantRule(1)], np.array([2.0, 1.0]), "votes")
    for rule in (LinearRule([3.0, -7.0], 2.0), LinearRule([0.0, 0.0], 0.0, 1), ConstantRule(0), votes):
        assert (fair(rule).predict(units) == rule.predict(units)).all()
        assert np.abs(fair(rule).scores(units)).max() <= 1


# -- what is refused -----------------------------------------------------------------------------------


def test_what_a_server_refuses_from_strangers():
    own = server("own", [1, 0, 0], 1)
    for wrong in (
        message(LinearRule([1.0])),  # another width
        message(ConstantRule(1), "own"),  # not from another server
        '{"server": "x", "rule": {"rule": "pickle"}}',
        '{"server": "x"}',
        b"\x80\x04",
    ):
        with pytest.raises((InvalidParameter, BadDocument)):
            own.receive(wrong)


@pytest.mark.parametrize("count", [2, 3])
def test_rules_for_several_classes_cannot_be_slipped_in(count):
    """They cannot be mixed, and would be found out only after all clients had paid for judging them."""
    own = server("own", [1, 0, 0], 1)
    own.train()
    classes = ClassRule([LinearRule([1.0, 0.0, 0.0])] * count).to_dict()
    offsets = {"rule": "additive", "axes": [], "tables": [], "offsets": [0.0] * 3}
    evidence = {"rule": "evidence", "rules": [classes], "prior": [0.0] * count, "evidence": [0.0] * count**2}
    for rule in (classes, evidence, offsets, {"rule": "reversed", "of": classes}):
        with pytest.raises(InvalidParameter):
            own.receive(json.dumps({"server": "evil", "rule": rule}))
    assert own.candidates == [own.rule]
    assert own.combine().weights.tolist() == [1.0]


def test_what_makes_no_sense_is_refused():
    for wrong in ({"weighting": "trust"}, {"cutoff": 0.4}, {"level": 0.0}):
        with pytest.raises(InvalidParameter):
            Transfer(**wrong)
    with pytest.raises(InvalidParameter, match="payment"):
        server("own", [1, 0, 0], 1, payment="later")
    with pytest.raises(InvalidParameter, match="train it first"):
        server("own", [1, 0, 0], 1).publish()
    crowded = server("own", [1, 0, 0], 1, payment="groups")  # its plan leaves nobody to judge others
    crowded.train()
    with pytest.raises(InvalidParameter, match="0 clients can still be asked about 1 rules"):
        crowded.combine()
    with pytest.raises(InvalidParameter, match="combine first"):
        crowded.recombined(Transfer())
    with pytest.raises(InvalidParameter, match="different names"):
        collaborate([server("own", [1, 0, 0], 1), server("own", [1, 0, 0], 2)])
