"""Compare methods for routes: the ε that each promises, the ε it really spends, and its error."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from noisewright.domains import Floats
from noisewright.errors import InvalidParameter
from noisewright.progress import Status
from noisewright.published.routes.atp import ATP
from noisewright.published.routes.base import Baseline, RealGuarantee
from noisewright.published.routes.lsrr import LSRR
from noisewright.published.routes.ngram import LOCATION, REPORT, NGram, NGramPairs
from noisewright.published.routes.places import Places
from noisewright.published.routes.planar_laplace import PlanarLaplace
from noisewright.published.routes.strawman import Strawman
from noisewright.randomness import Source
from noisewright.report import Bullets, Caution, Figure, Report, Reportable, Section, Table, number
from noisewright.report.plots import PAGE_WIDTH, new_figure
from noisewright.report.svg import PALETTE, drawing_style
from noisewright.text import epsilon_words
from noisewright.trajectory import LocationMechanism, OptimalPoints, choose_tracs
from noisewright.trajectory.report import space_words
from noisewright.trajectory.routes import Routes
from noisewright.trajectory.spaces import Space, distance_words

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Drawing

IN_SPACE: dict[str, Callable[[Space, float], Baseline]] = {
    "strawman": Strawman,
    "planar-laplace": PlanarLaplace,
}
AMONG_PLACES: dict[str, Callable[..., Baseline]] = {
    "ngram": partial(NGram, around=REPORT),
    "ngram-as-evaluated": partial(NGram, around=LOCATION),
    "ngram-pairs": NGramPairs,
    "l-srr": LSRR,
    "l-srr-calibrated": partial(LSRR, calibrated=True),
    "atp": ATP,
}
NAMES = (*IN_SPACE, *AMONG_PLACES)
USUAL = tuple(name for name in NAMES if name != "ngram-pairs")
"""Methods that can handle thousands of places; pairs can handle dozens."""


@dataclass(frozen=True)
class BaselineRow:
    """One method on given routes.

    Attributes:
        name: The name of the method.
        guarantee: Its two ε of one location.
        mean_error: The mean distance between report and truth.
        units: The unit of distances.
    """

    name: str
    guarantee: RealGuarantee
    mean_error: float
    units: str


def build_baseline(name: str, points: ArrayLike | Places, space: Space, epsilon: float) -> Baseline:
    """Build a baseline by its name, in a space and, if it needs them, among public places.

    Args:
        name: Its name, one of ``NAMES``.
        points: The public places, for methods that need them.
        space: Where locations lie.
        epsilon: The nominal budget of one location.

    >>> from noisewright.trajectory import Rectangle
    >>> build_baseline("atp", [(0, 0), (1, 1)], Rectangle(0, 0, 1, 1), 2.0)
    ATP(epsilon=2.0, space=Rectangle(left=0.0, bottom=0.0, right=1.0, top=1.0), sectors=6)
    """
    if name in IN_SPACE:
        return IN_SPACE[name](space, epsilon)
    if name not in AMONG_PLACES:
        raise InvalidParameter(f"{name!r} is unknown; known: {', '.join(NAMES)}", field="baseline")
    return AMONG_PLACES[name](points, epsilon, space=space)


def baseline_rows(
    routes: Routes,
    points: ArrayLike | Places,
    space: Space,
    epsilon: float,
    source: Source | None = None,
    names: Sequence[str] | None = None,
) -> list[BaselineRow]:
    """Run baselines on routes, each once, among public places.

    Args:
        routes: The true routes.
        points: The public places, for methods that need them.
        space: Where locations lie.
        epsilon: The nominal budget of one location.
        source: The randomness; by default a fresh secure stream. A seeded one is for tests and simulations.
        names: The baselines to run; by default all that can handle thousands of places.

    >>> from noisewright.trajectory import Rectangle, Routes
    >>> places, square = [(0.2, 0.2), (0.8, 0.2), (0.5, 0.9)], Rectangle(0, 0, 1, 1)
    >>> rows = baseline_rows(Routes.of([[(0.2, 0.2), (0.5, 0.9)]]), places, square, 2.0, names=["l-srr"])
    >>> rows[0].name, rows[0].guarantee.nominal, rows[0].units
    ('l-srr', 2.0, 'units')
    """
    chosen = USUAL if names is None else names
    places = Places.of(points, space)
    rows = []
    for name in chosen:
        method = build_baseline(name, places, space, epsilon)
        error = mean_error(space, routes, method.perturb_routes(routes, source))
        rows.append(BaselineRow(name, method.real_guarantee, error, space.units))
    return rows


def mean_error(space: Space, true: Routes, reports: Routes) -> float:
    """Return the mean distance between report and truth, in the units of the space."""
    return float(space.distance(true.points, reports.points).mean())


# -- side by side ----------------------------------------------------------------------------------

WARNING = "The errors were measured on the true routes, so they are NOT private: keep them like the data."
BARS = "Bars of the mean error of each method."
MEAN_ERROR = "Mean distance between report and truth. Methods that spend more than nominal show their real ε."

FEW_POINTS = 40
"""Most points for which the best law is searched: beyond, the search takes minutes."""

KEPT = "proved on the integers that are sampled"


@dataclass(frozen=True)
class RouteComparison(Reportable):
    """Methods on the same routes, the least error of an honest method first. It is not private.

    Attributes:
        rows: The methods.
        epsilon: The nominal budget of one location.
        space: Where locations lie.
        routes: The number of routes.
        points: The number of their points.
        places: The number of public points.
    """

    rows: tuple[BaselineRow, ...]
    epsilon: float
    space: Space
    routes: int
    points: int
    places: int

    @property
    def best(self) -> BaselineRow:
        """The method with the least error among those that keep their promise."""
        return next(row for row in self.rows if row.guarantee.kept)

    @property
    def title(self) -> str:
        """What is compared."""
        return (
            f"{self.routes:,} routes of {self.points:,} points, {self.places:,} public points, "
            f"ε = {epsilon_words(self.epsilon)} a location"
        )

    @property
    def notes(self) -> list[str]:
        """What a reader must know to judge fairly."""
        said = [f"{self.best.name} has the least error of the methods that keep their ε."]
        broken = [row for row in self.rows if not row.guarantee.kept]
        said += [f"{row.name} does not keep its ε: {row.guarantee.reason}." for row in broken]
        return [
            *said,
            "Methods in continuous space do not know the public points; the others report nothing else.",
            "Errors were measured on the true routes, once each, and are NOT private.",
        ]

    def to_dict(self) -> dict[str, Any]:
        """Return the comparison in strict JSON values; an infinite ε is null."""
        promises = [(row, row.guarantee) for row in self.rows]
        rows = [
            {
                "name": row.name,
                "nominal_epsilon": promise.nominal,
                "real_epsilon": None if math.isinf(promise.real) else promise.real,
                "keeps_its_epsilon": promise.kept,
                "mean_error": row.mean_error,
                "why": promise.reason,
            }
            for row, promise in promises
        ]
        counts = {"routes": self.routes, "points": self.points, "public_points": self.places}
        return {
            "private": False,
            **counts,
            "units": self.space.units,
            "space": self.space.to_dict(),
            "rows": rows,
        }

    def report(self) -> Report:
        """Describe the comparison as a document, which is not private."""
        reasons = [f"{row.name}: {row.guarantee.reason}." for row in self.rows]
        return Report(
            title="Methods for routes",
            lead=f"{self.title}; {space_words(self.space)}.",
            sections=[
                Section("Side by side", [Caution(WARNING), self._table(), Bullets(self.notes)]),
                Section("Error", [Figure("errors", [(BARS, self.plot)], MEAN_ERROR)]),
                Section("Why the real ε is what it is", [Bullets(reasons)]),
            ],
            verb="routes compare",
            data=self.to_dict(),
        )

    def _table(self) -> Table:
        rows = [
            [
                row.name,
                number(f"{row.guarantee.nominal:g}", exact=row.guarantee.nominal),
                number(row.guarantee.real_words),
                number(
                    distance_words(row.mean_error, self.space.units),
                    best=row is self.best,
                    exact=row.mean_error,
                ),
                "yes" if row.guarantee.kept else "NO",
            ]
            for row in self.rows
        ]
        header = ["Method", "nominal ε", "real ε", "mean error", "keeps its ε"]
        return Table("Methods that keep their ε first, by their mean error", header, rows)

    def plot(self) -> Drawing:
        """Draw a bar for the mean error of each method."""
        metres = self.space.units == "metres"
        places = np.arange(len(self.rows))
        with drawing_style():
            drawn = new_figure(PAGE_WIDTH, 1.0 + 0.32 * len(self.rows))
            axes = drawn.subplots()
            errors = [row.mean_error / (1000 if metres else 1) for row in self.rows]
            colours = [PALETTE[0] if row.guarantee.kept else PALETTE[1] for row in self.rows]
            axes.barh(places, errors, height=0.7, color=colours)
            names = [
                row.name if row.guarantee.kept else f"{row.name} (real ε {row.guarantee.real_words})"
                for row in self.rows
            ]
            axes.set_yticks(places, names)
            axes.set_ylim(len(names) - 0.4, -0.6)
            axes.set_xlabel(f"mean error{', km' if metres else ''}")
        return drawn


def compare_routes(
    routes: Routes,
    points: Floats,
    space: Space,
    epsilon: float,
    baselines: Sequence[str] | None = None,
    status: Status = lambda _: None,
) -> RouteComparison:
    """Run every method on the routes once.

    Args:
        routes: The true routes.
        points: Public points (n × 2), the only places that most baselines can report.
        space: Where locations lie.
        epsilon: The nominal budget of one location.
        baselines: Names of baselines; by default all that can handle thousands of places.
        status: Called with the method that is running.
    """
    rows = []
    for name, build in _own(space, epsilon, points).items():
        status(f"· {name}")
        mechanism = build()
        promise = RealGuarantee(mechanism.epsilon, mechanism.epsilon_upper, KEPT)
        error = mean_error(space, routes, mechanism.perturb_routes(routes))
        rows.append(BaselineRow(name, promise, error, space.units))
    for name in baselines or USUAL:
        status(f"· {name}")
        rows += baseline_rows(routes, points, space, epsilon, names=[name])
    rows.sort(key=lambda row: (not row.guarantee.kept, row.mean_error))
    return RouteComparison(tuple(rows), epsilon, space, len(routes), len(routes.points), len(points))


def _own(space: Space, epsilon: float, points: Floats) -> dict[str, Callable[[], LocationMechanism]]:
    """Return our own methods, each as a function that builds it."""
    found: dict[str, Callable[[], LocationMechanism]] = {
        "TraCS-C": lambda: choose_tracs(space, epsilon, "C").mechanism,
        "TraCS-D": lambda: choose_tracs(space, epsilon, "D").mechanism,
    }
    if len(points) <= FEW_POINTS:
        public = tuple((float(x), float(y)) for x, y in points)
        found["best law for the points"] = lambda: OptimalPoints(space, epsilon, points=public)
    return found
