"""The request to make a file of routes private, and the decisions that depend on public facts alone.

Refusals name fields in backticks; the command line turns them into its options.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike

from noisewright.domains import Floats
from noisewright.errors import InvalidParameter
from noisewright.trajectory.files import Coordinates
from noisewright.trajectory.files.route_file import read_points
from noisewright.trajectory.mechanisms import (
    LocationMechanism,
    OptimalPoints,
    TraCSD,
    choose_tracs,
    reports_worth_making,
    with_best_reference,
)
from noisewright.trajectory.mechanisms.cells import MOST as MOST_CELLS
from noisewright.trajectory.mechanisms.choice import PURPOSES
from noisewright.trajectory.mechanisms.coordinate import Pair
from noisewright.trajectory.routes import Budget
from noisewright.trajectory.routes.grids import check_cells
from noisewright.trajectory.spaces import Space, distance_words

AUTO: Final = "auto"
METHODS: Final = (AUTO, "c", "d", "optimal")
KEEP, NUMBER = "keep", "number"

ONE_REPORT: Final = (
    "One point of each route is reported, with the whole budget: several points would each have a part of it "
    "and be counted less precisely. --reports 2 reports the first and the last, for origins and destinations."
)

Points = ArrayLike | str | os.PathLike[str]
"""Public points, or the name of a file that holds them."""


@dataclass(frozen=True, eq=False)
class PerturbRequest:
    """A request to make a file of routes private, checked before any data is read.

    Args:
        epsilon: The budget of a location or of a route.
        per: What the budget protects: each "location" (the default), or the whole "route".
        reports: The most points of a route that are reported; the others are filled in. By default all are,
            or, with a budget for the route, as many as are worth it ("auto").
        step: How far people usually move between two points, for "auto"; in units of the space.
        purpose: What the reports are for: "reconstruction" (the default), "counts" or "single".
        grid: Columns and rows of the cells that will be counted, for the purpose "counts": each location's
            cell is then reported through a frequency oracle. By default locations are reported.
        method: "auto" (the default), "C" or "D" for TraCS, or "optimal" for the best law for a few points.
        split: The share of the budget for the first coordinate; the best one by default.
        channel: The mechanism of each coordinate; OGPM by default.
        reference: What directions of TraCS-D are taken from: "previous", "centre" or a public point; by
            default the one that errs least.
        points: Public points where locations are expected, or a file of them.
        round_to: Columns and rows of cells, or public points, to move reports to; default: none.
        names: Whether routes "keep" their names (the default) or get a "number".
    """

    epsilon: float
    per: str = "location"
    reports: int | str | None = None
    step: float | None = None
    purpose: str | None = None
    grid: tuple[int, int] | None = None
    method: str = AUTO
    split: str | float = "best"
    channel: str | Pair = "OGPM"
    reference: str | tuple[float, float] | None = None
    points: Points | None = None
    round_to: tuple[int, int] | Points | None = None
    names: str = KEEP

    def __post_init__(self) -> None:
        self._check_budget()
        self._check_mechanism()
        self._check_cells()
        if self.names not in (KEEP, NUMBER):
            raise InvalidParameter(f"`names` must be keep or number, got {self.names!r}")

    def _check_budget(self) -> None:
        if self.per not in ("location", "route"):
            raise InvalidParameter(f"`per` must be location or route, got {self.per!r}")
        if self.automatic and self.per == "location" and self.reports is not None:
            raise InvalidParameter(
                "`reports` auto shares out the budget of a route; give `per` route with it"
            )
        if self.step is not None and not self.automatic:
            raise InvalidParameter(
                "`step` determines how many reports are worth making; use it with `reports` auto"
            )
        if self.step is not None and self.per == "location":
            raise InvalidParameter(
                "`step` is for `per` route, where it determines how many reports are worth making"
            )
        Budget(self.epsilon, self.per, 1 if self.automatic else self._number)

    def _check_mechanism(self) -> None:
        if self.purpose is not None and self.purpose not in PURPOSES:
            raise InvalidParameter(f"`purpose` must be one of {', '.join(PURPOSES)}, got {self.purpose!r}")
        if self.purpose in ("counts", "reconstruction") and self.kind in ("d", "optimal"):
            raise InvalidParameter(
                f"`purpose` {self.purpose} needs reports that show where many people are; leave `method` "
                "out, or give C"
            )
        if self.kind not in METHODS:
            raise InvalidParameter(f"`method` must be auto, C, D or optimal, got {self.method!r}")
        if self.reference is not None and self.kind != "d":
            raise InvalidParameter("`reference` is for TraCS-D; give `method` D with it")
        if self.kind == "optimal" and self.points is None:
            raise InvalidParameter(
                "`method` optimal reports one of a few public points; name them by `points`"
            )
        if self.kind == "optimal" and (self.split, self.channel) != ("best", "OGPM"):
            raise InvalidParameter("`split` and `channel` are for TraCS; `method` optimal has neither")

    def _check_cells(self) -> None:
        if self.grid is None:
            return
        if self.purpose != "counts":
            raise InvalidParameter(
                "`grid` names the cells that will be counted; give `purpose` counts with it"
            )
        if check_cells("grid", self.grid, MOST_CELLS) == (1, 1):
            raise InvalidParameter("needs two cells or more, for example 8 x 8", field="grid")
        of_locations = {
            "method": self.method != AUTO, "split": self.split != "best", "channel": self.channel != "OGPM",
            "reference": self.reference is not None, "points": self.points is not None,
            "round_to": self.round_to is not None, "step": self.step is not None,
        }  # fmt: skip
        for name, given in of_locations.items():
            if given:
                raise InvalidParameter(f"`{name}` is for reports that are locations; leave it out, or `grid`")

    @property
    def automatic(self) -> bool:
        """Whether the number of reports is left open."""
        return self.reports is None or (isinstance(self.reports, str) and self.reports == AUTO)

    @property
    def kind(self) -> str:
        """The method in small letters; TraCS-C is c."""
        return self.method.casefold().removeprefix("tracs").strip("-_ ")

    @property
    def _number(self) -> int:
        if not isinstance(self.reports, int):
            raise InvalidParameter(f"`reports` wants auto or a whole number, got {self.reports!r}")
        return self.reports

    # -- decisions ---------------------------------------------------------------------------------

    def budget(self, space: Space, longest: int) -> tuple[Budget, str | None]:
        """Return the budget for routes of at most ``longest`` points, and a sentence on what was decided.

        Args:
            space: Where locations lie.
            longest: The number of points of the longest route.
        """
        if self.per == "location" or not self.automatic:
            return Budget(self.epsilon, self.per, None if self.automatic else self._number), None
        if self.grid is not None:
            return Budget(self.epsilon, self.per, 1), ONE_REPORT
        many = reports_worth_making(space, self.epsilon, longest, self.step)
        why = (
            f"At most {many} of the {longest} points of the longest route are reported, the rest filled in "
            "between: more reports would each have too little of the route's budget."
        )
        return Budget(self.epsilon, self.per, many), why if many < longest else None

    def mechanism(
        self, space: Space, epsilon: float, coordinates: Coordinates = "lonlat"
    ) -> tuple[LocationMechanism, str]:
        """Return the mechanism for one location, and the reason for it.

        Args:
            space: Where locations lie.
            epsilon: The budget of one location.
            coordinates: What the coordinates of a file of points must be.
        """
        points = None if self.points is None else public_points(self.points, coordinates)
        if self.kind == "optimal":
            assert points is not None
            return _optimal(space, epsilon, points)
        options: dict[str, Any] = {"split": self.split, "channel": self.channel}
        if self.kind == "d" and (self.reference is not None or points is not None):
            return self._from_reference(space, epsilon, points, options)
        # a method that was asked for by name needs no other reason
        purpose = "single" if self.kind != AUTO else self.purpose or "reconstruction"
        choice = choose_tracs(space, epsilon, self.kind, points=points, purpose=purpose, **options)
        return choice.mechanism, choice.reason

    def _from_reference(
        self, space: Space, epsilon: float, points: Floats | None, options: dict[str, Any]
    ) -> tuple[LocationMechanism, str]:
        if self.reference is None:
            assert points is not None
            mechanism = with_best_reference(space, epsilon, points, **options)
            why = f"its reference, {_reference_words(mechanism.reference)}, errs least on the public points"
        else:
            mechanism = TraCSD(space, epsilon, reference=self.reference, **options)
            why = f"its reference is {_reference_words(mechanism.reference)}, as asked"
        where = "anywhere in the space" if points is None else "at one of the public points"
        error = distance_words(mechanism.expected_error(points), space.units)
        return mechanism, f"Expected error of a location {where}: {error}; {why}."


def _optimal(space: Space, epsilon: float, points: Floats) -> tuple[LocationMechanism, str]:
    mechanism = OptimalPoints(space, epsilon, points=tuple((float(x), float(y)) for x, y in points))
    error = distance_words(mechanism.expected_error(points), space.units)
    return mechanism, (
        f"Expected error of a location at one of the {len(points)} public points: {error}, the least of "
        "all laws that report one of them."
    )


def _reference_words(reference: str | tuple[float, float]) -> str:
    if isinstance(reference, str):
        return {"previous": "the report before", "centre": "the centre of the space"}[reference]
    return f"the point {reference[0]:g}, {reference[1]:g}"


def public_points(points: Points, coordinates: Coordinates) -> Floats:
    """Return public points as an array, each once; a file of them is read."""
    if isinstance(points, str | os.PathLike):
        return read_points(points, coordinates)
    return np.unique(np.asarray(points, dtype=np.float64), axis=0)
