"""Choosing among what was learned: by what the learners hope, and by the feedback of fresh clients.

A few hundred bits of feedback are coarse, so a candidate may come with a hope: how often its learner thinks
that it is right, trusted to within σ. With a hope h and feedback r̃ of variance v, a candidate is worth
(h/σ² + r̃/v)/(1/σ² + 1/v): with few or heavily randomized answers the hope decides, with many the answers do.
The constant rule is always a candidate, so that a classifier which is no better than the most frequent class
can be found out. Hopes of different learners cannot be compared; between learners the feedback decides.

A worth is a number to choose by, and no accuracy: a learner tries its rule on people made up from what it
learned, noise included, so it hopes for too much, the more the less it knows. How good the chosen rule is,
only clients can tell who had no part in it (:mod:`noisewright.learn.scorecard`).
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
"""How far apart the hopes of one learner may well be wrong, as a standard deviation."""

DOUBT: Final = 0.1
"""The same between learners, who all get the same hope: wide enough that feedback decides."""


@dataclass(frozen=True)
class Candidate:
    """A rule that might be the result, what made it, how often it is hoped to be right, and how surely."""

    name: str
    rule: Rule
    hope: float
    trust: float = TRUST


@dataclass(frozen=True, eq=False)
class Choice:
    """The rule that was taken, among which candidates, what each is worth, and what the learners noticed."""

    candidates: tuple[Candidate, ...]
    worth: Floats
    notes: tuple[str, ...] = ()

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
        order = np.argsort(-self.worth, kind="stable")
        return " before ".join(self.candidates[place].name for place in order)


def choosing_procedure(
    candidates: Sequence[Candidate], people: int, epsilon: float, notes: Sequence[str] = ()
) -> Procedure[Choice]:
    """Ask fresh clients about the candidates, more and more about the better half; nobody if few are left.

    >>> from noisewright.learn.rules import ConstantRule
    >>> rivals = [Candidate("ill", ConstantRule(1), 0.6), Candidate("well", ConstantRule(0), 0.4)]
    >>> rounds = choosing_procedure(rivals, people=400, epsilon=1.0)
    >>> [ask.people for ask in next(rounds)]
    [200, 200]
    """
    known = tuple(candidates)
    if len(known) < 2 or people < len(known):
        return Choice(known, np.array([candidate.hope for candidate in known]), tuple(notes))
    evaluation = yield from halving([each.rule for each in known], people, epsilon, reversal=False)
    return Choice(known, worth(known, evaluation), tuple(notes))


def worth(candidates: Sequence[Candidate], evaluation: Evaluation) -> Floats:
    """Hope and feedback, weighed by their certainty.

    >>> from noisewright.learn.rules import ConstantRule
    >>> rivals = [Candidate("ill", ConstantRule(1), 0.5), Candidate("well", ConstantRule(0), 0.6)]
    >>> worth(rivals, Evaluation.of(right=[90, 10], asked=[100, 100], epsilon=8.0)).round(2).tolist()
    [0.58, 0.5]
    """
    hopes = np.array([candidate.hope for candidate in candidates])
    trust = np.array([1 / candidate.trust**2 for candidate in candidates])
    heard = 1 / evaluation.variance
    said = np.where(heard > 0, evaluation.value, 0.0)
    return np.asarray((trust * hopes + heard * said) / (trust + heard))
