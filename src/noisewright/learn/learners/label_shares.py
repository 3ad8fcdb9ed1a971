"""How common each class is, from the labels in all answers, leaning on a public guess while they are few."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import numpy as np

from noisewright.domains import Cells, Floats
from noisewright.learn.questions.cells import CellQuestion

LEAN: Final = 0.57
"""The share that the default class is thought to have, before anybody answered, of two classes."""

DOUBT: Final = 0.075
"""The standard deviation of that guess."""

LEAST: Final = 0.02
"""No class is thought to be rarer."""


def label_shares(asked: Iterable[tuple[CellQuestion, Cells]], classes: int, default: int) -> Floats:
    """The share of each class: the unbiased estimate of all answers, pulled to the guess by its uncertainty.

    At ε = 0.1 two thousand answers cannot tell a class of one third from one of two thirds. Then the guess
    decides: ``default`` is the class to predict where nothing is known, and it is public.

    >>> label_shares([], 2, default=0).round(3).tolist()
    [0.57, 0.43]
    """
    guess = np.full(classes, (1 - LEAN) / (classes - 1)) if classes == 2 else np.full(classes, 0.9 / classes)
    guess[default] = 1 - (guess.sum() - guess[default])
    precision, total = np.full(classes, 1 / DOUBT**2), guess / DOUBT**2
    for question, answers in asked:
        value, variance = _seen(question, answers)
        precision, total = precision + 1 / variance, total + value / variance
    shares = np.maximum(total / precision, LEAST)
    return np.asarray(shares / shares.sum())


def _seen(question: CellQuestion, answers: Cells) -> tuple[Floats, Floats]:
    """Unbiased shares of the labels from one question, with their largest variance."""
    hit, miss = question.channel.hit, question.channel.miss
    counts = np.bincount(answers % question.classes, minlength=question.classes)
    value = (counts / len(answers) - question.bins * miss) / (hit - miss)
    variance = 0.25 / (len(answers) * (hit - miss) ** 2)
    return value, np.full(question.classes, variance)
