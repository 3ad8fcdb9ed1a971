"""NGram: the exponential mechanism among the places, or pairs of places, that can be reached."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import ClassVar

import numpy as np

from noisewright.design.allocation import fit_shares
from noisewright.domains import Cells, Floats
from noisewright.errors import GuaranteeBroken, InvalidParameter
from noisewright.guarantees.base import round_up
from noisewright.mechanisms.basics.tables import Weights, closest_proved
from noisewright.parameters import is_number
from noisewright.published.routes.base import ListedPlaces, RealGuarantee, check_flag
from noisewright.published.routes.integers import (
    choice_bound,
    choice_law,
    choice_weights,
    distinct_sets,
    draw_from,
    draw_places,
    integer_rows,
    real_epsilon,
    textbook_rate,
    worst_choice,
)
from noisewright.randomness import Stream, Words
from noisewright.statistics import bisect
from noisewright.trajectory.spaces import Flags

REPORT, LOCATION = "report", "location"
USUAL_REACH = 0.75  # of the longer side; Zheng 2026, 6.3.2

EXACT_PLACES = 400
"""Up to this many places every set of candidates is enumerated; beyond, the textbook's proof bounds ε."""


@dataclass(frozen=True, eq=False)
class NGram(ListedPlaces):
    """Report a place that can be reached, near ones with higher probability.

    Reachability is public knowledge (Cunningham et al. 2021). The score is minus the distance, calibrated as
    in the textbook, which often spends about half of ε.

    Args:
        points: The public places (n × 2), 2 to 32,768.
        epsilon: The nominal budget of one location.
        reach: How far a place may be; by default three quarters of the longer side.
        around: Reach from what: the previous "report" (the default), which is public; a first report can be
            any place. Or from the true "location", as it was evaluated (Zheng 2026, 6.3.2): then a report
            rules out every location further away, and no ε holds.
        calibrated: Whether to scale the score up until the integers spend ε; no by default.
        space: Where the places lie; by default the rectangle around them.

    >>> corners = [(0, 0), (1, 0), (0, 1), (1, 1)]
    >>> print(NGram(corners, 2.0, around="location").real_guarantee.real)
    inf
    >>> round(NGram(corners, 2.0).real_guarantee.real, 2)
    1.0
    >>> round(NGram(corners, 2.0, calibrated=True).real_guarantee.real, 2)
    2.0
    """

    reach: float | None = None
    around: str = REPORT
    calibrated: bool = False
    title: ClassVar[str] = "NGram"

    def _prepare(self) -> None:
        object.__setattr__(self, "reach", check_reach(self.reach, self.places.longer_side))
        if self.around not in (REPORT, LOCATION):
            raise InvalidParameter(f'must be "{REPORT}" or "{LOCATION}", got {self.around!r}', field="around")
        if check_flag("calibrated", self.calibrated) and not self._every_set_is_looked_at:
            raise InvalidParameter(
                f'calibration needs at most {EXACT_PLACES} places and around="{REPORT}"; leave it out'
            )

    @property
    def _every_set_is_looked_at(self) -> bool:
        return self.around == REPORT and len(self.places) <= EXACT_PLACES

    @cached_property
    def rate(self) -> float:
        """How fast probabilities fall with the distance."""
        if self.calibrated:
            return self._calibrated_rate()
        reachable = math.inf if self.around == REPORT else self._limit
        return textbook_rate(self.epsilon, min(reachable, self.places.diameter))

    @property
    def _limit(self) -> float:
        assert self.reach is not None
        return self.reach

    # -- drawing -----------------------------------------------------------------------------------

    def _report_places(self, truth: Cells, starts: Cells, stream: Stream) -> Cells:
        words = stream.draw(truth.size)
        if self.around == LOCATION:
            return draw_places(self.weights_around, truth, words)
        routes = [slice(first, last) for first, last in itertools.pairwise(starts)]
        return np.concatenate([self._follow(truth[route], words[route]) for route in routes])

    def weights_around(self, rows: Cells) -> Weights:
        """Return the integers of reports around the true places: zero for places out of reach."""
        distances = self.places.distances(rows)
        return integer_rows(np.where(distances <= self._limit, np.exp(-self.rate * distances), 0.0))

    def _follow(self, truth: Cells, words: Words) -> Cells:
        """Draw one route: the candidates of each report are the places within reach of the one before."""
        reports, candidates = np.empty_like(truth), np.arange(len(self.places))
        for place in range(truth.size):
            weights = self.weights_among(truth[place : place + 1], candidates)[0]
            reports[place] = candidates[draw_from(weights, words[place : place + 1])[0]]
            candidates = self.reachable(int(reports[place]))
        return reports

    def weights_among(self, rows: Cells, candidates: Cells) -> Weights:
        """Return the integers of reports among candidates, for some true places."""
        points = self.places.points
        distances = self.places.space.distance(points[rows][:, None, :], points[candidates][None, :, :])
        return choice_weights(distances, self.rate)

    def reachable(self, report: int) -> Cells:
        """Return the candidates after a report."""
        return np.flatnonzero(self.places.distances(np.array([report]))[0] <= self._limit)

    # -- the real guarantee ------------------------------------------------------------------------

    @cached_property
    def real_guarantee(self) -> RealGuarantee:
        if self.around == LOCATION and self._limit < self.places.diameter:
            why = "a report excludes every location that is out of its reach"
            return RealGuarantee(self.epsilon, math.inf, why)
        if self.around == LOCATION:
            real = real_epsilon(self.weights_around(rows) for rows in self.places.blocks())
            return RealGuarantee(self.epsilon, real, "every place is within reach of every other")
        spends = "the rate was raised until it is spent" if self.calibrated else "the textbook spares a part"
        why = f"candidates depend only on the previous report, which keeps ε, and {spends}"
        if not self._every_set_is_looked_at:
            return RealGuarantee(self.epsilon, choice_bound(self.epsilon, len(self.places)), why, exact=False)
        worst = worst_choice(self._distances, self.rate, self._candidate_sets)
        return RealGuarantee(self.epsilon, worst, why)

    @cached_property
    def _distances(self) -> Floats:
        return self.places.distances(np.arange(len(self.places)))

    @cached_property
    def _candidate_sets(self) -> list[Cells]:
        """All places, for a first report, and the places within reach of each."""
        return distinct_sets([np.ones(len(self.places), dtype=bool), *(self._distances <= self._limit)])

    def _keeps_roughly(self, rate: Floats) -> bool:
        """Return whether the law on paper keeps ε at a rate: a guide for a search, never a proof."""
        laws = (choice_law(self._distances[:, chosen], float(rate)) for chosen in self._candidate_sets)
        return max(float((law.max(axis=0) / law.min(axis=0)).max()) for law in laws) <= math.exp(self.epsilon)

    def _calibrated_rate(self) -> float:
        """Return the largest rate whose integers keep ε; it is below twice the textbook's."""
        low, high = textbook_rate(self.epsilon, self.places.diameter), self.epsilon / self.places.diameter
        low = float(bisect(self._keeps_roughly, low, high, steps=40)[0])

        def build(retreat: float) -> float:
            rate = low * (1 - retreat)
            if worst_choice(self._distances, rate, self._candidate_sets) > self.epsilon:
                raise GuaranteeBroken("the integers of the choice spend more than epsilon")
            return rate

        return closest_proved(build)


