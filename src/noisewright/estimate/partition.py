"""Cutting a domain into bins, and finding the values that a mechanism cannot tell apart.

At the ends of an interval OGPM's window lies still: all values nearer to an end than half a window have
the *same* law, so no number of reports says how people are spread among them. A table has the same law
for all values of one of its cells. Whoever estimates must know these zones: only the share of people in
a whole zone can be learned, and an interval that claims more is wrong.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from noisewright.domains import Floats, NumericDomain
from noisewright.mechanisms import DesignedLaw
from noisewright.mechanisms.piecewise import WindowMechanism
from noisewright.mechanisms.tabular import GridMechanism

LOOKS = 1 << 13
"""Places at which a mechanism is looked at when its zones are searched."""

STEPS = 64
"""Steps into which a bin is cut when the ends of a functional over a zone are looked for."""

ALIKE = 1e-9
"""Two laws that differ by less in every report need more reports than there are people to be told apart."""

Functional = Callable[[Floats], Floats]
"""From the edges of bins to the average over each bin of a function of the true value."""


@dataclass(frozen=True, eq=False)
class Partition:
    """A domain cut at ``edges``; bins with the same ``zone`` number have the same law."""

    domain: NumericDomain
    edges: Floats
    zone: Any

    @property
    def size(self) -> int:
        """How many bins there are."""
        return self.edges.size - 1

    @property
    def zones(self) -> int:
        """How many groups of bins can be told apart."""
        return int(self.zone[-1]) + 1

    def extremes(self, functional: Functional) -> tuple[Floats, Floats]:
        """The least and the largest value of a functional over each zone; the average over a lone bin."""
        averages = functional(self.edges)
        if self.zones == self.size:
            return averages, averages
        first = np.flatnonzero(np.diff(self.zone, prepend=-1))
        averages = averages[first]
        alone = np.diff(np.append(first, self.size)) == 1
        steps = (self.edges[:-1, None] + np.diff(self.edges)[:, None] * np.arange(STEPS) / STEPS).reshape(-1)
        finely = functional(np.append(steps, self.edges[-1]))
        least, most = (ends.reduceat(finely, first * STEPS) for ends in (np.minimum, np.maximum))
        return np.where(alone, averages, least), np.where(alone, averages, most)


def equal_bins(domain: NumericDomain, bins: int) -> Floats:
    """The edges of equal bins."""
    return np.asarray(domain.start + np.arange(bins + 1) * (domain.length / bins), dtype=np.float64)


def partition(domain: NumericDomain, edges: Floats, mechanisms: list[Any]) -> Partition:
    """Cut a domain at given edges and at the ends of the zones that all mechanisms leave undivided."""
    zones = common_zones(mechanisms)
    zones = [(low, high) for low, high in zones if high - low > (edges[1] - edges[0]) * (1 + 1e-9)]
    ends = np.array([end for zone in zones for end in zone])
    cuts = _merged(np.concatenate([edges, ends]), domain.length * 1e-6)
    middles = (cuts[1:] + cuts[:-1]) / 2
    inside = np.full(middles.size, -1)
    for number, (low, high) in enumerate(zones):
        inside[(middles > low) & (middles < high)] = number
    new = (inside < 0) | (np.diff(inside, prepend=-2) != 0)
    return Partition(domain, cuts, np.cumsum(new) - 1)


def flat_zones(mechanism: Any) -> list[tuple[float, float]]:
    """The stretches of true values over which a mechanism's law does not change."""
    domain = mechanism.domain
    cells = np.unique(np.linspace(0, domain.lattice - 1, LOOKS).astype(np.int64))
    if isinstance(mechanism, WindowMechanism):
        same = mechanism.window.begin(cells)
    elif isinstance(mechanism, GridMechanism) or (
        isinstance(mechanism, DesignedLaw) and not mechanism.dithered
    ):
        same = _alike(mechanism.table.masses)[mechanism.rows(cells)]
    else:
        return []
    starts = np.flatnonzero(np.diff(same, prepend=same[0] - 1))
    stops = np.append(starts[1:], same.size) - 1
    left = domain.start + cells[starts] * domain.pitch
    right = domain.start + (cells[stops] + 1) * domain.pitch
    long = stops > starts
    return list(zip(left[long].tolist(), right[long].tolist(), strict=True))


def _alike(rows: Floats) -> Any:
    """A number for each row of a table, the same for neighbours with the same law."""
    steps = np.abs(np.diff(rows, axis=0)).max(axis=1) > ALIKE
    return np.concatenate([[0], np.cumsum(steps)])


def common_zones(mechanisms: list[Any]) -> list[tuple[float, float]]:
    """Stretches over which no mechanism's law changes."""
    first, *others = (flat_zones(mechanism) for mechanism in mechanisms)
    shared = first
    for other in others:
        meets = [(max(a, c), min(b, d)) for a, b in shared for c, d in other]
        shared = [(low, high) for low, high in meets if low < high]
    return sorted(shared)


def _merged(cuts: Floats, nearness: float) -> Floats:
    """Cuts in order, without those that almost coincide with the one before."""
    ordered = np.unique(cuts)
    kept = np.concatenate([[True], np.diff(ordered) > nearness])
    ordered = ordered[kept]
    ordered[-1] = cuts.max()
    return np.asarray(ordered)
