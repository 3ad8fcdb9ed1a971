"""How common each class is, from the labels in all answers, leaning on a public guess while they are few."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Self

import numpy as np

from noisewright.domains import Cells, Floats
from noisewright.learn.questions.cells import CellQuestion

LEAN: Final = 0.57
"""The share that the default class is thought to have, before anybody answered, of two classes."""

DOUBT: Final = 0.075
"""The standard deviation of that guess."""

OPEN_DOUBT: Final = 0.3
"""The same where the guess must not hide how common the more common class may be."""

CAUTION: Final = 0.25
"""Standard errors by which the most common class is taken for still more common before a rule leaves it."""

LEAST: Final = 0.02
"""No class is thought to be rarer."""


@dataclass(frozen=True, eq=False)
class LabelShares:
    """The share of each class: the unbiased estimate of all answers, pulled to the guess by its uncertainty.

    At ε = 0.1 two thousand answers cannot tell a class of one third from one of two thirds. Then the guess
    decides: ``default`` is the class to predict where nothing is known, and it is public. ``seen`` and
    ``precision`` are the unbiased estimate and the inverse of its variance.

    >>> LabelShares.of([], 2, default=0).shares.round(3).tolist()
    [0.57, 0.43]
    """

    shares: Floats
    guess: Floats
    seen: Floats
    precision: float

    @classmethod
    def of(cls, asked: Iterable[tuple[CellQuestion, Cells]], classes: int, default: int) -> Self:
        """From the answers to cell questions, whatever they are about."""
        guess = np.full(classes, (1 - LEAN) / (classes - 1) if classes == 2 else 0.9 / classes)
        guess[default] = 1 - (guess.sum() - guess[default])
        precision, total = 0.0, np.zeros(classes)
        for question, answers in asked:
            value, variance = _seen(question, answers)
            precision, total = precision + 1 / variance, total + value / variance
        seen = total / precision if precision else guess
        return cls(_pooled(guess, DOUBT, seen, precision), guess, seen, precision)

    def odds(self) -> Floats:
        """The log-odds of each class but the first, against it."""
        return np.asarray(np.log(self.shares[1:] / self.shares[0]))

    def open(self) -> tuple[Floats, float]:
        """The shares by an estimate that leans on the guess no more than needed, and their variance."""
        shares = _pooled(self.guess, OPEN_DOUBT, self.seen, self.precision)
        return shares, 1 / (self.precision + 1 / OPEN_DOUBT**2)

    def open_odds(self) -> tuple[Floats, float]:
        """The log-odds of :meth:`open`, and about their variance."""
        shares, variance = self.open()
        most = float(shares.max())
        return np.asarray(np.log(shares[1:] / shares[0])), variance / (most * (1 - most)) ** 2

    def cautious(self) -> Floats:
        """The shares with the most common class given the benefit of the doubt.

        A rule that leaves it must be right to do so even if it is a quarter of a standard error more common
        than it seems; the guess, which is far from a rare class, does not count for much here.

        >>> known = LabelShares.of([], 2, default=0)
        >>> known.cautious().round(2).tolist()
        [0.64, 0.36]
        """
        most = int(np.argmax(self.shares))
        open_shares, variance = self.open()
        share = min(max(self.shares[most], open_shares[most] + CAUTION * variance**0.5), 1 - LEAST)
        others = np.delete(self.shares, most)
        return np.insert(others * (1 - share) / others.sum(), most, share)


def _pooled(guess: Floats, doubt: float, seen: Floats, precision: float) -> Floats:
    """The guess and what was seen, weighed by their certainty; no class is rarer than ``LEAST``."""
    shares = np.maximum((guess / doubt**2 + seen * precision) / (1 / doubt**2 + precision), LEAST)
    return np.asarray(shares / shares.sum())


def _seen(question: CellQuestion, answers: Cells) -> tuple[Floats, float]:
    """Unbiased shares of the labels from one question, with their largest variance."""
    hit, miss = question.channel.hit, question.channel.miss
    counts = np.bincount(answers % question.classes, minlength=question.classes)
    value = (counts / len(answers) - question.bins * miss) / (hit - miss)
    return value, 0.25 / (len(answers) * (hit - miss) ** 2)
