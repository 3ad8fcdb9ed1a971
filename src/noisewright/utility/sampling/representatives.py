"""Which channels to draw queries from, and how large a weight can become for every other channel.

Of n queries, shares v_r come from *representatives* q_r of a family; a query z counts for channel p with the
weight p(z)/Σ_r n·v_r·q_r(z). For any set A of representatives with the total share V, a mean is at least a
geometric mean, so

    weight ≤ 1/(n·V) · Π_i max_cell [ p_i(cell) / Π_{r in A} q_{r,i}(cell)^(v_r/V) ],

which is found feature by feature. For each channel the best of the sets of its 1, 2, 3, … nearest
representatives is taken; then shares are moved to representatives whose channels fare worst. All of it looks
at laws only, never at answers, and bounds round up: masses are compared by their extremes between edges.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from noisewright.domains import Cells, Floats
from noisewright.utility.channels import Channel, Lattice
from noisewright.utility.sampling.axis_laws import AxisLaws
from noisewright.utility.sampling.families import Family
from noisewright.utility.sampling.grid import axis_edges

_FAR = 0.6
"""Along the ε of a mechanism, a channel whose log-weight could exceed this is the next representative."""

_NEAREST = 12
_ROUNDS = 2
_HASTE = 0.7
"""How often shares are moved, and how far: all the way they would swing."""

_MOST_MOVED = 100.0

_FEW_KNOTS = 16
"""Laws with so few knots are windows: all knots are edges of the tables. Of others, the ends are."""

_PARTS = 128
_TINY = 1e-290
_ROUNDING = 1 + 1e-9


@dataclass(frozen=True, eq=False)
class Representatives:
    """Places of channels in their family, their shares of the queries, and a bound of each channel's weights.

    With n queries, no weight of channel j is above ``bound[j]/n``.
    """

    places: Cells
    shares: Floats
    bound: Floats


def find_representatives(
    channels: Sequence[Channel], family: Family, laws: Sequence[AxisLaws]
) -> Representatives:
    """The representatives of a family for one record."""
    tables = [_Table.of(family.lattice, law) for law in laws]
    places = _spaced(tables, [channels[member] for member in family.members])
    nearest = _nearest(tables, places)
    shares = np.full(places.size, 1 / places.size)
    bound = _bounds(tables, places, shares, nearest)
    for _ in range(_ROUNDS):
        wider = _moved(shares, bound, nearest[:, 0])
        moved = _bounds(tables, places, wider, nearest)
        if moved.max() < bound.max():
            shares, bound = wider, moved
    return Representatives(places, shares, bound * _ROUNDING)


def every_channel(family: Family, laws: Sequence[AxisLaws]) -> Representatives:
    """All channels of a family as its representatives, each with the same share of the queries."""
    tables = [_Table.of(family.lattice, law) for law in laws]
    places = np.arange(len(family))
    shares = np.full(places.size, 1 / places.size)
    return Representatives(
        places, shares, _bounds(tables, places, shares, _nearest(tables, places)) * _ROUNDING
    )


@dataclass(frozen=True, eq=False)
class _Table:
    """Logarithms of the largest and the smallest mass of each channel between edges, on one axis."""

    highest: Floats
    lowest: Floats

    @classmethod
    def of(cls, lattice: Lattice, laws: AxisLaws) -> _Table:
        parts = np.round((axis_edges(laws.laws, _PARTS) - lattice.start) / lattice.pitch).astype(np.int64)
        ends = [knots if knots.size <= _FEW_KNOTS else knots[[0, 1, -2, -1]] for knots in laws.knots]
        edges = np.unique(np.clip(np.concatenate([parts, *ends, [0, lattice.cells]]), 0, lattice.cells))
        with np.errstate(divide="ignore"):
            return cls(np.log(laws.highest(edges)), np.log(np.maximum(laws.lowest(edges), _TINY)))

    def excess(self, places: int | slice, representative: int) -> Floats:
        """The largest log-ratio of channels to a representative."""
        return np.asarray((self.highest[places] - self.lowest[representative]).max(axis=-1))


def _spaced(tables: Sequence[_Table], members: Sequence[Channel]) -> Cells:
    """Of each mechanism the least ε, and from there up the channels far from the one chosen before."""
    chosen: list[int] = []
    for name in dict.fromkeys(channel.name for channel in members):
        row = [place for place, channel in enumerate(members) if channel.name == name]
        row.sort(key=lambda place: members[place].epsilon)
        chosen.append(row[0])
        for place in row[1:]:
            if sum(float(table.excess(place, chosen[-1])) for table in tables) > _FAR:
                chosen.append(place)
    return np.array(chosen)


def _nearest(tables: Sequence[_Table], places: Cells) -> Cells:
    """For each channel its nearest representatives, numbered as in ``places``."""
    pairs = [np.sum([table.excess(slice(None), int(place)) for table in tables], axis=0) for place in places]
    return np.argsort(np.stack(pairs, axis=1), axis=1, kind="stable")[:, :_NEAREST]


def _bounds(tables: Sequence[_Table], places: Cells, shares: Floats, nearest: Cells) -> Floats:
    """The largest weight of each channel for one query in all."""
    bounds = np.empty(len(nearest))
    for channel, order in enumerate(nearest):
        total, together = np.zeros(order.size), np.cumsum(shares[order])
        for table in tables:
            weighted = shares[order, None] * table.lowest[places[order]]
            mean = np.cumsum(weighted, axis=0) / together[:, None]
            total += (table.highest[channel] - mean).max(axis=1)
        with np.errstate(over="ignore"):
            bounds[channel] = (np.exp(total) / together).min()
    bounds[places] = np.minimum(bounds[places], 1 / shares)  # p/(v·p) is 1/v, whatever the tables say
    return bounds


def _moved(shares: Floats, bound: Floats, home: Cells) -> Floats:
    """Shares in favour of the representatives at which the channels with large bounds are at home."""
    worst = np.full(shares.size, bound.min())
    np.maximum.at(worst, home, bound)
    moved = shares * np.minimum(worst / bound.min(), _MOST_MOVED) ** _HASTE
    return np.asarray(moved / moved.sum())
