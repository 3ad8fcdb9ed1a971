"""The plan for the queries of one record: a method and a number of queries for each family of channels."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial, reduce

import numpy as np

from noisewright.domains import Floats
from noisewright.utility.core.channels import Channel, Lattice
from noisewright.utility.sampling.bounds import PILOT_SHARE, weighing_cost
from noisewright.utility.sampling.direct import MappedDraws, sample_directly
from noisewright.utility.sampling.families import AxisLaws, Family, axis_laws
from noisewright.utility.sampling.grid import axis_edges
from noisewright.utility.sampling.mixture import Mixture, find_representatives
from noisewright.utility.sampling.queries import Ask, Flags
from noisewright.utility.sampling.strata import Strata
from noisewright.utility.sampling.surrogate import Surrogate, draw_map
from noisewright.utility.sampling.tally import Tally, exact_tally

MOST_SHARED = 20
"""Largest number of sensitive features with shared queries; beyond it every channel is sampled separately."""

_MOST_MAPPED = 3
"""Largest number of sensitive features with a map; beyond it boxes are too coarse to help."""

_MOST_STRATIFIED = 2
_LEAST_MAPPED = 2000
"""Fewest queries with which a map saves more than it costs."""

_LEAST_STRATUM = 4
"""Fewest queries per stratum, on average, for stratified queries."""

_LEAST_EACH = 8
"""Fewest queries with which a channel's own sample is useful."""

_GRID_SHARE = 16
_GUESS_SHARE = 10
"""Enumerating a grid of several channels may use up to 1/16 of all queries; a first guess 1/10."""

_MOST_PARTS = 64

Chart = tuple[Surrogate, list[Floats]]
"""A map, and the edges of the grid it began with."""

Sampler = Callable[[int], Tally]
"""Function from a number of queries to the tally of a family."""


@dataclass(frozen=True, eq=False)
class Part:
    """Channels that are sampled together, the queries allotted to them, and their sampler."""

    family: Family
    queries: int
    sample: Sampler
    exact: bool = False


Maker = Callable[[Family, int], Part]
"""Function from a family and its queries to its part of the plan."""