def check_reach(reach: object, longer_side: float) -> float:
    """Return a distance above zero, or the usual one."""
    if reach is None:
        return USUAL_REACH * longer_side
    if is_number(reach) and isinstance(reach, int | float) and 0 < reach < math.inf:
        return float(reach)
    raise InvalidParameter(f"must be a distance above 0, got {reach!r}", field="reach")


# -- pairs of neighbouring locations ---------------------------------------------------------------

MOST_PAIRS = 1 << 12
"""Most pairs of places within reach of each other: every drawn pair is compared with all of them."""


@dataclass(frozen=True, eq=False)
class NGramPairs(ListedPlaces):
    """Randomize every two neighbouring locations together, then find the route that fits all pairs best.

    A pair is drawn among all pairs within reach of each other, a public set, by the exponential mechanism on
    the sum of two distances (Cunningham et al. 2021). The first and the last location are drawn once more by
    themselves, so each location is in exactly two draws and each draw gets ε/2. Among the routes whose steps
    are within reach, the one with the least total distance to all draws is reported.

    Args:
        points: The public places (n × 2), 2 to 32,768.
        epsilon: The nominal budget of one location.
        reach: How far one place may be from the next; by default three quarters of the longer side.
        space: Where the places lie; by default the rectangle around them.

    >>> corners = [(0, 0), (1, 0), (0, 1), (1, 1)]
    >>> method = NGramPairs(corners, 4.0)
    >>> method.perturb([(0, 0), (1, 0), (1, 1)]).shape, method.real_guarantee.kept
    ((3, 2), True)
    """

    reach: float | None = None
    title: ClassVar[str] = "NGram (pairs)"

    def _prepare(self) -> None:
        object.__setattr__(self, "reach", check_reach(self.reach, self.places.longer_side))
        if len(self.places) > MOST_PAIRS or len(self.pairs) > MOST_PAIRS:
            raise InvalidParameter(
                f"NGramPairs takes at most {MOST_PAIRS} pairs of places within reach; take fewer, or NGram"
            )

    @cached_property
    def distances(self) -> Floats:
        """Distances between all places."""
        return self.places.distances(np.arange(len(self.places)))

    @cached_property
    def pairs(self) -> Cells:
        """The public set of pairs, two numbers of places in each row."""
        return np.argwhere(self.distances <= np.float64(self.reach))

    @cached_property
    def _budgets(self) -> list[float]:
        return fit_shares(self.epsilon, [1, 1])

    def pair_weights(self, first: Cells, second: Cells) -> Weights:
        """Return the integers of drawn pairs (columns) for pairs of true places (rows)."""
        losses = self.distances[first][:, self.pairs[:, 0]] + self.distances[second][:, self.pairs[:, 1]]
        return choice_weights(losses, textbook_rate(min(self._budgets), 2 * self.places.diameter))

    def end_weights(self, rows: Cells) -> Weights:
        """Return the integers of the extra draw of a first or last place."""
        return choice_weights(self.distances[rows], textbook_rate(min(self._budgets), self.places.diameter))

    # -- drawing -----------------------------------------------------------------------------------

    def _report_places(self, truth: Cells, starts: Cells, stream: Stream) -> Cells:
        routes = [truth[first:last] for first, last in itertools.pairwise(starts)]
        return np.concatenate([self._route(route, stream.draw(route.size + 1)) for route in routes])

    def _route(self, truth: Cells, words: Words) -> Cells:
        """Draw one route: two draws for every location, and the route that fits them."""
        ends = draw_places(self.end_weights, truth[[0, -1]], words[:2])
        drawn = [
            self.pairs[draw_from(self.pair_weights(truth[at : at + 1], truth[at + 1 : at + 2])[0], word)[0]]
            for at, word in enumerate(words[2:, None])
        ]
        grams = np.concatenate([ends[:1], np.ravel(drawn).astype(np.int64), ends[1:]]).reshape(-1, 2)
        return fit_route(self.distances[grams].sum(axis=1), self.distances <= np.float64(self.reach))

    # -- the real guarantee ------------------------------------------------------------------------

    @cached_property
    def real_guarantee(self) -> RealGuarantee:
        everywhere = np.arange(len(self.places))
        end = real_epsilon([self.end_weights(everywhere)])
        first = max(self._spent(everywhere, np.full_like(everywhere, other)) for other in everywhere)
        second = max(self._spent(np.full_like(everywhere, other), everywhere) for other in everywhere)
        parts = sorted(map(Fraction, (first, second, end, end)))
        why = "the two draws that a location is in add up, and the textbook's calibration spares a part of ε"
        return RealGuarantee(self.epsilon, round_up(parts[-1] + parts[-2]), why, exact=False)

    def _spent(self, first: Cells, second: Cells) -> float:
        return real_epsilon([self.pair_weights(first, second)])


def fit_route(costs: Floats, allowed: Flags) -> Cells:
    """Return the cheapest sequence of places whose every step is allowed, by dynamic programming.

    >>> fit_route(np.array([[0.0, 5], [5, 0], [0, 5]]), np.array([[True, False], [True, True]])).tolist()
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
