"""Choosing among what was learned: by what the learner expects, and by the feedback of fresh clients.

Every candidate comes with the accuracy that its learner expects of it; a few hundred bits of feedback are a
coarse second opinion. Both are weighed by their certainty: with an expectation a, trusted to within σ, and
feedback r̃ of variance v, a candidate is worth (a/σ² + r̃/v)/(1/σ² + 1/v). With few or heavily randomized
answers the expectation decides, with many the answers do. The constant rule is always a candidate, so that a
classifier which is no better than the most frequent class can be found out.

These are numbers to choose by, and no accuracies: a learner tries its rule on people made up from what it
learned, noise included, so it expects too much, the more the less it knows. How good the chosen rule is, only
clients can tell who had no part in it (:mod:`noisewright.learn.scorecard`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from scipy.special import logit

from noisewright.domains import Floats
from noisewright.learn.feedback import Evaluation
from noisewright.learn.halving import halving
from noisewright.learn.rounds import Procedure
from noisewright.learn.rules import MixedRule, Rule

TRUST: Final = 0.015
"""How far from the truth an expected accuracy may well be, as a standard deviation."""


@dataclass(frozen=True)
class Candidate:
    """A rule that might be the result, what made it, and how often its learner hopes that it is right."""

    name: str
    rule: Rule
    expected: float


@dataclass(frozen=True, eq=False)
class Choice:
    """The rule that was taken, among which candidates, and what each was found to be worth."""

    candidates: tuple[Candidate, ...]
    worth: Floats

    @property
    def best(self) -> Candidate:
        """The candidate that was taken."""
        return self.candidates[int(np.argmax(self.worth))]

    def mixed(self) -> Rule:
        """All candidates for two classes voting together, each by the log-odds of being right.

        That is the best vote of rules that err independently (Nitzan and Paroush 1982); rules from the same
        answers do not, so take it where several learners asked people of their own.
        """
        weights = logit(np.clip(self.worth, 0.5, 1 - 1e-6))
        if not weights.any():
            return self.best.rule
        return MixedRule([each.rule for each in self.candidates], weights / weights.sum(), how="votes")

    def __str__(self) -> str:
        pairs = sorted(
            zip(self.worth.tolist(), (each.name for each in self.candidates), strict=True), reverse=True
        )
        return f"{self.best.name}, preferred in this order: {', '.join(name for _, name in pairs)}"


def choosing_procedure(candidates: Sequence[Candidate], people: int, epsilon: float) -> Procedure[Choice]:
    """Ask fresh clients about the candidates, more and more about the better half; nobody if few are left.

    >>> from noisewright.learn.rules import ConstantRule
    >>> rivals = [Candidate("ill", ConstantRule(1), 0.6), Candidate("well", ConstantRule(0), 0.4)]
    >>> rounds = choosing_procedure(rivals, people=400, epsilon=1.0)
    >>> [ask.people for ask in next(rounds)]
    [200, 200]
    """
    known = tuple(candidates)
    expected = np.array([candidate.expected for candidate in known])
    if len(known) < 2 or people < len(known):
        return Choice(known, expected)
    evaluation = yield from halving([each.rule for each in known], people, epsilon, reversal=False)
    return Choice(known, worth(expected, evaluation))


def worth(expected: Floats, evaluation: Evaluation) -> Floats:
    """Expectation and feedback, weighed by their certainty.

    >>> asked = Evaluation.of(right=[90, 10], asked=[100, 100], epsilon=8.0)
    >>> worth(np.array([0.5, 0.6]), asked).round(2).tolist()
    [0.58, 0.5]
    """
    trust, heard = 1 / TRUST**2, 1 / evaluation.variance
    value = np.where(heard > 0, evaluation.value, 0.0)
    return np.asarray((trust * expected + heard * value) / (trust + heard))
