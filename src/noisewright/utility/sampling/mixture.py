"""Three to twenty sensitive features: queries drawn from a few channels, used for all channels of a family.

A window channel reports each feature either anywhere or inside its window. So over s features its law is a
mixture of 2^s uniform laws, and channels with similar windows overlap in all of them. So a query counts for
every channel, whichever it was drawn from: of n queries, shares v_r are drawn from representatives q_r, and a
query z has for channel p the weight

    p(z) / Σ_r n·v_r·q_r(z)        (the balance heuristic of Veach and Guibas, 1995).

The weighted sums are unbiased, their terms are independent, and the weights have a bound. At worst every
channel is a representative, and hardly worse off than with its own sample.

**Representatives** determine how large a weight can become for every other channel. For any set A of
representatives with the total share V, a mean is at least a geometric mean, so

    weight ≤ 1/(n·V) · Π_i max_cell [ p_i(cell) / Π_{r in A} q_{r,i}(cell)^(v_r/V) ],

which is found feature by feature. For each channel the best of the sets of its 1, 2, 3, … nearest
representatives is taken; then shares are moved to representatives whose channels fare worst. All of it
depends on laws only, never on answers, and bounds are rounded up: masses are compared by their extremes
between edges.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from noisewright.domains import Cells, Floats
from noisewright.utility.core.channels import Channel, Lattice
from noisewright.utility.sampling.families import AxisLaws, Family, SortedCells, draw_cells
from noisewright.utility.sampling.grid import axis_edges
from noisewright.utility.sampling.queries import Ask
from noisewright.utility.sampling.surrogate import Surrogate
from noisewright.utility.sampling.tally import Tally

_FAR = 0.6
"""Along the ε of a mechanism, a channel whose log-weight could exceed this is the next representative."""

_NEAREST = 12
_ROUNDS = 2
_HASTE = 0.7
"""Number of rounds in which shares move, and how far in each: a full step would oscillate."""

_MOST_MOVED = 100.0

_FEW_KNOTS = 16
"""Laws with at most this many knots are windows: all knots are edges of the tables; of others, only ends."""

_PARTS = 128
_TINY = 1e-290
_ROUNDING = 1 + 1e-9

_AT_ONCE = 1 << 17
"""Number of queries that are weighted at a time."""


@dataclass(frozen=True, eq=False)
class Mixture:
    """The channels of a family for one record, and those of them that queries are drawn from."""

    lattice: Lattice
    laws: Sequence[AxisLaws]
    representatives: Representatives

    @property
    def largest(self) -> float:
        """A bound on all weights of all channels, for a total of one query."""
        return float(self.representatives.bound.max())

    def sample_guessed(self, ask: Ask, queries: int, guess: Floats, random: np.random.Generator) -> Tally:
        """Return the failure probability of all channels from about ``queries`` queries.

        ``guess`` is an earlier estimate for each channel: weight·(failed − guess) varies less than without
        it.
        """
        cells = self._draw(queries, random)
        fails = ask.at(self.lattice, cells).astype(np.float64)
        total, squares = self._sums(cells, len(cells), fails, guess)
        return Tally(guess + total, squares, self.representatives.bound / len(cells), len(cells))

    def sample_mapped(self, ask: Ask, queries: int, guess: Surrogate, random: np.random.Generator) -> Tally:
        """Return the same with a map of failures: only answers that differ from the map are summed."""
        edges = guess.edges_on(self.lattice)
        cells = self._draw(queries, random)
        off = ask.at(self.lattice, cells).astype(np.float64) - guess.at(cells, edges)[0]
        telling = np.flatnonzero(off)
        known = guess.expectation([law.below(at) for law, at in zip(self.laws, edges, strict=True)])
        total, squares = self._sums(cells[telling], len(cells), off[telling], np.zeros_like(known))
        return Tally(known + total, squares, self.representatives.bound / len(cells), len(cells))

    def _draw(self, queries: int, random: np.random.Generator) -> Cells:
        """Return cells to ask, one row per query.

        Query i comes from the representative at (i + random)/n of the shares laid end to end: each gets its
        share to within one query, and exactly so on average.
        """
        chosen = self.representatives
        spots = (np.arange(queries) + random.random(queries)) / queries
        rows = np.searchsorted(np.cumsum(chosen.shares)[:-1], spots, side="right")
        uniforms = random.random((queries, len(self.laws)))
        return draw_cells(self.laws, chosen.places, np.bincount(rows, minlength=chosen.places.size), uniforms)

    def _sums(self, cells: Cells, drawn: int, found: Floats, guess: Floats) -> tuple[Floats, Floats]:
        """Return for each channel the sum of weight·(found − guess) and of its squares."""
        total, squares = np.zeros(guess.size), np.zeros(guess.size)
        for at in range(0, len(cells), _AT_ONCE):
            block = slice(at, at + _AT_ONCE)
            points = SortedCells.of(cells[block])
            density = drawn * self._density(points)
            for place, one in enumerate(guess):
                terms = points.masses(self.laws, place) / density * (found[block] - one)
                total[place] += terms.sum()
                squares[place] += terms @ terms
        return total, squares

    def _density(self, points: SortedCells) -> Floats:
        """Return Σ v_r q_r at cells."""
        chosen = self.representatives
        density = np.zeros(points.ordered.shape[1])
        for place, share in zip(chosen.places, chosen.shares, strict=True):
            density += share * points.masses(self.laws, int(place))
        return density


@dataclass(frozen=True, eq=False)
class Representatives:
    """Places of channels in their family, their shares of the queries, and a bound on each channel's weights.

    With n queries, no weight of channel j is above ``bound[j]/n``.
    """

    places: Cells
    shares: Floats
    bound: Floats


def find_representatives(
    channels: Sequence[Channel], family: Family, laws: Sequence[AxisLaws]
) -> Representatives:
    """Return the representatives of a family for one record."""
    tables = [_Table.of(family.lattice, law) for law in laws]
    places = _spaced_channels(tables, [channels[member] for member in family.members])
    nearest = _nearest(tables, places)
    shares = np.full(places.size, 1 / places.size)
    bound = _bounds(tables, places, shares, nearest)
    for _ in range(_ROUNDS):
        wider = _move_shares(shares, bound, nearest[:, 0])
        moved = _bounds(tables, places, wider, nearest)
        if moved.max() < bound.max():
            shares, bound = wider, moved
    return Representatives(places, shares, bound * _ROUNDING)


def every_channel(family: Family, laws: Sequence[AxisLaws]) -> Representatives:
    """Return all channels of a family as its representatives, each with the same share of the queries."""
    tables = [_Table.of(family.lattice, law) for law in laws]
    places = np.arange(len(family))
    shares = np.full(places.size, 1 / places.size)
    bound = _bounds(tables, places, shares, _nearest(tables, places))
    return Representatives(places, shares, bound * _ROUNDING)


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
        """Return the largest log-ratio of channels to a representative."""
        return np.asarray((self.highest[places] - self.lowest[representative]).max(axis=-1))


def _spaced_channels(tables: Sequence[_Table], members: Sequence[Channel]) -> Cells:
    """Return for each mechanism the smallest ε, and upwards from there each channel far from the last one."""
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
    """Return for each channel its nearest representatives, numbered as in ``places``."""
    pairs = [np.sum([table.excess(slice(None), int(place)) for table in tables], axis=0) for place in places]
    return np.argsort(np.stack(pairs, axis=1), axis=1, kind="stable")[:, :_NEAREST]


def _bounds(tables: Sequence[_Table], places: Cells, shares: Floats, nearest: Cells) -> Floats:
    """Return the largest weight of each channel for a total of one query."""
    bounds = np.empty(len(nearest))
    for channel, order in enumerate(nearest):
        total, together = np.zeros(order.size), np.cumsum(shares[order])
        for table in tables:
            weighted = shares[order, None] * table.lowest[places[order]]
            mean = np.cumsum(weighted, axis=0) / together[:, None]
            total += (table.highest[channel] - mean).max(axis=1)
        with np.errstate(over="ignore"):
            bounds[channel] = (np.exp(total) / together).min()
    bounds[places] = np.minimum(bounds[places], 1 / shares)  # p/(v·p) is 1/v, whatever the tables give
    return bounds


def _move_shares(shares: Floats, bound: Floats, home: Cells) -> Floats:
    """Return shares moved towards the representatives of the channels with large bounds."""
    worst = np.full(shares.size, bound.min())
    np.maximum.at(worst, home, bound)
    moved = shares * np.minimum(worst / bound.min(), _MOST_MOVED) ** _HASTE
    return np.asarray(moved / moved.sum())
