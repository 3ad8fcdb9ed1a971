"""NGram with pairs: overlapping pairs of locations, randomized as wholes, and a route fitted to them."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import ClassVar

import numpy as np

from noisewright.design.shares import fit_shares
from noisewright.domains import Cells, Floats
from noisewright.errors import InvalidParameter
from noisewright.guarantees.rules import round_up
from noisewright.mechanisms.tables import Weights
from noisewright.randomness import Stream, Words
from noisewright.trajectory.baselines.base import ListedPlaces
from noisewright.trajectory.baselines.choosing import choice_weights, textbook_rate
from noisewright.trajectory.baselines.guarantee import RealGuarantee
from noisewright.trajectory.baselines.integers import draw_from, draw_places, real_epsilon
from noisewright.trajectory.baselines.ngram import checked_reach
from noisewright.trajectory.spaces.base import Flags

MOST_PAIRS = 1 << 12
"""Pairs of places within reach of each other: every drawn pair looks at all of them."""


@dataclass(frozen=True, eq=False)
class NGramPairs(ListedPlaces):
    """Randomize every two neighbouring locations together, then find the route that fits all pairs best.

    A pair is drawn among all pairs within ``reach`` of each other, a public set, by the exponential mechanism
    on the sum of two distances (Cunningham et al. 2021). The first and the last location are drawn once more
    by themselves, so each location is in exactly two draws and each draw gets ε/2. Among the routes whose
    steps are within reach, the one with the least total distance to all draws is reported.

    >>> corners = [(0, 0), (1, 0), (0, 1), (1, 1)]
    >>> method = NGramPairs(corners, 4.0)
    >>> method.perturb([(0, 0), (1, 0), (1, 1)]).shape, method.real_guarantee.kept
    ((3, 2), True)
    """

    reach: float | None = None
    title: ClassVar[str] = "NGram (pairs)"

    def _prepare(self) -> None:
        object.__setattr__(self, "reach", checked_reach(self.reach, self.places.longer_side))
        if len(self.places) > MOST_PAIRS or len(self.pairs) > MOST_PAIRS:
            raise InvalidParameter(
                f"NGramPairs takes at most {MOST_PAIRS} pairs of places within reach; take fewer, or NGram"
            )

    @cached_property
    def distances(self) -> Floats:
        """Distances of all places."""
        return self.places.distances(np.arange(len(self.places)))

    @cached_property
    def pairs(self) -> Cells:
        """The public set of pairs, two numbers of places in each row."""
        return np.argwhere(self.distances <= np.float64(self.reach))

    @cached_property
    def _budgets(self) -> list[float]:
        return fit_shares(self.epsilon, [1, 1])

    def pair_weights(self, first: Cells, second: Cells) -> Weights:
        """The integers of drawn pairs (columns) for pairs of true places (rows)."""
        losses = self.distances[first][:, self.pairs[:, 0]] + self.distances[second][:, self.pairs[:, 1]]
        return choice_weights(losses, textbook_rate(min(self._budgets), 2 * self.places.diameter))

    def end_weights(self, rows: Cells) -> Weights:
        """The integers of the extra draw of a first or last place."""
        return choice_weights(self.distances[rows], textbook_rate(min(self._budgets), self.places.diameter))

    # -- drawing -----------------------------------------------------------------------------------

    def _report_places(self, truth: Cells, starts: Cells, stream: Stream) -> Cells:
        routes = [truth[first:last] for first, last in itertools.pairwise(starts)]
        return np.concatenate([self._route(route, stream.draw(route.size + 1)) for route in routes])

    def _route(self, truth: Cells, words: Words) -> Cells:
        """One route: two draws for every location, and the route that fits them."""
        ends = draw_places(self.end_weights, truth[[0, -1]], words[:2])
        drawn = [
            self.pairs[draw_from(self.pair_weights(truth[at : at + 1], truth[at + 1 : at + 2])[0], word)[0]]
            for at, word in enumerate(words[2:, None])
        ]
        grams = np.concatenate([ends[:1], np.ravel(drawn).astype(np.int64), ends[1:]]).reshape(-1, 2)
        return fitted_route(self.distances[grams].sum(axis=1), self.distances <= np.float64(self.reach))

    # -- the real guarantee ------------------------------------------------------------------------

    def _real(self) -> RealGuarantee:
        everywhere = np.arange(len(self.places))
        end = real_epsilon([self.end_weights(everywhere)])
        first = max(self._spent(everywhere, np.full_like(everywhere, other)) for other in everywhere)
        second = max(self._spent(np.full_like(everywhere, other), everywhere) for other in everywhere)
        parts = sorted(map(Fraction, (first, second, end, end)))
        why = "the two draws that a location is in add up, and the textbook's calibration spares a part of ε"
        return RealGuarantee(self.epsilon, round_up(parts[-1] + parts[-2]), why, exact=False)

    def _spent(self, first: Cells, second: Cells) -> float:
        return real_epsilon([self.pair_weights(first, second)])


def fitted_route(costs: Floats, allowed: Flags) -> Cells:
    """The cheapest sequence of places whose every step is allowed, by dynamic programming.

    >>> fitted_route(np.array([[0.0, 5], [5, 0], [0, 5]]), np.array([[True, False], [True, True]])).tolist()
    [0, 0, 0]
    """
    steps = np.where(allowed, 0.0, np.inf)  # from a place (row) to the next (column)
    best, came_from = costs[0], np.empty(costs.shape, dtype=np.int64)
    for place in range(1, len(costs)):
        ways = best[:, None] + steps
        came_from[place] = ways.argmin(axis=0)
        best = ways.min(axis=0) + costs[place]
    route = [int(best.argmin())]
    for place in range(len(costs) - 1, 0, -1):
        route.append(int(came_from[place, route[-1]]))
    return np.array(route[::-1])
