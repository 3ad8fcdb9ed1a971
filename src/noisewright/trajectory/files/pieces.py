"""Routes as documents list them: one line, segment or point after another, each with its own name."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Hashable, Iterable, Sequence

import numpy as np

from noisewright.errors import BadTable
from noisewright.trajectory.files.degrees import checked
from noisewright.trajectory.files.route_names import LONGEST, distinct, is_name
from noisewright.trajectory.files.rows import Rows
from noisewright.trajectory.files.times import seconds_of
from noisewright.trajectory.spaces.base import Flags


class Series:
    """Values that some files give for their points: then for every point of every piece."""

    def __init__(self, what: str) -> None:
        self.what = what
        self.values: list[object] = []

    def extend(self, more: Sequence[object], before: int, count: int, place: str) -> None:
        """Append the values of a piece of ``count`` points that stands behind ``before`` others."""
        if more and len(more) != count:
            raise BadTable(f"{place} has {count} points but {len(more)} {self.what}; each point needs one")
        if before and bool(more) != bool(self.values):
            raise BadTable(f"some of its points have {self.what} and {place} differs; give all or none")
        self.values.extend(more)


class Pieces:
    """Collects the pieces of a GeoJSON or GPX document and hands them on as rows.

    >>> pieces = Pieces()
    >>> pieces.add("feature 1", [139.70, 35.68, 139.71, 35.69], name="monday")
    >>> pieces.rows().names, pieces.place(1)
    (['monday'], 'point 2 of feature 1')
    """

    def __init__(self) -> None:
        self._places: list[str] = []
        self._ends: list[int] = []
        self._routes: list[int] = []
        self._names: list[str] = []
        self._joined: dict[Hashable, int] = {}
        self._flat = array("d")
        self._times = Series("times")
        self._reported = Series("marks of what is reported")

    def add(
        self,
        place: str,
        flat: Iterable[float],
        *,
        name: str | None = None,
        times: Sequence[object] = (),
        reported: Sequence[object] = (),
        join: bool = False,
    ) -> None:
        """Append a piece: longitudes and latitudes in turn; ``join`` puts it to earlier ones of its name."""
        before = len(self._flat) // 2
        try:
            self._flat.extend(flat)
        except OverflowError:
            raise BadTable(f"{place} has a number that is too large for a coordinate") from None
        count = len(self._flat) // 2 - before
        if not count:
            raise BadTable(f"{place} has no points; leave empty routes out")
        self._places.append(place)
        self._ends.append(before + count)
        self._routes.append(self._route(place, name, join))
        self._times.extend(times, before, count, place)
        self._reported.extend(reported, before, count, place)

    def _route(self, place: str, name: str | None, join: bool) -> int:
        """The number of the route that a piece belongs to; routes without a name are counted."""
        if name is not None and not is_name(name):
            raise BadTable(f"the name of {place} must be text of 1 to {LONGEST} letters")
        if join and name in self._joined:
            return self._joined[name]
        self._names.append(name or str(len(self._names) + 1))
        if join:
            self._joined[name] = len(self._names) - 1
        return len(self._names) - 1

    @property
    def joined(self) -> set[int]:
        """The numbers of the routes that were put together from single points."""
        return set(self._joined.values())

    def rows(self) -> Rows:
        """All points with their routes, checked."""
        if not self._ends:
            raise BadTable("it has no routes: no lines, no tracks, no points")
        points = checked(np.array(self._flat).reshape(-1, 2), "lonlat", self.place)
        owner = np.repeat(self._routes, np.diff(self._ends, prepend=0))
        times = seconds_of(self._times.values, self.place) if self._times.values else None
        return Rows(points, owner, distinct(self._names), times, self._flags())

    def place(self, row: int) -> str:
        """A row in words: the number of its point and where its piece stands."""
        piece = bisect_right(self._ends, row)
        start = self._ends[piece - 1] if piece else 0
        alone = self._ends[piece] - start == 1
        return self._places[piece] if alone else f"point {row - start + 1} of {self._places[piece]}"

    def _flags(self) -> Flags | None:
        values = self._reported.values
        for row, value in enumerate(values):
            if not isinstance(value, bool):
                raise BadTable(f"reported of {self.place(row)} must be true or false")
        return np.array(values, dtype=np.bool_) if values else None
