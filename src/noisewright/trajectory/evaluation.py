"""Compare files of private routes with the true ones, side by side. The numbers are not private."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from noisewright.domains import Floats
from noisewright.errors import BadTable
from noisewright.progress import Status
from noisewright.report import Report, Reportable
from noisewright.text import percent, short
from noisewright.trajectory.collection import Collection
from noisewright.trajectory.estimates import PROCESSED
from noisewright.trajectory.files import RouteFile
from noisewright.trajectory.metrics import Evaluation, evaluate, range_query_preservation
from noisewright.trajectory.routes import Routes
from noisewright.trajectory.spaces import Space, distance_words

SHARES = (0.01, 0.02, 0.05, 0.1)
"""Radii of range queries, as shares of the width of the space, unless others are given."""

WARNING = (
    "These numbers were computed from the true routes, so they are NOT private: keep them like the data."
)

Row = tuple[str, list[str], list[float]]
"""A metric: its name, its values in words, and its values as numbers of which less is better."""


@dataclass(frozen=True, eq=False)
class Entry:
    """A file to be measured.

    Attributes:
        path: Its name.
        collection: What it holds.
    """

    path: Path
    collection: Collection

    @property
    def kind(self) -> str:
        """What its points are, in a word."""
        if self.collection.processed is None:
            return "reports"
        return "estimates" if self.collection.processed == PROCESSED else "rounded"

    @property
    def title(self) -> str:
        """Its name and what its points are, for the head of a table."""
        return self.kind if self.path.name == self.kind else f"{self.path.name} ({self.kind})"


@dataclass(frozen=True, eq=False)
class Judged:
    """A file with its measurements.

    Attributes:
        entry: The file.
        evaluation: All metrics.
        errors: The distance of every point from the truth.
        within: The share of points within each radius.
    """

    entry: Entry
    evaluation: Evaluation
    errors: Floats
    within: tuple[float, ...]


@dataclass(frozen=True, eq=False)
class RouteEvaluation(Reportable):
    """All files against the same true routes. It is not private.

    Attributes:
        name: What the true routes are called.
        true: The true routes.
        space: The space of all files.
        radii: The radii of range queries.
        files: The files with their measurements.
    """

    name: str
    true: Routes
    space: Space
    radii: tuple[float, ...]
    files: tuple[Judged, ...]

    @property
    def titles(self) -> list[str]:
        """A short name for each file."""
        return [judged.entry.path.name for judged in self.files]

    def rows(self) -> list[Row]:
        """Return the metrics of all files, in the order of a table."""
        found = [
            self._distances("mean error, each route alike", lambda e: e.average_error),
            self._distances("mean error, each point alike", lambda e: e.pooled_error),
            self._distances("median error", lambda e: e.quantiles[0.5]),
            self._distances("95 % of points within", lambda e: e.quantiles[0.95]),
        ]
        found += [self._within(place, radius) for place, radius in enumerate(self.radii)]
        lost = [judged.evaluation.hotspot_difference for judged in self.files]
        return [
            *found,
            ("visits to hotspots lost, a route", [short(number, 3) for number in lost], lost),
            self._distances("time warping, a step", lambda e: middle(e.per_step)),
            self._distances("Fréchet distance", lambda e: middle(e.frechet)),
        ]

    def _distances(self, name: str, of: Callable[[Evaluation], float]) -> Row:
        numbers = [of(judged.evaluation) for judged in self.files]
        words = ["–" if np.isnan(one) else distance_words(one, self.space.units) for one in numbers]
        return name, words, numbers

    def _within(self, place: int, radius: float) -> Row:
        shares = [judged.within[place] for judged in self.files]
        name = f"points within {distance_words(radius, self.space.units)} of the truth"
        return name, [percent(share) for share in shares], [-share for share in shares]

    def to_dict(self) -> dict[str, Any]:
        """Return the evaluation in strict JSON values."""
        files = [
            {
                "file": str(judged.entry.path),
                "kind": judged.entry.kind,
                "epsilon": judged.entry.collection.mechanism.epsilon,
                "range_queries": [
                    {"radius": radius, "preserved": share}
                    for radius, share in zip(self.radii, judged.within, strict=True)
                ],
                **judged.evaluation.to_dict(),
            }
            for judged in self.files
        ]
        return {"private": False, "warning": WARNING, "space": self.space.to_dict(), "files": files}

    def report(self) -> Report:
        """Describe the evaluation as a document, which is not private."""
        from noisewright.trajectory.report import evaluation_report  # noqa: PLC0415  (it needs this module)

        return evaluation_report(self)


def middle(values: Floats) -> float:
    """Return the mean over the routes that have a value."""
    known = values[np.isfinite(values)]
    return float(known.mean()) if known.size else float("nan")


def evaluate_all(
    name: str,
    true: Routes,
    entries: Sequence[Entry],
    radii: Sequence[float] = (),
    status: Status = lambda _: None,
) -> RouteEvaluation:
    """Measure every file against the true routes.

    Args:
        name: What the true routes are called.
        true: The true routes.
        entries: The files, all of one space and of the same routes.
        radii: Radii of range queries; by default 1, 2, 5 and 10 % of the width of the space.
        status: Called with the file that is being measured.
    """
    space = entries[0].collection.mechanism.space
    for entry in entries:
        if entry.collection.mechanism.space != space:
            raise BadTable(f"{entry.path} and {entries[0].path} are of different spaces; evaluate them apart")
    space.admit(true.points, place=true.place)
    reach = tuple(radii) or tuple(share * space.diameter for share in SHARES)
    judged = []
    for entry in entries:
        status(f"· {entry.path.name}")
        private = entry.collection.routes
        within = tuple(range_query_preservation(space, true, private, radius) for radius in reach)
        errors = space.distance(true.points, private.points)
        judged.append(Judged(entry, evaluate(space, true, private), errors, within))
    return RouteEvaluation(name, true, space, reach, tuple(judged))


def check_alike(trips: Path, true: RouteFile, path: Path, other: RouteFile) -> None:
    """Refuse files that do not hold the same routes: distances between them would mean nothing."""
    if true.coordinates != other.coordinates:
        raise BadTable(f"{trips} and {path} do not hold the same kind of coordinates")
    numbered = tuple(str(number) for number in range(1, len(true.routes) + 1))  # in the order of the file
    if other.routes.names not in (true.routes.names, numbered):
        raise BadTable(f"{trips} and {path} do not hold the same routes: their names differ")
    if true.routes.lengths.tolist() != other.routes.lengths.tolist():
        raise BadTable(f"{trips} and {path} do not hold the same routes: numbers of points differ")
