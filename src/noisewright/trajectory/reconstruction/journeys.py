"""The reports of a table of routes, cut into units of inference: stays, journeys and parties.

A *stay* is a run of a route's points that are so close in time that nobody can leave a cell between them. At
one point a second a car moves a few metres, and a cell is hundreds of metres wide. All reports of such a run
are evidence for one place, and together they say far more than each alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from noisewright.domains import Cells, Floats
from noisewright.trajectory.routes import Routes


@dataclass(frozen=True, eq=False)
class Stays:
    """A route cut into stays: the first row of each, counted from the route's first, and its middle time."""

    starts: Cells
    middles: Floats

    def __len__(self) -> int:
        return self.starts.size


def single_stays(count: int) -> Stays:
    """Make every point a stay of its own, which is all one can do without times."""
    return Stays(np.arange(count), np.arange(count, dtype=np.float64))


def stays_of(times: Floats, longest: float) -> Stays:
    """Cut a route into stays that last at most ``longest`` seconds; equal times are one stay.

    >>> stays_of(np.array([0.0, 1.0, 2.0, 3.0, 60.0]), longest=1.5).starts.tolist()
    [0, 2, 4]
    """
    starts = [0]
    while True:
        ahead = int(np.searchsorted(times, times[starts[-1]] + longest, side="right"))
        if ahead >= times.size:
            break
        starts.append(ahead)
    ends = np.array([*starts[1:], times.size]) - 1
    first = np.array(starts)
    return Stays(first, np.asarray((times[first] + times[ends]) / 2))


@dataclass(frozen=True, eq=False)
class Journey:
    """The reports of one route, or of a piece of a very long one, and the stays they belong to."""

    route: int
    rows: Cells
    stays: Stays

    def stay_of_rows(self) -> Cells:
        """Return the number of the stay that each row belongs to."""
        sizes = np.diff(np.append(self.stays.starts, self.rows.size))
        return np.repeat(np.arange(len(self.stays)), sizes)

    def first_rows(self, most: int) -> Journey:
        """Return the same journey with no more than its ``most`` first rows."""
        starts = self.stays.starts[self.stays.starts < most]
        return Journey(self.route, self.rows[:most], Stays(starts, self.stays.middles[: starts.size]))


@dataclass(frozen=True, eq=False)
class Party:
    """Journeys that are inferred together: all of one person, or of many people who made one stay each.

    Only in a party of one person (``alone``) do stays inform each other's places.
    """

    journeys: list[Journey]
    alone: bool

    @property
    def stays(self) -> int:
        """The number of stays of the journeys."""
        return sum(len(journey.stays) for journey in self.journeys)

    def evidence_rows(self) -> tuple[Cells, Cells]:
        """Return all rows of the journeys, and where the rows of each stay begin among them."""
        offsets = np.cumsum([0, *(journey.rows.size for journey in self.journeys[:-1])])
        starts = [journey.stays.starts + at for journey, at in zip(self.journeys, offsets, strict=True)]
        return np.concatenate([journey.rows for journey in self.journeys]), np.concatenate(starts)

    def sample_rows(self, most: int) -> tuple[Cells, Cells]:
        """Return :meth:`evidence_rows` of ``most`` stays, evenly selected."""
        rows, starts = self.evidence_rows()
        ends = np.append(starts[1:], rows.size)
        chosen = np.arange(0, starts.size, -(-starts.size // most))
        kept = np.concatenate([rows[starts[stay] : ends[stay]] for stay in chosen])
        return kept, np.cumsum(np.append(0, (ends - starts)[chosen[:-1]]))

    def first_rows(self, most: int) -> Party:
        """Return the same party with no more than its ``most`` first rows."""
        found, room = list[Journey](), most
        for journey in self.journeys:
            if room:
                found.append(journey.first_rows(room))
                room -= found[-1].rows.size
        return Party(found, self.alone)

    def by_reports(self) -> Party:
        """Return the same party with every report a stay of its own."""
        single = [Journey(own.route, own.rows, single_stays(own.rows.size)) for own in self.journeys]
        return Party(single, self.alone)

    def pieces(self, most: int) -> Iterator[Party]:
        """Return the journeys a few at a time, with at most ``most`` stays where they allow it."""
        piece, count = list[Journey](), 0
        for journey in self.journeys:
            if piece and count + len(journey.stays) > most:
                yield Party(piece, self.alone)
                piece, count = [], 0
            piece.append(journey)
            count += len(journey.stays)
        yield Party(piece, self.alone)


def journeys_of(
    reports: Routes, reported: NDArray[np.bool_], longest: float | None, most_stays: int
) -> list[Journey]:
    """Cut routes into stays of at most ``longest`` seconds, and into journeys that fit in memory."""
    found: list[Journey] = []
    for route, (begin, end) in enumerate(zip(reports.starts[:-1], reports.starts[1:], strict=True)):
        rows = begin + np.flatnonzero(reported[begin:end])
        if rows.size:
            found += _shorter(Journey(route, rows, _cut(reports, rows, longest)), most_stays)
    return found


def parties_of(journeys: Sequence[Journey], people: Sequence[str]) -> list[Party]:
    """Group journeys by person; people with one stay, who have no places to return to, form one group."""
    by_person: dict[str, list[Journey]] = {}
    for journey in journeys:
        by_person.setdefault(people[journey.route], []).append(journey)
    parties = [Party(own, alone=True) for own in by_person.values()]
    once = [party.journeys[0] for party in parties if party.stays == 1]
    return [*(party for party in parties if party.stays > 1), *([Party(once, alone=False)] if once else [])]


def _cut(reports: Routes, rows: Cells, longest: float | None) -> Stays:
    if longest is None or reports.times is None:
        return single_stays(rows.size)
    return stays_of(reports.times[rows], longest)


def _shorter(journey: Journey, most_stays: int) -> Iterator[Journey]:
    """Split a journey of very many stays into several; the step from one to the next is left out."""
    stays, bounds = journey.stays, np.append(journey.stays.starts, journey.rows.size)
    for at in range(0, len(stays), most_stays):
        until = min(at + most_stays, len(stays))
        begin, end = bounds[at], bounds[until]
        piece = Stays(stays.starts[at:until] - begin, stays.middles[at:until])
        yield Journey(journey.route, journey.rows[begin:end], piece)
