"""Choosing among what was learned: against the constant answer, by the comparisons of fresh clients.

The last candidate is the constant answer, and the others must beat it. Some clients, who had no part in the
learning, say which of a candidate and the constant answer is right about them where only one is
(:class:`~noisewright.learn.questions.comparison.ComparisonQuestion`): that estimates the gain of the
candidate, without bias. A few hundred such answers are coarse, so a candidate may come with a hope h of its
gain, trusted to within σ. With an estimate g of variance v its gain is taken to be

    (h/σ² + g/v)/(1/σ² + 1/v),     with variance 1/(1/σ² + 1/v),

so with few or heavily randomized answers the hope decides, with many the answers do. A candidate that nothing
speaks for but its hope (``bar``) must gain by so many standard deviations of that before it is taken.

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
from noisewright.learn.questions.comparison import ComparisonQuestion
from noisewright.learn.rounds import Ask, Procedure, spread
from noisewright.learn.rules import MixedRule, Rule

TRUST: Final = 0.015
"""How far apart the hopes of one learner may well be wrong, as a standard deviation."""

DOUBT: Final = 0.1
"""The same between learners, who all get the same hope: wide enough that the comparisons decide."""

UNPROVEN: Final = 1.645
"""The bar of a learner whose own answers do not say whether it learned anything: one-sided, at 5 %."""


@dataclass(frozen=True)
class Candidate:
    """A rule that might be the result, what made it, how often it is hoped to be right, and how surely.

    ``bar`` is by how many standard deviations its gain over the constant answer must be above 0.
    """

    name: str
    rule: Rule
    hope: float
    trust: float = TRUST
    bar: float = 0.0


@dataclass(frozen=True, eq=False)
class Choice:
    """The rule that was taken, among which candidates, what each is worth, and what the learners noticed."""

    candidates: tuple[Candidate, ...]
    worth: Floats
    notes: tuple[str, ...] = ()

    @property
    def best(self) -> Candidate:
        """The candidate that was taken; of equals the last, which is the constant answer."""
        return self.candidates[len(self.worth) - 1 - int(np.argmax(self.worth[::-1]))]

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
    """Let fresh clients compare each candidate with the last, the constant answer; nobody if few are left.

    >>> from noisewright.learn.rules import ConstantRule
    >>> rivals = [Candidate("ill", ConstantRule(1), 0.6), Candidate("well", ConstantRule(0), 0.4)]
    >>> rounds = choosing_procedure(rivals, people=400, epsilon=1.0)
    >>> [(ask.question.kind, ask.people) for ask in next(rounds)]
    [('comparison', 400)]
    """
    known = tuple(candidates)
    *learned, default = known
    gains: list[tuple[float, float] | None] = [None] * len(learned)
    if learned and people >= len(known):
        questions = [ComparisonQuestion(epsilon, each.rule, default.rule) for each in learned]
        shares = spread(people, len(learned))
        asked = tuple(Ask(question, share) for question, share in zip(questions, shares, strict=True))
        answers = yield asked
        pairs = zip(questions, answers, strict=True)
        gains = [question.gain(answer) if len(answer) else None for question, answer in pairs]
    return Choice(known, worth(known, gains), tuple(notes))


def worth(candidates: Sequence[Candidate], gains: Sequence[tuple[float, float] | None]) -> Floats:
    """What each candidate is worth: the constant answer's hope, and the gain over it by hope and answers.

    ``gains`` has an estimate and its variance for each candidate but the last, None where nobody was asked.

    >>> from noisewright.learn.rules import ConstantRule
    >>> rivals = [Candidate("ill", ConstantRule(1), 0.5), Candidate("well", ConstantRule(0), 0.6)]
    >>> worth(rivals, [(0.4, 0.0005)]).round(2).tolist()
    [0.66, 0.6]
    """
    default = candidates[-1]
    found = [_worth(each, default, gain) for each, gain in zip(candidates[:-1], gains, strict=True)]
    return np.array([*found, default.hope])


def _worth(candidate: Candidate, default: Candidate, gain: tuple[float, float] | None) -> float:
    trust = candidate.trust**-2
    value, heard = (gain[0], 1 / gain[1]) if gain else (0.0, 0.0)
    mean = (trust * (candidate.hope - default.hope) + heard * value) / (trust + heard)
    return float(default.hope + mean - candidate.bar * (trust + heard) ** -0.5)
