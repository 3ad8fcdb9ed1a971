"""ATP: every other location is a pivot, and directions from the pivots narrow down the ones between."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import ClassVar

import numpy as np

from noisewright.design.allocation import fit_shares
from noisewright.domains import Cells
from noisewright.guarantees.base import round_down, round_up
from noisewright.mechanisms.basics.tables import Weights
from noisewright.mechanisms.basics.window import Window
from noisewright.mechanisms.categorical.krr import respond, response_window
from noisewright.parameters import whole
from noisewright.published.routes.base import ListedPlaces, RealGuarantee
from noisewright.published.routes.integers import (
    choice_bound,
    choice_weights,
    distinct_sets,
    draw_from,
    draw_places,
    real_epsilon,
    textbook_rate,
    worst_choice,
)
from noisewright.published.routes.places import Places
from noisewright.randomness import Stream, Words
from noisewright.trajectory.spaces import Flags
from noisewright.trajectory.spaces.base import TURN, angle_of


@dataclass(frozen=True, eq=False)
class Sectors:
    """Equal sectors of directions around every place, counted anticlockwise from the east.

    >>> Sectors(Places.of([(0, 0), (1, 0.5), (-1, 0.5)]), 4).seen_from(0).tolist()
    [0, 0, 1]
    """

    places: Places
    count: int

    def seen_from(self, place: int) -> Cells:
        """Return the sector of every place as seen from one; a place sees itself in sector 0."""
        flat = self.places.flat
        numbers = (angle_of(flat - flat[place]) * (self.count / TURN)).astype(np.int64)
        return np.minimum(numbers, self.count - 1)

    def candidate_sets(self) -> list[Cells]:
        """Return every possible set of candidates from one or two places and a sector of each."""
        seen = [self.seen_from(place) for place in range(len(self.places))]
        flags = [view == sector for view in seen for sector in range(self.count)]
        single = list({row.tobytes(): row for row in flags}.values())
        pairs = [narrow_down((one, other)) for one in single for other in single]
        return distinct_sets([*(narrow_down((row,)) for row in single), *pairs])


def narrow_down(flags: Sequence[Flags]) -> Flags:
    """Return the places common to all sets; if there are none, the largest set; if that is empty, all places.

    >>> narrow_down([np.array([True, True, False]), np.array([False, False, True])]).tolist()
    [True, True, False]
    """
    common: Flags = np.logical_and.reduce(flags)
    if not common.any():
        common = max(flags, key=np.count_nonzero)
    return common if common.any() else np.ones_like(common)


EXACT_PLACES = 24
"""Up to this many places every set of candidates is enumerated; beyond, the textbook's proof bounds ε."""

PIVOT, DIRECTION, CHOICE = 8, 3, 2
"""Sixteenths of ε: one copy spends 8 on a location as a pivot, the other 3 + 3 + 2 on it between pivots."""


