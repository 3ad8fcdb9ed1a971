"""Cutting a domain into bins, and finding the values that a mechanism cannot tell apart.

At the ends of an interval OGPM's window lies still: all values nearer to an end than half a window have
the *same* law, so no number of reports says how people are spread among them. A table has the same law
for all values of one of its cells. Whoever estimates must know these zones: only the share of people in
a whole zone can be learned, and an interval that claims more is wrong.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from noisewright.domains import Floats, Integers, NumericDomain
from noisewright.mechanisms import DesignedLaw
from noisewright.mechanisms.piecewise import WindowMechanism
from noisewright.mechanisms.tabular import GridMechanism

LOOKS = 1 << 13
"""Places at which a mechanism is looked at when its zones are searched."""

ALIKE = 1e-9
"""Two laws that differ by less in every report need more reports than there are people to be told apart."""


def equal_bins(domain: NumericDomain, bins: int) -> Floats:
    """The edges of equal bins; of whole numbers each bin has as many as any other, or one more.

    >>> from noisewright import Integers
    >>> equal_bins(Integers(0, 9), 4).tolist()
    [-0.5, 1.5, 4.5, 6.5, 9.5]
    """
    if isinstance(domain, Integers):
        bins = min(bins, domain.size)
        return np.asarray(domain.low + np.arange(bins + 1) * domain.size // bins, dtype=np.float64)
    return np.asarray(domain.start + np.arange(bins + 1) * (domain.length / bins), dtype=np.float64)


def flat_zones(mechanism: Any) -> list[tuple[float, float]]:
    """The stretches of true values over which a mechanism's law does not change.

    Those of whole numbers end halfway to the next one.
    """
    domain = mechanism.domain
    few = isinstance(domain, Integers) and domain.size <= LOOKS
    even = np.unique(np.linspace(0, domain.lattice - 1, LOOKS).astype(np.int64))
    cells = domain.snap(domain.values) if few else even
    if isinstance(mechanism, WindowMechanism):
        same = mechanism.window.begin(cells)
    elif has_rows(mechanism):
        same = _alike(mechanism.table.masses)[mechanism.rows(cells)]
    else:
        return []
    starts = np.flatnonzero(np.diff(same, prepend=same[0] - 1))
    stops = np.append(starts[1:], same.size) - 1
    left = domain.start + (starts if few else cells[starts] * domain.pitch)
    right = domain.start + (stops + 1 if few else (cells[stops] + 1) * domain.pitch)
    long = stops > starts
    return list(zip(left[long].tolist(), right[long].tolist(), strict=True))


def has_rows(mechanism: Any) -> bool:
    """Whether a mechanism is a table whose rows each have one law for all of their values."""
    designed = isinstance(mechanism, DesignedLaw) and not mechanism.dithered
    return designed or isinstance(mechanism, GridMechanism)


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
