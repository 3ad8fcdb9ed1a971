"""NGram with single locations: the exponential mechanism among the places that can be reached."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from noisewright.domains import Cells, Floats
from noisewright.errors import GuaranteeBroken, InvalidParameter
from noisewright.mechanisms.tables import Weights, closest_proved
from noisewright.parameters import is_number
from noisewright.randomness import Stream, Words
from noisewright.trajectory.baselines.base import ListedPlaces, check_flag
from noisewright.trajectory.baselines.choosing import (
    choice_bound,
    choice_weights,
    distinct_sets,
    textbook_rate,
    worst_choice,
    worst_choice_roughly,
)
from noisewright.trajectory.baselines.guarantee import RealGuarantee
from noisewright.trajectory.baselines.integers import draw_from, draw_places, integer_rows, real_epsilon

REPORT, LOCATION = "report", "location"
USUAL_REACH = 0.75  # of the longer side; Zheng 2026, 6.3.2

EXACT_PLACES = 400
"""Up to so many places every set of candidates is looked at; beyond, ε is bounded by the textbook's proof."""


@dataclass(frozen=True, eq=False)
class NGram(ListedPlaces):
    """Report a place that can be reached, near ones with the higher probability.

    Reachability is public knowledge (Cunningham et al. 2021): the places within ``reach``, a distance, of

    - ``around="report"``: the report before, which everybody knows; a first report can be any place;
    - ``around="location"``: the true location, as it was evaluated (Zheng 2026, 6.3.2). Then a report rules
      out every location further away than ``reach``, and no ε holds.

    The score is minus the distance, calibrated as in the textbook, which often spends about half of ε;
    ``calibrated=True`` scales it up until the integers spend ε.

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
        object.__setattr__(self, "reach", checked_reach(self.reach, self.places.longer_side))
        if self.around not in (REPORT, LOCATION):
            raise InvalidParameter(f'around must be "{REPORT}" or "{LOCATION}", got {self.around!r}')
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
        """The integers of reports around the true places: zero for all that is out of reach."""
        distances = self.places.distances(rows)
        return integer_rows(np.where(distances <= self._limit, np.exp(-self.rate * distances), 0.0))

    def _follow(self, truth: Cells, words: Words) -> Cells:
        """One route: the candidates of each report are the places within reach of the one before."""
        reports, candidates = np.empty_like(truth), np.arange(len(self.places))
        for place in range(truth.size):
            weights = self.weights_among(truth[place : place + 1], candidates)[0]
            reports[place] = candidates[draw_from(weights, words[place : place + 1])[0]]
            candidates = self.reachable(int(reports[place]))
        return reports

    def weights_among(self, rows: Cells, candidates: Cells) -> Weights:
        """The integers of reports among candidates, for some true places."""
        points = self.places.points
        distances = self.places.space.distance(points[rows][:, None, :], points[candidates][None, :, :])
        return choice_weights(distances, self.rate)

    def reachable(self, report: int) -> Cells:
        """The candidates after a report."""
        return np.flatnonzero(self.places.distances(np.array([report]))[0] <= self._limit)

    # -- the real guarantee ------------------------------------------------------------------------

    def _real(self) -> RealGuarantee:
        if self.around == LOCATION:
            return self._real_around_location()
        spends = "the rate was raised until it is spent" if self.calibrated else "the textbook spares a part"
        why = f"candidates depend on the report before alone, which keeps ε, and {spends}"
        if not self._every_set_is_looked_at:
            return RealGuarantee(self.epsilon, choice_bound(self.epsilon, len(self.places)), why, exact=False)
        worst = worst_choice(self._distances, self.rate, self._candidate_sets)
        return RealGuarantee(self.epsilon, worst, why)

    def _real_around_location(self) -> RealGuarantee:
        if self._limit < self.places.diameter:
            why = "a report excludes every location that is out of its reach"
            return RealGuarantee(self.epsilon, math.inf, why)
        real = real_epsilon(self.weights_around(rows) for rows in self.places.blocks())
        return RealGuarantee(self.epsilon, real, "every place is within reach of every other")

    @cached_property
    def _distances(self) -> Floats:
        return self.places.distances(np.arange(len(self.places)))

    @cached_property
    def _candidate_sets(self) -> list[Cells]:
        """All places, for a first report, and what can be reached from each."""
        return distinct_sets([np.ones(len(self.places), dtype=bool), *(self._distances <= self._limit)])

    def _calibrated_rate(self) -> float:
        """The largest rate whose integers keep ε; the two furthest places rule out twice the textbook's."""
        low, high = textbook_rate(self.epsilon, self.places.diameter), self.epsilon / self.places.diameter
        for _ in range(40):
            middle = (low + high) / 2
            spent = worst_choice_roughly(self._distances, middle, self._candidate_sets)
            low, high = (middle, high) if spent <= self.epsilon else (low, middle)

        def build(retreat: float) -> float:
            rate = low * (1 - retreat)
            if worst_choice(self._distances, rate, self._candidate_sets) > self.epsilon:
                raise GuaranteeBroken("the integers of the choice spend more than epsilon")
            return rate

        return closest_proved(build)


def checked_reach(reach: object, longer_side: float) -> float:
    """A distance above zero, or the usual one."""
    if reach is None:
        return USUAL_REACH * longer_side
    if is_number(reach) and isinstance(reach, int | float) and 0 < reach < math.inf:
        return float(reach)
    raise InvalidParameter(f"reach must be a distance above 0, got {reach!r}")
