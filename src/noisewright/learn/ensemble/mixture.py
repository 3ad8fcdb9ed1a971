"""From evaluated weak rules to one rule: who is asked about which, whether to reverse, how to average."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from noisewright.domains import Cells, Floats
from noisewright.errors import InvalidParameter
from noisewright.learn.ensemble.successive_halving import best_rule, even_assignment, successive_halving
from noisewright.learn.ensemble.weights import (
    Weights,
    average,
    cutoff_weights,
    read_cutoff,
    reverse,
    shrunken_weights,
)
from noisewright.learn.questions.feedback import Evaluation
from noisewright.learn.questions.rounds import Procedure
from noisewright.learn.rules import Rule
from noisewright.parameters import one_of

AVERAGINGS = ("cutoff", "shrunken", "none")
ASSIGNMENTS = ("even", "halving")


@dataclass(frozen=True, eq=False)
class Mixture:
    """The result of mixing weak rules by feedback.

    Attributes:
        rule: The mixture.
        trained: The rules as they were learned.
        kept: The same after reversal, in the same order.
        evaluation: The clients' feedback on the trained rules.
        weights: The weight of each in ``rule``.
        fallback: Whether the weights' own formula gave no weight to any of them.
    """

    rule: Rule
    trained: tuple[Rule, ...]
    kept: tuple[Rule, ...]
    evaluation: Evaluation
    weights: Floats
    fallback: bool

    @property
    def reversed(self) -> NDArray[np.bool_]:
        """Which of the rules count reversed."""
        turned = [old is not new for old, new in zip(self.trained, self.kept, strict=True)]
        return np.array(turned) ^ (self.weights < 0)


@dataclass(frozen=True)
class Mixing:
    """How weak rules are combined into one.

    Attributes:
        cutoff: The accuracy above which a rule counts (eq. 10), from 0 to below 1.
        reversal: Whether rules that are mostly wrong are reversed (eq. 9).
        averaging: "cutoff"; "shrunken" estimates, which reverse by themselves; or "none", the best rule
            alone.
        assignment: How judging clients are shared out: "even", or by successive "halving".
        centred: Whether rules are as often wrong as right by construction; the shrunken estimates use it.

    >>> Mixing(averaging="median")
    Traceback (most recent call last):
    ...
    noisewright.errors.InvalidParameter: averaging must be one of cutoff, shrunken, none, got 'median'
    """

    cutoff: float = 0.7
    reversal: bool = True
    averaging: str = "cutoff"
    assignment: str = "even"
    centred: bool = False

    def __post_init__(self) -> None:
        read_cutoff(self.cutoff)
        one_of("averaging", self.averaging, AVERAGINGS)
        one_of("assignment", self.assignment, ASSIGNMENTS)
        if self.averaging == "shrunken" and not self.reversal:
            raise InvalidParameter(
                'averaging="shrunken" reverses by itself; take reversal=True or another averaging'
            )

    def evaluate(self, rules: Sequence[Rule], people: int, epsilon: float) -> Procedure[Evaluation]:
        """Ask fresh clients about the rules, each about one.

        Args:
            rules: The rules to judge.
            people: Number of judges.
            epsilon: What each of them spends.
        """
        if self.assignment == "even":
            return even_assignment(rules, people, epsilon)
        return successive_halving(rules, people, epsilon, reversal=self.reversal)

    def mix(self, rules: Sequence[Rule], evaluation: Evaluation) -> Mixture:
        """Combine many rules into one, by the clients' feedback on them.

        Args:
            rules: The rules as they were judged.
            evaluation: The feedback on them.
        """
        turns = self.reversal and self.averaging != "shrunken"
        kept, seen = reverse(rules, evaluation) if turns else (list(rules), evaluation)
        match self.averaging:
            case "cutoff":
                weights = cutoff_weights(seen, self.cutoff)
            case "shrunken":
                weights = shrunken_weights(seen, centred=self.centred)
            case _:  # the best by the estimates as they came, before any rule was reversed
                place = best_rule(evaluation, reversal=self.reversal)
                weights = Weights((np.arange(len(rules)) == place).astype(np.float64))
        rule = average(kept, weights)
        return Mixture(rule, tuple(rules), tuple(kept), evaluation, weights.values, weights.fallback)


def errors(rules: Sequence[Rule], units: Floats, codes: Cells) -> Floats:
    """Return the share of records that each rule gets wrong: for simulations, where records are at hand.

    >>> from noisewright.learn.rules import ConstantRule
    >>> errors([ConstantRule(0), ConstantRule(1)], np.zeros((4, 1)), np.array([0, 0, 0, 1])).tolist()
    [0.25, 0.75]
    """
    return np.array([np.mean(rule.predict(units) != codes) for rule in rules])
