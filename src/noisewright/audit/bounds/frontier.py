"""The most left share that sets of a class reach for every right share, and the upper bound it gives.

Let C be a class of sets that holds the best events A_ε = {p/q > e^ε} for every ε. They form a chain, so a
:class:`~noisewright.audit.bounds.band.Band` bounds P(A_ε) from above and Q(A_ε) from below for all ε at once,
although nobody knows which sets they are. Whatever they are, their empirical shares (P̂, Q̂) lie on or below
the frontier of C, and so

    δ(ε) = P(A_ε) − e^ε·Q(A_ε) ≤ sup over C of [P̂(S) − e^ε·Q̂(S)] + (1 + e^ε)·√(ln(2/α)/2n).

The other direction's best sets are complements of sets of the same chain, so it costs nothing more.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from noisewright.audit.bounds.band import Band
from noisewright.domains import Floats

SWEPT = 2048
"""Points that are few enough to be swept one by one."""

CELLS = 4096
"""Points of the frontier that a band is evaluated at; between them it is rounded to the safe side."""


@dataclass(frozen=True, eq=False)
class Frontier:
    """Shares (``other``, ``own``), both rising: no set of the class has more own at so little other share."""

    other: Floats
    own: Floats

    @classmethod
    def best_of(cls, *curves: tuple[Floats, Floats]) -> Frontier:
        """The concave hull above curves of rising (other, own) shares, from (0, 0) to (1, 1)."""
        thin = [_thinned(*curve) for curve in curves]
        other = np.concatenate([[0.0, 1.0], *(x for x, _ in thin)])
        own = np.concatenate([[0.0, 1.0], *(y for _, y in thin)])
        points = _hull(np.column_stack([other, own]))
        return cls(points[:, 0], points[:, 1])

    def gain(self, epsilons: Floats) -> Floats:
        """The largest over the class of P̂(S) − e^ε·Q̂(S); linear, so corners of the hull decide."""
        return np.asarray((self.own[:, None] - self.other[:, None] * np.exp(epsilons)).max(axis=0))

    def upper(self, epsilons: Floats, own: Band, other: Band) -> Floats:
        """The upper bound on δ(ε) for all ε: the straight rule, or the band where that is sharper."""
        factors = np.exp(epsilons)
        straight = self.gain(epsilons) + own.reach + factors * other.reach
        cells = np.unique(np.concatenate([np.linspace(0, 1, CELLS), np.geomspace(1e-9, 1, CELLS), [0.0]]))
        at = np.interp(cells, self.other, self.own)
        at[0] = self.own[self.other == 0].max(initial=0.0)
        most, least = own.above(np.minimum(at[1:] + 1e-12, 1.0)), other.below(cells[:-1])
        banded = np.array([(most - factor * least).max() for factor in factors])
        return np.asarray(np.clip(np.minimum(straight, banded), 0.0, 1.0))


def _hull(points: Floats) -> Floats:
    """The upper concave hull of points, by Andrew's sweep."""
    kept: list[tuple[float, float]] = []
    for x, y in points[np.lexsort((-points[:, 1], points[:, 0]))].tolist():
        if kept and x == kept[-1][0]:  # of points above each other the highest came first
            continue
        while len(kept) > 1 and _turns_up(kept[-2], kept[-1], (x, y)):
            kept.pop()
        kept.append((x, y))
    return np.array(kept)


def _thinned(other: Floats, own: Floats) -> tuple[Floats, Floats]:
    """Points of a rising curve without those on or below the line between their neighbours, repeatedly."""
    if other.size <= SWEPT:
        return other, own
    moved = np.append(True, (np.diff(other) > 0) | (np.diff(own) > 0))
    other, own = other[moved], own[moved]  # a repeated point would make both its copies look idle
    while other.size > SWEPT:
        across, up = np.diff(other), np.diff(own)
        kept = np.concatenate([[True], across[:-1] * up[1:] < up[:-1] * across[1:], [True]])
        if kept.mean() > 0.99:
            break
        other, own = other[kept], own[kept]
    return other, own


def _turns_up(first: tuple[float, float], middle: tuple[float, float], last: tuple[float, float]) -> bool:
    return (middle[0] - first[0]) * (last[1] - first[1]) >= (middle[1] - first[1]) * (last[0] - first[0])
