"""Classes of sets that hold the best events, each with the assumption that it stands for.

* *atoms*: all subsets. Nothing is assumed; the bound is sharp while distinct outputs are few beside the runs.
* *monotone*: half-lines. p/q rises or falls with the output.
* *intervals:r*: unions of at most r intervals. p/q crosses each level at most 2r − 1 times.

Without any of them no upper bound exists: outputs that were never seen may give everything away.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from noisewright.audit.bounds.frontier import Frontier
from noisewright.audit.bounds.segments import best_segments
from noisewright.domains import Floats
from noisewright.errors import InvalidParameter

MOST_INTERVALS = 64

NO_ASSUMPTION = (
    "the upper bound assumes nothing but independent runs: it is over all sets of outputs, those of equal "
    "value (1, 1.0 and true; a list and a tuple) taken as one"
)
MONOTONE = "the likelihood ratio of the two inputs rises or falls with the output (monotone likelihood ratio)"


def premise(intervals: int) -> str:
    """What is assumed for half-lines (0), or for unions of so many intervals."""
    if not intervals:
        return MONOTONE
    some = "one interval" if intervals == 1 else f"{intervals} intervals"
    return f"for every ε the outputs that favour one input make up at most {some}"


def conditional(assumed: str) -> str:
    """The words beside an upper bound that an assumption has bought."""
    unsure = "the audit found nothing against that, and cannot confirm it"
    return f"the upper bound holds only if {assumed}; {unsure}"


def parse_assumption(text: str | None) -> int | None:
    """None for no assumption, 0 for a monotone likelihood ratio, r for at most r intervals.

    >>> parse_assumption("monotone"), parse_assumption("intervals:3")
    (0, 3)
    """
    if text is None:
        return None
    name, _, count = text.partition(":")
    if name == "monotone" and not count:
        return 0
    if name == "intervals" and count.isdecimal() and 1 <= int(count) <= MOST_INTERVALS:
        return int(count)
    raise InvalidParameter(
        f"assume must be monotone, or intervals:r with r from 1 to {MOST_INTERVALS}, got {text!r}"
    )


def atoms_frontier(own: NDArray[np.int64], other: NDArray[np.int64]) -> Frontier:
    """All subsets of atoms, from counts; the *last* count is of outputs that have no atom of their own.

    Those may be anything, so the frontier has them all on the own side with no other share: no way of
    telling them apart could do more.
    """
    p, q = own / own.sum(), other / other.sum()
    unseen, p, q = p[-1], p[:-1], q[:-1]
    with np.errstate(divide="ignore", invalid="ignore"):
        order = np.argsort(-np.where(p > 0, p / q, 0.0), kind="stable")
    own_share = np.concatenate([[unseen], unseen + np.cumsum(p[order])])
    other_share = np.concatenate([[0.0], np.cumsum(q[order])])
    return Frontier.best_of((other_share, own_share))


def half_lines_frontier(own: Floats, other: Floats) -> Frontier:
    """All half-lines, open and closed, to either side."""
    values = np.concatenate([own, other])
    order = np.argsort(values, kind="stable")
    mine = order < own.size
    ordered = values[order]
    # {x ≤ t} holds all ties of t; {x < t} is one of these
    last = np.append(ordered[1:] != ordered[:-1], True)
    below = np.cumsum(~mine)[last] / other.size, np.cumsum(mine)[last] / own.size
    above = (1 - below[0])[::-1], (1 - below[1])[::-1]
    return Frontier.best_of(below, above)


def intervals_gain(own: Floats, other: Floats, count: int, epsilons: Floats) -> Floats:
    """The largest P̂(S) − e^ε·Q̂(S) over unions of at most ``count`` intervals, rounded up."""
    points, place = np.unique(np.concatenate([own, other]), return_inverse=True)
    p = np.bincount(place[: own.size], minlength=points.size) / own.size
    q = np.bincount(place[own.size :], minlength=points.size) / other.size
    return np.array([best_segments(p - factor * q, count) for factor in np.exp(epsilons)])
