"""All baselines side by side: what each promises, what it keeps, and how far its reports are off."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from numpy.typing import ArrayLike

from noisewright.errors import InvalidParameter
from noisewright.published.routes.atp import ATP
from noisewright.published.routes.base import Baseline, RealGuarantee
from noisewright.published.routes.lsrr import LSRR
from noisewright.published.routes.ngram import LOCATION, REPORT, NGram, NGramPairs
from noisewright.published.routes.places import Places
from noisewright.published.routes.planar_laplace import PlanarLaplace
from noisewright.published.routes.strawman import Strawman
from noisewright.randomness import Source
from noisewright.trajectory.routes import Routes
from noisewright.trajectory.spaces import Space

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
"""Those that take thousands of places; pairs are for dozens."""


@dataclass(frozen=True)
class BaselineRow:
    """One method on given routes.

    Attributes:
        name: The name of the method.
        guarantee: Its two ε of one location.
        mean_error: The mean distance of report and truth.
        units: What distances count.
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
        raise InvalidParameter(f"unknown baseline {name!r}; known: {', '.join(NAMES)}")
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
        names: The baselines to run; by default all that take thousands of places.

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
    """Return the mean distance of report and truth, in the units of the space."""
    return float(space.distance(true.points, reports.points).mean())
