"""Assigning people to rules: everybody spread evenly, or more and more people about fewer and fewer rules.

Each person is asked once, about one rule. Successive halving asks an equal share of the people in every
round, drops the half of the rules that look most like a coin, and pools all answers that a rule ever got. So
the rules at the top are known best, which is what it takes to *choose* one rule. To *average* many, ask
evenly: in simulations a mixture lost up to a point of accuracy by not knowing its lesser members.

Selection also flatters: a rule survives *because* its answers were favourable, so the pooled estimate of
the winner is too high on average. An accuracy that is to be reported needs fresh people.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import numpy as np

from noisewright.domains import Cells
from noisewright.errors import InvalidParameter
from noisewright.learn.ensemble.weights import shrunken_accuracies
from noisewright.learn.questions import FeedbackQuestion
from noisewright.learn.questions.feedback import Evaluation
from noisewright.learn.questions.rounds import Ask, Procedure, spread
from noisewright.learn.rules import Rule
from noisewright.parameters import EPSILON, whole

LEAST_ASKED: Final = 8
"""People for every rule and round where the number of rounds is not given: with fewer, halving is chance."""


def even_assignment(rules: Sequence[Rule], people: int, epsilon: float) -> Procedure[Evaluation]:
    """Ask about all rules in one round, as many people about one as about another, up to one person.

    This is the split of Qin and Bai 2026, algorithm 1: the procedure yields its round and returns the
    evaluation.

    >>> from noisewright.learn.rules import ConstantRule
    >>> [ask.people for ask in next(even_assignment([ConstantRule(0), ConstantRule(1)], 7, 1.0))]
    [4, 3]
    """
    return _halve(rules, _read_people(rules, people), EPSILON.check(epsilon), rounds=1, reversal=True)


def successive_halving(
    rules: Sequence[Rule], people: int, epsilon: float, rounds: int | None = None, *, reversal: bool = True
) -> Procedure[Evaluation]:
    """Ask in rounds, each about the better half of the rules of the round before.

    Better is further from a coin, |r̃ − ½|, since a rule that is mostly wrong will be reversed; with
    ``reversal=False`` it is a higher r̃. The default number of rounds is ⌈log2(rules)⌉, or as many as leave
    every rule of every round at least eight people. The evaluation returned pools all rounds.

    >>> from noisewright.learn.rules import ConstantRule
    >>> procedure = successive_halving([ConstantRule(0)] * 4, people=100, epsilon=1.0)
    >>> first = next(procedure)
    >>> second = procedure.send([np.arange(ask.people) < 5 * place for place, ask in enumerate(first)])
    >>> [ask.people for ask in first], [ask.people for ask in second]
    ([13, 13, 12, 12], [25, 25])
    """
    asked = _read_people(rules, people)
    most = max(1, math.ceil(math.log2(len(rules))))
    chosen = default_rounds(len(rules), asked) if rounds is None else whole("rounds", rounds, 1, most)
    if asked // chosen < len(rules):
        raise InvalidParameter(
            f"{asked} people in {chosen} rounds are fewer than one for each of {len(rules)} rules; "
            "take fewer rounds"
        )
    return _halve(rules, asked, EPSILON.check(epsilon), rounds=chosen, reversal=reversal)


def best_rule(evaluation: Evaluation, *, reversal: bool = True) -> int:
    """Return the place of the best rule: furthest from a coin, or with ``reversal=False`` most accurate.

    Rules that left early were asked about less, and the highest of many uncertain values is mostly luck; so
    values are compared after doubt (:mod:`noisewright.learn.ensemble.weights`).

    >>> found = Evaluation.of(right=[8, 700, 690], asked=[10, 1000, 1000], epsilon=1.0)
    >>> int(np.argmax(found.value)), best_rule(found)
    (0, 1)
    """
    doubted = shrunken_accuracies(evaluation)
    return int(np.argmax(np.abs(doubted - 0.5) if reversal else doubted))


def default_rounds(rules: int, people: int) -> int:
    """Return how often to halve: down to a last pair, but never so often that a round is too small.

    >>> default_rounds(32, 10_000), default_rounds(32, 600), default_rounds(32, 100)
    (5, 2, 1)
    """
    return max(1, min(math.ceil(math.log2(rules)), people // (LEAST_ASKED * rules)))


def _halve(
    rules: Sequence[Rule], people: int, epsilon: float, *, rounds: int, reversal: bool
) -> Procedure[Evaluation]:
    """Run the rounds: ask about the survivors, add up their answers, keep the better half."""
    right, asked = (np.zeros(len(rules), dtype=np.int64) for _ in range(2))
    alive: Cells = np.arange(len(rules))
    for share in spread(people, rounds):
        judges = zip(alive, spread(share, len(alive)), strict=True)
        answers = yield tuple(Ask(FeedbackQuestion(epsilon, rules[place]), each) for place, each in judges)
        right[alive] += [np.count_nonzero(answer) for answer in answers]
        asked[alive] += [len(answer) for answer in answers]
        pooled = Evaluation.of(right, asked, epsilon)
        lead = np.abs(pooled.value - 0.5) if reversal else pooled.value
        order = np.argsort(-lead[alive], kind="stable")
        alive = np.sort(alive[order[: math.ceil(len(alive) / 2)]])
    return pooled


def _read_people(rules: Sequence[Rule], people: int) -> int:
    if not rules:
        raise InvalidParameter("at least one rule is needed to ask people about")
    asked = whole("people", people, 1, 1 << 53)
    if asked < len(rules):
        raise InvalidParameter(
            f"{asked} people cannot judge {len(rules)} rules, for each is asked about one; take fewer rules"
        )
    return asked
