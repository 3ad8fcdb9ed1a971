"""How much a server lets the rules of others count: by evidence from its own clients, and never by trust.

Another server's rule may be the best there is, useless, wrong, or meant to harm. Three things keep harm out.
A rule counts only by what this server's clients say of it. While their answers about all foreign rules
together look like answers about coins, none of them counts. And every rule's scores are brought into [−1, 1]
first, so that nobody gains weight by sending large numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from noisewright.domains import Floats
from noisewright.errors import InvalidParameter
from noisewright.learn.averaging import Weights, average, cutoff_weights
from noisewright.learn.feedback import Evaluation
from noisewright.learn.reversal import reverse
from noisewright.learn.rules import ConstantRule, LinearRule, MixedRule, Rule
from noisewright.learn.shrinkage import shrunken_accuracies
from noisewright.parameters import real

WEIGHTINGS = ("evidence", "cutoff")


@dataclass(frozen=True, eq=False)
class Combined:
    """A server's rule after the exchange.

    ``evaluation`` is what its clients said of the candidates, its own rule first; ``weights`` is how much
    each counts, negative if reversed. How often the mixture is right is for fresh clients to say.
    """

    rule: Rule
    evaluation: Evaluation
    weights: Floats


@dataclass(frozen=True)
class Transfer:
    """How candidates, a server's own rule first, become its final rule.

    "cutoff" is the published way: reverse, then weigh by the excess over ``cutoff`` (section 3.6, eq. 10). It
    treats the own rule like any other, so that at small ε luck decides. "evidence" first asks, by a χ² test
    at ``level``, whether the foreign rules are anything but coins. If not, the own rule stands alone; else

        weight_b ∝ a_b · |a_b|,   a_b = 2 E[r_b | answers] − 1,

    the shrunken lean of each rule, squared so that many weak rules do not drown a few good ones, its sign
    kept so that a rule which is mostly wrong here counts reversed.

    >>> rules = [LinearRule([1.0, 0.0]), LinearRule([0.0, 9.0])]
    >>> doubtful = Evaluation(np.array([0.5, 0.7]), np.full(2, 0.16), np.full(2, 100))
    >>> Transfer().combine(rules, doubtful).weights.tolist()
    [1.0, 0.0]
    """

    cutoff: float = 0.8
    weighting: str = "evidence"
    level: float = 0.01

    def __post_init__(self) -> None:
        if self.weighting not in WEIGHTINGS:
            raise InvalidParameter(f"weighting must be evidence or cutoff, got {self.weighting!r}")
        if not 0.5 < real("cutoff", self.cutoff) < 1:
            raise InvalidParameter(f"cutoff must be an accuracy between 0.5 and 1, got {self.cutoff!r}")
        if not 0 < real("level", self.level) < 1:
            raise InvalidParameter(f"level must be a probability between 0 and 1, got {self.level!r}")

    def combine(self, rules: Sequence[Rule], evaluation: Evaluation) -> Combined:
        """One rule from the candidates by what the clients said of them."""
        weights = (
            self._published(rules, evaluation) if self.weighting == "cutoff" else self._careful(evaluation)
        )
        mixture = average([fair(rule) for rule in rules], Weights(weights))
        return Combined(mixture, evaluation, weights)

    def _published(self, rules: Sequence[Rule], evaluation: Evaluation) -> Floats:
        _, turned = reverse(rules, evaluation)
        sign = np.where(evaluation.value < 0.5, -1.0, 1.0)
        return np.asarray(sign * cutoff_weights(turned, self.cutoff).values)

    def _careful(self, evaluation: Evaluation) -> Floats:
        foreign = Evaluation(evaluation.value[1:], evaluation.variance[1:], evaluation.asked[1:])
        if not not_all_coins(foreign, self.level):
            return np.asarray(np.arange(len(evaluation)) == 0, dtype=np.float64)
        lean = 2 * shrunken_accuracies(evaluation) - 1
        return np.asarray(lean * np.abs(lean) / (lean**2).sum())


def not_all_coins(evaluation: Evaluation, level: float) -> bool:
    """Whether estimated accuracies scatter about ½ more than those of coins do.

    Σ (r̃ − ½)²/s² against the χ² law with as many degrees of freedom as rules were judged, where s² is the
    variance that the estimate of a coin has: ((n − 1)·variance + (r̃ − ½)²)/n for n judges. An estimated
    variance would be too small just where an estimate is far off, and let coins pass.

    >>> not_all_coins(Evaluation.of(right=[70, 30], asked=[100, 100], epsilon=1.0), level=0.01)
    True
    """
    from scipy.special import gammaincc  # noqa: PLC0415  (scipy is slow to load)

    judged = evaluation.asked > 0
    value, variance, asked = evaluation.value[judged], evaluation.variance[judged], evaluation.asked[judged]
    far = (value - 0.5) ** 2
    distance = float((far * asked / ((asked - 1) * variance + far)).sum()) if far.any() else 0.0
    return bool(judged.any() and gammaincc(len(far) / 2, distance / 2) < level)


def fair(rule: Rule) -> Rule:
    """The same classes from scores within [−1, 1]: who sends large numbers has no louder voice.

    A linear rule is divided by the largest score it can give, |intercept| + Σ |weight|; others give their
    vote.

    >>> fair(LinearRule([3e9, 0.0], -1e9)).scores(np.array([[1.0, 0.0]])).tolist()
    [0.5]
    """
    if isinstance(rule, ConstantRule):
        return rule
    if not isinstance(rule, LinearRule):
        return MixedRule([rule], np.ones(1), "votes")
    largest = abs(rule.intercept) + float(np.abs(rule.weights).sum())
    return LinearRule(rule.weights / largest, rule.intercept / largest, rule.ties) if largest else rule
