"""The upper bound on a spectrum, and the assumption it was bought with."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from noisewright.audit.bounds.band import Band
from noisewright.audit.bounds.classes import (
    MONOTONE,
    NO_ASSUMPTION,
    atoms_frontier,
    half_lines_frontier,
    intervals_assumption,
    intervals_gain,
)
from noisewright.domains import Floats

Counts = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Upper:
    """An upper bound on δ at each ε, the larger of both directions, and what it assumes."""

    delta: Floats
    assumption: str


def upper_bound(
    epsilons: Floats,
    failure: float,
    *,
    atoms: tuple[Counts, Counts] | None = None,
    values: tuple[Floats, Floats] | None = None,
    intervals: int = 0,
) -> Upper:
    """From counts of finitely many outputs (``atoms``, the last of them all others), or from plain values.

    With values, ``intervals`` is 0 for a monotone likelihood ratio and r for at most r intervals.
    """
    if values is None:
        assert atoms is not None
        return Upper(_by_atoms(*atoms, epsilons, failure), NO_ASSUMPTION)
    if intervals:
        return Upper(_by_intervals(*values, intervals, epsilons, failure), intervals_assumption(intervals))
    return Upper(_by_half_lines(*values, epsilons, failure), MONOTONE)


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
