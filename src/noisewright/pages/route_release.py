"""Private routes that were just written: what a reader and a machine are told of them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from noisewright.errors import InvalidParameter
from noisewright.pages.route_words import space_words
from noisewright.trajectory.aggregates.charts import chart_of
from noisewright.trajectory.cells import CellReports
from noisewright.trajectory.collection import Collection
from noisewright.trajectory.coordinate import CoordinateMechanism
from noisewright.trajectory.tracs_d import TraCSD
from noisewright.trajectory.words import epsilon_words


@dataclass(frozen=True, eq=False)
class Release:
    """A file of private routes, why its mechanism was taken, and whether its routes kept their names."""

    path: Path
    collection: Collection
    coordinates: str
    reasons: tuple[str, ...]
    named: bool

    @property
    def counts(self) -> str:
        """How many routes and points there are."""
        routes, points = len(self.collection.routes), len(self.collection.routes.points)
        reports = int(self.collection.reported.sum())
        said = f"{routes:,} {'route' if routes == 1 else 'routes'} of {points:,} points"
        return said if reports == points else f"{said} ({reports:,} reports, the rest filled in)"

    @property
    def space(self) -> str:
        """Where locations lie, and in which units errors are told."""
        area = self.collection.mechanism.space
        plain = self.coordinates == "lonlat" and area.units != "metres"
        return space_words(area) + (" (degrees are taken as units of a plane)" if plain else "")

    @property
    def unprotected(self) -> str:
        """What the reports do not hide."""
        return unprotected_words(self.collection.routes.times is not None, self.named)

    @property
    def afterwards(self) -> list[str]:
        """What cannot be done with the file, said before anybody needs it."""
        mechanism = self.collection.mechanism
        if self.collection.processed is not None:
            return ["rounded reports can be neither reconstructed nor counted; leave --round-to out for that"]
        if not isinstance(mechanism, CoordinateMechanism):
            return ["reports of --method optimal can be neither reconstructed nor counted; --method C can"]
        try:
            chart_of(mechanism)
        except InvalidParameter:
            way = (
                "--space, with --projection degrees if it is wide"
                if self.coordinates == "lonlat"
                else "--space"
            )
            return [f"the reports can be reconstructed but not counted; for counts use {way}"]
        follows = isinstance(mechanism, TraCSD)
        return ["to reconstruct routes or count people, --method C tells more"] if follows else []

    def lines(self) -> list[str]:
        """The release in the terminal."""
        mechanism, made = self.collection.mechanism, []
        if self.collection.processed is not None:
            made = [f"  then: {self.collection.processed}, which costs no privacy"]
        return [
            f"{self.counts} in {self.path}",
            f"  space: {self.space}",
            f"  mechanism: {mechanism.title}, epsilon {epsilon_words(mechanism.epsilon)} a report",
            *(f"  why: {reason}" for reason in self.reasons),
            *made,
            *(f"  afterwards: {hint}" for hint in self.afterwards),
            f"  guarantee: {self.collection.guarantee}",
            f"  NOT protected: {self.unprotected}",
        ]

    @property
    def warnings(self) -> list[str]:
        """What the promise does not hold."""
        return list(filter(None, [self.collection.budget.warning(self.collection.routes.lengths)]))

    def to_dict(self) -> dict[str, Any]:
        """The release in strict JSON values."""
        routes = self.collection.routes
        return {
            "output": str(self.path),
            "routes": len(routes),
            "points": len(routes.points),
            "reports": int(self.collection.reported.sum()),
            "private": self.collection.private,
            "reasons": list(self.reasons),
            "not_protected": self.unprotected,
            "warnings": self.warnings,
            **self.collection.to_dict(),
        }


@dataclass(frozen=True, eq=False)
class CellRelease:
    """A file of reports of cells, why its oracle was taken, and whether its routes kept their names."""

    path: Path
    collection: CellReports
    reasons: tuple[str, ...]
    named: bool

    @property
    def counts(self) -> str:
        """How many routes and reports there are."""
        routes, reports = len(self.collection), int(self.collection.starts[-1])
        return f"{reports:,} reports of cells, of {routes:,} {'route' if routes == 1 else 'routes'}"

    @property
    def unprotected(self) -> str:
        """What the reports do not hide."""
        return unprotected_words(self.collection.times is not None, self.named)

    @property
    def mechanism(self) -> str:
        """The grid and the oracle in words."""
        counting = self.collection.mechanism
        columns, rows = counting.cells
        return f"the cell among {columns} × {rows}, through {counting.oracle.title}"

    @property
    def warnings(self) -> list[str]:
        """What the promise does not hold."""
        return list(filter(None, [self.collection.budget.warning(self.collection.lengths)]))

    def lines(self) -> list[str]:
        """The release in the terminal."""
        counting = self.collection.mechanism
        return [
            f"{self.counts} in {self.path}",
            f"  space: {space_words(counting.space, remark=False)}",
            f"  mechanism: {self.mechanism}, epsilon {epsilon_words(counting.epsilon)} a report",
            *(f"  why: {reason}" for reason in self.reasons),
            "  afterwards: noisewright routes count; the reports can be counted but not reconstructed",
            f"  guarantee: {self.collection.guarantee}",
            f"  NOT protected: {self.unprotected}",
        ]

    def to_dict(self) -> dict[str, Any]:
        """The release in strict JSON values."""
        return {
            "output": str(self.path),
            "routes": len(self.collection),
            "reports": int(self.collection.starts[-1]),
            "private": self.collection.private,
            "reasons": list(self.reasons),
            "not_protected": self.unprotected,
            "warnings": self.warnings,
            **self.collection.to_dict(),
        }


def unprotected_words(timed: bool, named: bool) -> str:
    """What the reports of routes do not hide."""
    times = "when each point was recorded, " if timed else ""
    names = "the names of the routes (--names number leaves them out), " if named else ""
    return f"{times}{names}how many points each route has, and that the routes are there"
