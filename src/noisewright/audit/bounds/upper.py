"""The upper bound on a spectrum, and the assumption it was bought with."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from noisewright.audit.bounds.band import Band
from noisewright.audit.bounds.frontier import (
    atoms_frontier,
    half_lines_frontier,
    intervals_gain,
)
from noisewright.domains import Floats
from noisewright.text import at_least, at_most

Counts = NDArray[np.int64]

NO_ASSUMPTION = (
    "the upper bound assumes nothing but independent runs: it is over all sets of outputs, those of equal "
    "value (1, 1.0 and true; a list and a tuple) taken as one"
)

MONOTONE = "the likelihood ratio of the two inputs rises or falls with the output (monotone likelihood ratio)"


def premise(intervals: int) -> str:
    """Return what is assumed for half-lines (0), or for unions of so many intervals."""
    if not intervals:
        return MONOTONE
    some = "one interval" if intervals == 1 else f"{intervals} intervals"
    return f"for every ε the outputs that favour one input make up at most {some}"


def conditional(assumed: str) -> str:
    """Return the words beside an upper bound that an assumption has bought."""
    unsure = "the audit found nothing against that, and cannot confirm it"
    return f"the upper bound holds only if {assumed}; {unsure}"


@dataclass(frozen=True, eq=False)
class Upper:
    """An upper bound on δ at each ε, the larger of both directions, and what it assumes."""

    delta: Floats
    premise: str | None = None
    """What has to be true of the mechanism for the bound to hold; nothing, where outputs are counted."""

    @property
    def assumption(self) -> str:
        """What the bound assumes, in words to stand beside it."""
        return NO_ASSUMPTION if self.premise is None else conditional(self.premise)

    def contradiction(self, epsilons: Floats, lower: Floats) -> Contradiction | None:
        """Where a lower bound exceeds this one the most; None if nowhere, or if nothing was assumed.

        Both hold together with their confidence if the premise is true, so that it is false with the same.
        """
        excess = lower - self.delta
        place = int(np.argmax(excess))
        if self.premise is None or not excess[place] > 0:
            return None
        at, least, most = (float(curve[place]) for curve in (epsilons, lower, self.delta))
        return Contradiction(self.premise, at, least, most)


@dataclass(frozen=True)
class Contradiction:
    """A premise that the runs refute: at ``epsilon`` it allows ``upper``, and δ is at least ``lower``."""

    premise: str
    epsilon: float
    lower: float
    upper: float

    @property
    def sentence(self) -> str:
        """What is false, and how it shows."""
        return (
            f"What was assumed is false: that {self.premise}. At ε = {self.epsilon:.4g} it allows "
            f"δ = {at_most(self.upper)} at most, and the runs show δ = {at_least(self.lower)} at least, both "
            "together at the confidence of this audit; the upper bound is withheld"
        )


def upper_bound(
    epsilons: Floats,
    failure: float,
    *,
    atoms: tuple[Counts, Counts] | None = None,
    values: tuple[Floats, Floats] | None = None,
    intervals: int = 0,
) -> Upper:
    """From counts of finitely many outputs (``atoms``, the last of them all others), or from plain values.

    Args:
        epsilons: Where the bound is wanted.
        failure: How often it may fail.
        atoms: Counts of finitely many outputs with either input, the last of them all others.
        values: Plain outputs of either input.
        intervals: With values: 0 for a monotone likelihood ratio, r for at most r intervals.
    """
    if values is None:
        assert atoms is not None
        return Upper(_by_atoms(*atoms, epsilons, failure))
    if intervals:
        delta = _by_intervals(*values, intervals, epsilons, failure)
    else:
        delta = _by_half_lines(*values, epsilons, failure)
    return Upper(delta, premise(intervals))


def _by_atoms(left: Counts, right: Counts, epsilons: Floats, failure: float) -> Floats:
    own, other = Band(int(left.sum()), failure / 2), Band(int(right.sum()), failure / 2)
    return np.maximum(
        atoms_frontier(left, right).upper(epsilons, own, other),
        atoms_frontier(right, left).upper(epsilons, other, own),
    )


def _by_half_lines(left: Floats, right: Floats, epsilons: Floats, failure: float) -> Floats:
    left, right = np.sort(left), np.sort(right)
    own, other = Band(left.size, failure / 2), Band(right.size, failure / 2)
    return np.maximum(
        half_lines_frontier(left, right).upper(epsilons, own, other),
        half_lines_frontier(right, left).upper(epsilons, other, own),
    )


def _by_intervals(left: Floats, right: Floats, count: int, epsilons: Floats, failure: float) -> Floats:
    own, other = Band(left.size, failure / 2), Band(right.size, failure / 2)
    factors = np.exp(epsilons)
    forward = intervals_gain(left, right, count, epsilons) + own.reach + factors * other.reach
    backward = intervals_gain(right, left, count, epsilons) + other.reach + factors * own.reach
    return np.asarray(np.clip(np.maximum(forward, backward), 0.0, 1.0))
