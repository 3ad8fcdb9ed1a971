"""How the queries of one record are spent: which method for which channels, and how many queries for each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial

import numpy as np

from noisewright.domains import Floats
from noisewright.utility.channels import Channel
from noisewright.utility.sampling.asking import Ask, Flags
from noisewright.utility.sampling.axis_laws import AxisLaws, axis_laws
from noisewright.utility.sampling.direct import sample_directly
from noisewright.utility.sampling.enumeration import enumerate_points
from noisewright.utility.sampling.families import Family
from noisewright.utility.sampling.grid import axis_edges
from noisewright.utility.sampling.mixture import Mixture
from noisewright.utility.sampling.representatives import find_representatives
from noisewright.utility.sampling.strata import Strata
from noisewright.utility.sampling.surrogate import Surrogate, draw_map
from noisewright.utility.sampling.tally import Tally

MOST_SHARED = 20
"""With more sensitive features, every channel is sampled for itself."""

_MOST_MAPPED = 3
"""With more sensitive features a map of boxes is too coarse to help."""

_MOST_STRATIFIED = 2
_LEAST_MAPPED = 2000
"""Below so many queries a map would cost more than it saves."""

_ENUMERATED_SHARE = 4
_MAP_SHARE = 8
_GUESS_SHARE = 10
"""A grid may take up to 1/4 of the queries to enumerate, a map 1/8, a first guess 1/10."""

_MOST_PARTS = 64

Chart = tuple[Surrogate, list[Floats]]
"""A map, and the edges of the grid it began with."""

Sampler = Callable[[int], Tally]
"""From a number of queries to what they tell about the channels of a family."""


@dataclass(frozen=True, eq=False)
class Part:
    """Channels that are judged together, the queries allotted to them, and how they are asked."""

    family: Family
    queries: int
    sample: Sampler
    exact: bool = False


@dataclass(frozen=True, eq=False)
class Plan:
    """One record and all channels; ``units`` are its sensitive values."""

    ask: Ask
    channels: Sequence[Channel]
    families: Sequence[Family]
    units: Floats
    random: np.random.Generator
    _mixtures: dict[int, Mixture] = field(default_factory=dict)

    def parts(self, queries: int) -> Iterator[Part]:
        """The families, each with its queries; what is asked on the way (maps, guesses) comes off them."""
        rest: list[Family] = []
        for family in self.families:
            count = int(family.lattice.cells) ** len(self.units)
            if count <= self._for_enumerating(family, queries):
                queries -= count
                yield Part(family, count, partial(self._enumerate, family), exact=True)
            else:
                rest.append(family)
        if rest:
            yield from self._sampled(rest, queries)

    def _for_enumerating(self, family: Family, queries: int) -> int:
        """How many queries a family may take to be known exactly; a single channel only its share of them."""
        return queries // (_ENUMERATED_SHARE * (1 if len(family) > 1 else len(self.families)))

    def _enumerate(self, family: Family, _: int) -> Tally:
        return enumerate_points(self.ask, family.lattice, self._laws(family))

    def _sampled(self, families: Sequence[Family], queries: int) -> Iterator[Part]:
        chart, left = self._map(families, queries)
        weights = np.array([1.0] if len(families) == 1 else [self._weight(family) for family in families])
        for family, share in zip(families, weights / weights.sum(), strict=True):
            each = max(int(left * share), 1)
            yield self._mapped(family, each, *chart) if chart else self._unmapped(family, each)

    def _weight(self, family: Family) -> float:
        """How many queries a family needs, compared with a channel that is sampled for itself."""
        if len(family) == 1 or self.units.size > MOST_SHARED:
            return float(len(family))
        return float(min(self._mixture(family).representatives.bound.max(), len(family)))

    def _map(self, families: Sequence[Family], queries: int) -> tuple[Chart | None, int]:
        """A map of the record, if it pays, with the edges it began with; and the queries that are left."""
        if self.units.size > _MOST_MAPPED or queries < _LEAST_MAPPED:
            return None, queries
        parts = min(int((queries / _MAP_SHARE / 2) ** (1 / self.units.size)), _MOST_PARTS)
        members = np.concatenate([family.members for family in families])
        edges = [axis_edges([self.channels[m].law(float(u)) for m in members], parts) for u in self.units]
        if np.prod([float(axis.size - 1) for axis in edges]) > queries / _MAP_SHARE:
            return None, queries
        asked = 0

        def ask(points: Floats) -> Flags:
            nonlocal asked
            asked += len(points)
            return self.ask(points)

        chart = draw_map(ask, edges, queries // _MAP_SHARE, self.random)
        return (chart, edges), queries - asked

    def _mapped(self, family: Family, queries: int, chart: Surrogate, edges: list[Floats]) -> Part:
        boxes = int(np.prod([axis.size - 1 for axis in edges]))
        if self.units.size <= _MOST_STRATIFIED and queries >= 4 * boxes:
            strata = Strata(chart, edges, family.lattice, self._laws(family))
            return Part(family, queries, lambda n: strata.sample(self.ask, n, self.random))
        mixture = self._mixture(family)
        return Part(family, queries, lambda n: mixture.sample_mapped(self.ask, n, chart, self.random))

    def _unmapped(self, family: Family, queries: int) -> Part:
        if len(family) == 1 or self.units.size > MOST_SHARED:
            members = [self.channels[member] for member in family.members]
            return Part(
                family, queries, lambda n: sample_directly(self.ask, members, self.units, n, self.random)
            )
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
