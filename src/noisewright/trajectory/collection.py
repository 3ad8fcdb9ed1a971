"""A collection of private routes: the reports, and everything an analyst must know about their making."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from noisewright import __version__
from noisewright.errors import BadTable, MissingExtra, NoisewrightError
from noisewright.randomness import SIMULATED, SecureSource, Source, label
from noisewright.trajectory.files import RouteFile, read_routes
from noisewright.trajectory.mechanisms import LocationMechanism, perturb_within
from noisewright.trajectory.routes import Budget, Routes
from noisewright.trajectory.routes.table import digest_of
from noisewright.trajectory.spaces import Flags

FORMAT: Final = 1
MOST_WORDS: Final = 500
PRIVATE: Final = label(SecureSource())


@dataclass(frozen=True, eq=False)
class Collection:
    """Private routes, the mechanism and the budget behind them, and where the randomness came from.

    Attributes:
        routes: The reports, and points interpolated between them.
        mechanism: The mechanism that drew them.
        budget: The budget behind them.
        reported: Which points are reports and not interpolated.
        randomness: Where the randomness came from, in words.
        processed: What was done to the reports afterwards, in words; nothing by default. A collection whose
            reports were changed is no longer evidence for estimates.
    """

    routes: Routes
    mechanism: LocationMechanism
    budget: Budget
    reported: Flags
    randomness: str
    processed: str | None = None

    @classmethod
    def draw(
        cls, mechanism: LocationMechanism, budget: Budget, routes: Routes, source: Source | None = None
    ) -> Collection:
        """Randomize true routes within a budget.

        Args:
            mechanism: The mechanism for one location.
            budget: The budget; it must pay for the mechanism.
            routes: The true routes.
            source: The randomness; default: a fresh secure stream. Seeded streams are for tests.

        >>> from noisewright.trajectory import Rectangle, TraCSC
        >>> mechanism = TraCSC(Rectangle(0, 0, 1, 1), epsilon=2.0)
        >>> drawn = Collection.draw(mechanism, Budget(2.0), Routes.of([[(0.1, 0.2), (0.2, 0.2)]]))
        >>> drawn.private, drawn.reported.tolist()
        (True, [True, True])
        """
        source = source or SecureSource()
        reports, reported = perturb_within(budget, mechanism, routes, source)
        return cls(reports, mechanism, budget, reported, label(source))

    @property
    def private(self) -> bool:
        """Whether the guarantee holds: the randomness cannot be predicted."""
        return self.randomness == PRIVATE

    @property
    def guarantee(self) -> str:
        """What the collection promises, in words; it promises nothing if the randomness was simulated."""
        return self.budget.sentence(self.routes.lengths) if self.private else SIMULATED

    def to_dict(self) -> dict[str, Any]:
        """Describe the collection in plain JSON values, without its points."""
        about = {
            "format": FORMAT,
            "package": f"noisewright {__version__}",
            "kind": "routes",
            "randomness": self.randomness,
            "mechanism": self.mechanism.to_dict(),
            "budget": vars(self.budget),
            "guarantee": self.guarantee,
            "processed": self.processed,
        }
        return {**about, "fingerprint": fingerprint(self.routes, about)}

    @classmethod
    def of_file(cls, file: RouteFile) -> Collection:
        """Return the collection that a file holds, its mechanism rebuilt and proved again; or refuse it.

        Args:
            file: The file, as :func:`read_routes` returns it.
        """
        about = file.about
        if about is None:
            raise BadTable(
                "the file does not say how its points were made, so they are not taken for reports; a .csv "
                "or .gpx of reports has a .json beside it that says so"
            )
        if about.get("kind") != "routes" or about.get("format") != FORMAT:
            raise BadTable("this version cannot read the file's description as one of private routes")
        try:
            return cls._rebuild(file, about)
        except (NoisewrightError, TypeError, KeyError, AttributeError, IndexError, ValueError) as broken:
            if isinstance(broken, BadTable | MissingExtra):
                raise
            raise BadTable(f"the file's description of its mechanism is broken: {broken}") from broken

    @classmethod
    def _rebuild(cls, file: RouteFile, about: Mapping[str, Any]) -> Collection:
        if about["fingerprint"] != fingerprint(file.routes, about):
            raise BadTable("the file's points are not those that its description was written for")
        mechanism = LocationMechanism.from_dict(about["mechanism"])
        budget = Budget(**about["budget"])
        if mechanism.epsilon > budget.of_location:
            raise BadTable("the mechanism that the file describes spends more than its budget")
        if about["randomness"] not in (PRIVATE, SIMULATED):
            raise BadTable("the file does not say where its randomness came from")
        mechanism.space.admit(file.routes.points, place=file.routes.place)
        marks = np.ones(len(file.routes.points), dtype=np.bool_) if file.reported is None else file.reported
        most = np.add.reduceat(marks.astype(np.int64), file.routes.starts[:-1]).max()
        if budget.reports is not None and most > budget.reports:
            raise BadTable("a route of the file has more reports than the budget that it describes")
        processed = about.get("processed")
        if processed is not None and (not isinstance(processed, str) or len(processed) > MOST_WORDS):
            raise BadTable("the file does not say in words what was done to its reports")
        return cls(file.routes, mechanism, budget, marks, about["randomness"], processed)


def read_collection(path: str | os.PathLike[str]) -> tuple[RouteFile, Collection]:
    """Read the private routes of a file, with its description of how they were made.

    Args:
        path: The file: .csv, .parquet, .geojson or .gpx.
    """
    file = read_routes(path)
    try:
        return file, Collection.of_file(file)
    except NoisewrightError as refusal:
        raise BadTable(f"cannot use {path}: {refusal}") from None


def read_evidence(path: str | os.PathLike[str]) -> tuple[RouteFile, Collection]:
    """Read the reports of a file as they were drawn; refuse those that were changed since.

    Args:
        path: The file: .csv, .parquet, .geojson or .gpx.
    """
    file, collection = read_collection(path)
    if collection.processed is not None:
        raise BadTable(
            f"{path} no longer holds the reports as they were drawn, but {collection.processed}; "
            "use the file that routes perturb wrote before that"
        )
    return file, collection


def fingerprint(routes: Routes, about: Mapping[str, Any]) -> str:
    """Return a digest that ties a description to the points that it was written for."""
    return digest_of(about, routes.points.astype("<f8"), routes.starts.astype("<i8"))