@dataclass(frozen=True, eq=False)
class ATP(ListedPlaces):
    """Randomize a route twice, with pivots at odd and at even places, and report places between the two.

    In one copy every other location is a pivot, reported by the exponential mechanism among all places. For a
    location between two pivots, its sector of directions as seen from each reported pivot goes through k-RR;
    the exponential mechanism then chooses among the places in both reported sectors (if there are none, in
    the one with more places; failing that, among all). In the other copy the roles are swapped, and the place
    with the least sum of squared distances to the two reports is released (Zhang et al. 2023, without their
    anchors, which need a budget for the whole route).

    Sectors are fixed and seen from reports, so candidates depend on reports alone. A location spends ε/2 in
    each copy; between pivots, three quarters of that go to directions. The first or last location of a copy
    may have one pivot beside it, whose direction then gets the budget of both.

    Args:
        points: The public places (n × 2), 2 to 32,768.
        epsilon: The nominal budget of one location.
        sectors: The number of sectors of directions, 2 to 64.
        space: Where the places lie; by default the rectangle around them.

    >>> corners = [(0, 0), (1, 0), (0, 1), (1, 1)]
    >>> method = ATP(corners, epsilon=4.0)
    >>> method.perturb([(0, 0), (1, 0), (1, 1)]).shape, method.real_guarantee.kept
    ((3, 2), True)
    """

    sectors: int = 6
    title: ClassVar[str] = "ATP"

    def _prepare(self) -> None:
        object.__setattr__(self, "sectors", whole("sectors", self.sectors, 2, 64))

    # -- the parts, each with its share of ε ---------------------------------------------------------

    @cached_property
    def budgets(self) -> dict[str, float]:
        """The budgets of a pivot, one of two directions, a lone direction and the choice between pivots."""
        pivot, one, other, choice = fit_shares(self.epsilon, [PIVOT, DIRECTION, DIRECTION, CHOICE])
        lone = round_down(Fraction(one) + Fraction(other))
        half = min(pivot, self.epsilon / 2)  # halves of doubles are exact
        return {"pivot": half, "direction": min(one, other), "lone direction": lone, "choice": choice}

    @cached_property
    def responses(self) -> dict[int, Window]:
        """k-RR over sectors for a location beside one pivot, and beside two."""
        return {
            1: response_window(self.sectors, self.budgets["lone direction"]),
            2: response_window(self.sectors, self.budgets["direction"]),
        }

    @cached_property
    def directions(self) -> Sectors:
        """The sectors around every place."""
        return Sectors(self.places, self.sectors)

    def pivot_weights(self, rows: Cells) -> Weights:
        """Return the integers of pivots, for some true places."""
        rate = textbook_rate(self.budgets["pivot"], self.places.diameter)
        return choice_weights(self.places.distances(rows), rate)

    @cached_property
    def choice_rate(self) -> float:
        """How fast probabilities fall with the distance among the candidates."""
        return textbook_rate(self.budgets["choice"], self.places.diameter)

    def choice_among(self, truth: int, candidates: Cells) -> Weights:
        """Return the integers of the choice among candidates, for one true place."""
        points = self.places.points
        distances = self.places.space.distance(points[truth], points[candidates])
        weights: Weights = choice_weights(distances[None], self.choice_rate)[0]
        return weights

    # -- drawing -----------------------------------------------------------------------------------

    def _report_places(self, truth: Cells, starts: Cells, stream: Stream) -> Cells:
        copies = [self.draw_copy(truth, starts, first, stream) for first in (0, 1)]
        pairs = np.stack(copies, axis=1).tolist()
        return np.array([self._between(one, other) for one, other in pairs], dtype=np.int64)

    def draw_copy(self, truth: Cells, starts: Cells, first: int, stream: Stream) -> Cells:
        """Draw one copy of all routes, with pivots at every other place from the ``first`` one."""
        lengths = np.diff(starts)
        place, last = np.arange(truth.size) - np.repeat(starts[:-1], lengths), np.repeat(lengths, lengths) - 1
        pivots = (place % 2 == first) | (last == 0)  # a single location is a pivot in both copies
        reports = np.empty_like(truth)
        reports[pivots] = draw_places(self.pivot_weights, truth[pivots], stream.draw(int(pivots.sum())))
        targets = np.flatnonzero(~pivots)
        for row, words in zip(targets, stream.draw(3 * targets.size).reshape(-1, 3), strict=True):
            left, right = int(place[row] > 0), int(place[row] < last[row])
            beside = np.delete(reports[row - left : row + right + 1], left)
            reports[row] = self._draw_target(int(truth[row]), beside, words)
        return reports

    def _draw_target(self, truth: int, pivots: Cells, words: Words) -> int:
        """Draw a place for one location beside one or two reported pivots."""
        flags, window = [], self.responses[pivots.size]
        for pivot, word in zip(pivots, words[: pivots.size, None], strict=True):
            seen = self.directions.seen_from(int(pivot))
            flags.append(seen == respond(window, seen[[truth]], word)[0])
        candidates = np.flatnonzero(narrow_down(flags))
        return int(candidates[draw_from(self.choice_among(truth, candidates), words[2:])[0]])

    def _between(self, one: int, other: int) -> int:
        """Return the place with the least sum of squared distances to two others."""
        if one == other:
            return one
        squares = self.places.distances(np.array([one, other])) ** 2
        return int(squares.sum(axis=0).argmin())

    # -- the real guarantee ------------------------------------------------------------------------

    @cached_property
    def real_guarantee(self) -> RealGuarantee:
        pivot = Fraction(real_epsilon(self.pivot_weights(rows) for rows in self.places.blocks()))
        lone = Fraction(self.responses[1].prove(self.budgets["lone direction"]))
        both = 2 * Fraction(self.responses[2].prove(self.budgets["direction"]))
        between = max(lone, both) + Fraction(self._choice_spent())
        why = "a pivot, two directions and a choice add up, and the textbook's calibration spares a part of ε"
        return RealGuarantee(self.epsilon, round_up(pivot + max(pivot, between)), why, exact=False)

    def _choice_spent(self) -> float:
        """Return the ε of the worst set of candidates."""
        if len(self.places) > EXACT_PLACES:
            return choice_bound(self.budgets["choice"], len(self.places))
        distances = self.places.distances(np.arange(len(self.places)))
        return worst_choice(distances, self.choice_rate, self.directions.candidate_sets())
