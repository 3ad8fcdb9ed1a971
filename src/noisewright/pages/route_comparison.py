"""Methods for routes side by side: what each promises, what it really spends, how far its reports are off."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from noisewright.domains import Floats
from noisewright.guarantees.words import epsilon_words
from noisewright.trajectory import LocationMechanism, OptimalPoints, choose_tracs
from noisewright.trajectory.baselines import baseline_rows
from noisewright.trajectory.baselines.table import USUAL
from noisewright.trajectory.routes import Routes
from noisewright.trajectory.spaces import Space

FEW_POINTS = 40
"""Points up to which the best law for them is looked for: beyond, the search takes minutes."""

KEPT = "proved on the integers that are sampled"


@dataclass(frozen=True)
class MethodRow:
    """One method: its two ε of a location, the mean distance of report and truth, and a word on the ε."""

    name: str
    nominal: float
    real: float
    error: float
    why: str

    @property
    def honest(self) -> bool:
        """Whether it keeps what it promises."""
        return self.real <= self.nominal

    @property
    def real_words(self) -> str:
        """The ε that is really spent, rounded up."""
        return "∞" if math.isinf(self.real) else f"{math.ceil(self.real * 1000) / 1000:g}"


@dataclass(frozen=True)
class RouteComparison:
    """Rows of methods on the same routes, the least error of an honest method first."""

    rows: tuple[MethodRow, ...]
    epsilon: float
    space: Space
    routes: int
    points: int
    places: int

    @property
    def best(self) -> MethodRow:
        """The method with the least error among those that keep their promise."""
        return next(row for row in self.rows if row.honest)

    @property
    def title(self) -> str:
        """What is compared."""
        return (
            f"{self.routes:,} routes of {self.points:,} points, {self.places:,} public points, "
            f"ε = {epsilon_words(self.epsilon)} a location"
        )

    @property
    def notes(self) -> list[str]:
        """What a reader must know to be fair."""
        said = [f"{self.best.name} makes the least error of the methods that keep their ε."]
        broken = [row for row in self.rows if not row.honest]
        said += [f"{row.name} does not keep its ε: {row.why}." for row in broken]
        return [
            *said,
            "Methods in continuous space are not told the public points; the others report nothing else.",
            "Errors were measured on the true routes, once each, and are NOT private.",
        ]

    def to_dict(self) -> dict[str, Any]:
        """The comparison in strict JSON values; an infinite ε is null."""
        rows = [
            {
                "name": row.name,
                "nominal_epsilon": row.nominal,
                "real_epsilon": None if math.isinf(row.real) else row.real,
                "keeps_its_epsilon": row.honest,
                "mean_error": row.error,
                "why": row.why,
            }
            for row in self.rows
        ]
        counts = {"routes": self.routes, "points": self.points, "public_points": self.places}
        return {
            "private": False,
            **counts,
            "units": self.space.units,
            "space": self.space.to_dict(),
            "rows": rows,
        }


def compare_routes(
    routes: Routes,
    points: Floats,
    space: Space,
    epsilon: float,
    baselines: Sequence[str] | None = None,
    progress: Callable[[str], None] = lambda _: None,
) -> RouteComparison:
    """Run every method on the routes once; ``progress`` is told which."""
    rows = []
    for name, build in _own(space, epsilon, points).items():
        progress(f"· {name}")
        rows.append(_own_row(name, build(), routes))
    for name in baselines or USUAL:
        progress(f"· {name}")
        (found,) = baseline_rows(routes, points, space, epsilon, names=[name])
        promise = found.guarantee
        rows.append(
            MethodRow(name, promise.nominal, promise.real, found.mean_error, promise.reason.rstrip("."))
        )
    rows.sort(key=lambda row: (not row.honest, row.error))
    return RouteComparison(tuple(rows), epsilon, space, len(routes), len(routes.points), len(points))


def _own(space: Space, epsilon: float, points: Floats) -> dict[str, Callable[[], LocationMechanism]]:
    """Our own methods, each to be built when its turn comes."""
    found: dict[str, Callable[[], LocationMechanism]] = {
        "TraCS-C": lambda: choose_tracs(space, epsilon, "C").mechanism,
        "TraCS-D": lambda: choose_tracs(space, epsilon, "D").mechanism,
    }
    if len(points) <= FEW_POINTS:
        public = tuple((float(x), float(y)) for x, y in points)
        found["best law for the points"] = lambda: OptimalPoints(space, epsilon, points=public)
    return found


def _own_row(name: str, mechanism: LocationMechanism, routes: Routes) -> MethodRow:
    reports = mechanism.perturb_routes(routes)
    error = float(mechanism.space.distance(routes.points, reports.points).mean())
    return MethodRow(name, mechanism.epsilon, mechanism.epsilon_upper, error, KEPT)
