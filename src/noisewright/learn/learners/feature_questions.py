"""What clients are asked about one feature: a bin and a label at once, or one bit of how they hang together.

A pair (bin, label) by k-ary randomized response tells where people stand, how common a label is, and how the
two hang together, each a little. A bit tells one of the three with all of ε. Let c = cov(s, t) be what is
wanted, for signs s of the upper part of the feature and t of a group of labels:

    c = E[s·t] − E[s]·E[t],

so if m = |E t| is known, m people must be asked where they stand for each who is asked whether s and t match,
and an answer counts tanh²(ε/2)/(1 + m)². An answer with a pair counts (hit − miss)²/(1 + m²), which is up to
four times less at a small ε and more at a large one, where it also has more than two bins.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from noisewright.domains import Floats
from noisewright.learn.questions.cells import CellQuestion
from noisewright.learn.questions.match import MatchQuestion
from noisewright.learn.rounds import Ask, spread
from noisewright.learn.rules import Axis

MOST_BINS: Final = 8

MOST_BIT_EPSILON: Final = 1.5
"""The largest ε at which bits are asked for; above it pairs of many bins tell more of how odds run."""

FeatureQuestion = CellQuestion | MatchQuestion


def pair_question(axis: Axis, stand: Floats, epsilon: float, classes: int) -> CellQuestion:
    """The bin, of about equally many people each, and the label."""
    cuts = cuts_at(stand, bins_for(epsilon, classes, axis.cells)) if axis.ordered else range(1, axis.cells)
    return CellQuestion(epsilon, axis, tuple(cuts), classes)


def asks_about(
    axis: Axis, stand: Floats, labels: Floats, epsilon: float, people: int, turn: int = 0
) -> list[Ask]:
    """What so many clients are asked, by what is known: shares of the cells, and of the labels.

    ``turn`` says with which group of labels to begin, where people are fewer than groups.

    >>> even = np.full(16, 1 / 16)
    >>> [type(ask.question).kind for ask in asks_about(Axis(0, 1), even, np.array([0.6, 0.4]), 4.0, 60)]
    ['cells']
    >>> asked = asks_about(Axis(0, 1), even, np.array([0.6, 0.4]), 0.5, 60)
    >>> [(ask.question.group, ask.people) for ask in asked]
    [((), 10), ((1,), 50)]
    """
    classes = len(labels)
    groups = label_groups(classes)
    uneven = float(np.mean([abs(2 * labels[list(group)].sum() - 1) for group in groups]))
    pair = pair_question(axis, stand, epsilon, classes)
    bit = np.tanh(epsilon / 2) ** 2 / (1 + uneven) ** 2 / (classes - 1)
    if not axis.ordered or epsilon > MOST_BIT_EPSILON or bit <= worth(pair) / (1 + uneven**2):
        return [Ask(pair, people)]
    upper = tuple(range(cuts_at(stand, 2)[0], axis.cells))
    where = round(people * uneven / (1 + uneven))
    shares = [where, *spread(people - where, len(groups))]
    first = turn % len(groups)
    return [
        Ask(MatchQuestion(epsilon, axis, upper, group, classes), share)
        for group, share in zip([(), *groups[first:], *groups[:first]], shares, strict=True)
        if share
    ]


def worth(question: FeatureQuestion) -> float:
    """What an answer is worth beside one that is always true; nothing if it does not look at the label."""
    if isinstance(question, MatchQuestion) and not question.group:
        return 0.0
    return (question.channel.hit - question.channel.miss) ** 2


def label_groups(classes: int) -> list[tuple[int, ...]]:
    """Groups of labels that tell all classes apart: those with an odd number of bits in common with a mask.

    >>> label_groups(2), label_groups(4)
    ([(1,)], [(1, 3), (2, 3), (1, 2)])
    """
    masks = range(1, 1 << (classes - 1).bit_length())
    return [tuple(code for code in range(classes) if (code & mask).bit_count() % 2) for mask in masks]


def bins_for(epsilon: float, classes: int, cells: int) -> int:
    """Into how many parts to cut: with more of them an answer says more, and is more often a lie.

    Two classes: 1 + ε parts, from 2 to 8, found by simulation.

    >>> bins_for(1.0, 2, 16), bins_for(5.0, 2, 16), bins_for(5.0, 4, 16)
    (2, 6, 3)
    """
    return int(np.clip(round(2 * (1 + epsilon) / classes), 2, min(MOST_BINS, cells)))


def cuts_at(shares: Floats, bins: int) -> list[int]:
    """The cells at which bins of about equally many people begin; no bin is empty of cells.

    >>> cuts_at(np.array([0.7, 0.1, 0.1, 0.1]), 2), cuts_at(np.full(8, 0.125), 4)
    ([1], [2, 4, 6])
    """
    below = np.cumsum(shares) / np.sum(shares)
    cuts = np.searchsorted(below, np.arange(1, bins) / bins - 1e-9) + 1
    places = np.arange(bins - 1)
    cuts = np.maximum.accumulate(np.maximum(cuts, 1) - places) + places  # rising by one at least
    return [int(cut) for cut in np.minimum(cuts, len(shares) - bins + 1 + places)]