@dataclass(frozen=True, eq=False)
class Plan:
    """One record and all channels; ``units`` are its sensitive values.

    Channels of a family share all their queries (strata, few representatives) only if no channel can be worse
    off than with its own share of the queries in a plain sample. This is known beforehand from their laws,
    from ``alpha``, the error probability of an interval, and from the map. Otherwise each gets its own
    sample.
    """

    ask: Ask
    channels: Sequence[Channel]
    families: Sequence[Family]
    units: Floats
    random: np.random.Generator
    alpha: float
    _mixtures: dict[int, Mixture] = field(default_factory=dict)

    def parts(self, queries: int) -> Iterator[Part]:
        """Yield the families with their queries, after deducting those for maps and guesses."""
        rest, left = list[Family](), queries
        for family in sorted(self.families, key=len, reverse=True):
            count = int(family.lattice.cells) ** len(self.units)
            fair = queries * len(family) // len(self.channels)
            if count <= (max(fair, left // _GRID_SHARE) if len(family) > 1 else fair):
                left -= count
                yield Part(family, count, partial(self._enumerate, family), exact=True)
            else:
                rest.append(family)
        if rest:
            yield from self._sampled_parts(rest, left)

    def _enumerate(self, family: Family, _: int) -> Tally:
        return enumerate_points(self.ask, family.lattice, self._laws(family))

    def _sampled_parts(self, families: Sequence[Family], queries: int) -> Iterator[Part]:
        chart, left = self._map(families, queries)
        ways = [self._method(family, queries, chart, alone=len(families) == 1) for family in families]
        weights = np.array([weight for weight, _ in ways])
        for family, share, (_, make) in zip(families, weights / weights.sum(), ways, strict=True):
            yield make(family, max(int(left * share), 1))

    def _method(
        self, family: Family, queries: int, chart: Chart | None, *, alone: bool
    ) -> tuple[float, Maker]:
        """Return how a family is sampled, and the queries it needs relative to a single channel's sample.

        A weighted sum needs (its largest weight) × ``weighing_cost`` shared queries. With that number, no
        channel has a wider interval than with its own sample. If that is more than all separate samples
        together, each channel gets its own.
        """
        draws = None if chart is None else MappedDraws(family, self._laws(family), chart[0])
        each = self._sample_each if draws is None else partial(self._sample_each_mapped, draws)
        if len(family) == 1 or self.units.size > MOST_SHARED:
            return len(family), each
        blind = draws is not None and draws.blind
        largest, make = self._shared_method(family, queries, chart, alone=alone)
        weight = largest * weighing_cost(self.alpha, blind=blind)
        few = queries < _LEAST_EACH * len(self.channels)
        return (min(weight, len(family)), make) if few or weight <= len(family) else (len(family), each)

    def _shared_method(
        self, family: Family, queries: int, chart: Chart | None, *, alone: bool
    ) -> tuple[float, Maker]:
        """Return the largest weight of shared queries, for a total of one query, and their sampler.

        A family that is not sampled ``alone`` may end up with too few queries for strata.
        """
        if chart is None:
            return self._mixture(family).largest, self._sample_guessed
        strata = Strata(*chart, family.lattice, self._laws(family))
        if self.units.size > _MOST_STRATIFIED or queries < _LEAST_STRATUM * len(strata):
            return self._mixture(family).largest, partial(self._sample_mapped, chart[0])
        largest = strata.envelope if alone else max(strata.envelope, self._mixture(family).largest)
        return largest, partial(self._sample_strata, strata, chart[0])

    def _map(self, families: Sequence[Family], queries: int) -> tuple[Chart | None, int]:
        """Return a map of the record with its first edges, if it is worthwhile, and the remaining queries."""
        if self.units.size > _MOST_MAPPED or queries < _LEAST_MAPPED:
            return None, queries
        most = queries // PILOT_SHARE
        parts = min(int((most / 2) ** (1 / self.units.size)), _MOST_PARTS)
        members = np.concatenate([family.members for family in families])
        edges = [axis_edges([self.channels[m].law(float(u)) for m in members], parts) for u in self.units]
        if np.prod([float(axis.size - 1) for axis in edges]) > most:
            return None, queries
        asked = 0

        def ask(points: Floats) -> Flags:
            nonlocal asked
            asked += len(points)
            return self.ask(points)

        chart = draw_map(ask, edges, most, self.random)
        return (chart, edges), queries - asked

    def _sample_each(self, family: Family, queries: int) -> Part:
        members = [self.channels[member] for member in family.members]
        return Part(family, queries, lambda n: sample_directly(self.ask, members, self.units, n, self.random))

    def _sample_each_mapped(self, draws: MappedDraws, family: Family, queries: int) -> Part:
        return Part(family, queries, lambda n: draws.sample(self.ask, n, self.random))

    def _sample_strata(self, strata: Strata, chart: Surrogate, family: Family, queries: int) -> Part:
        if queries < _LEAST_STRATUM * len(strata):
            return self._sample_mapped(chart, family, queries)
        return Part(family, queries, lambda n: strata.sample(self.ask, n, self.random))

    def _sample_mapped(self, chart: Surrogate, family: Family, queries: int) -> Part:
        mixture = self._mixture(family)
        return Part(family, queries, lambda n: mixture.sample_mapped(self.ask, n, chart, self.random))

    def _sample_guessed(self, family: Family, queries: int) -> Part:
        mixture = self._mixture(family)
        even = np.full(len(family), 0.5)
        first = mixture.sample_guessed(self.ask, max(queries // _GUESS_SHARE, 1), even, self.random)
        guess = np.clip(first.failing, 0.0, 1.0)
        return Part(
            family,
            max(queries - first.queries, 1),
            lambda n: mixture.sample_guessed(self.ask, n, guess, self.random),
        )

    def _mixture(self, family: Family) -> Mixture:
        key = int(family.members[0])
        if key not in self._mixtures:
            laws = self._laws(family)
            chosen = find_representatives(self.channels, family, laws)
            self._mixtures[key] = Mixture(family.lattice, laws, chosen)
        return self._mixtures[key]

    def _laws(self, family: Family) -> list[AxisLaws]:
        return axis_laws(self.channels, family, self.units)


def enumerate_points(ask: Ask, lattice: Lattice, laws: Sequence[AxisLaws]) -> Tally:
    """Return the exact failure probability of all channels of a family: Σ P(point)·failed."""
    shape = (lattice.cells,) * len(laws)
    places = np.stack(np.unravel_index(np.arange(lattice.cells ** len(laws)), shape), axis=1)
    fails = ask.at(lattice, places).reshape(shape).astype(np.float64)
    edges = np.arange(lattice.cells + 1)
    masses = [np.diff(law.below(edges), axis=1) for law in laws]
    failing = [
        float(reduce(lambda table, mass: np.tensordot(mass, table, axes=1), weights, fails))
        for weights in zip(*masses, strict=True)  # of one channel along each axis
    ]
    return exact_tally(np.array(failing), fails.size)
