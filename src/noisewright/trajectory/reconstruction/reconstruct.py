"""Reconstruction: where a route probably went, from its reports and public facts alone.

A report is noisy on purpose. But the noise has a known law, many people report, people return to their
places and nobody moves faster than a limit. Bayes' rule combines these. Only reports and public facts go in,
so the result costs no privacy beyond what the reports have spent.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import inf, isinf
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from noisewright.domains import Floats
from noisewright.errors import BadTable, InvalidParameter
from noisewright.parameters import real, whole
from noisewright.text import counted
from noisewright.trajectory.mechanisms import LocationMechanism, TraCSC, TraCSD
from noisewright.trajectory.reconstruction.axis_likelihood import AxisLikelihood
from noisewright.trajectory.reconstruction.density import Density, learn_density
from noisewright.trajectory.reconstruction.estimates import Estimates
from noisewright.trajectory.reconstruction.grid import Grid, choose_side, longest_stay, trust_in
from noisewright.trajectory.reconstruction.journeys import journeys_of, parties_of
from noisewright.trajectory.reconstruction.likelihood import Likelihood
from noisewright.trajectory.reconstruction.model import Model, limit_holds
from noisewright.trajectory.reconstruction.polar_likelihood import PolarLikelihood
from noisewright.trajectory.routes import Routes
from noisewright.trajectory.routes.maps import draw_routes
from noisewright.trajectory.spaces import Flags
from noisewright.trajectory.spaces.earth import Geographic

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True, eq=False)
class Reconstruction:
    """Estimated routes, and how far off each point is likely to be.

    Attributes:
        routes: The estimate of every point.
        density: Where the whole population is.
        spread: The expected distance of every estimate from the truth, in the units of the space.
        units: The unit of distances.
        weight: The number of a person's reports that outweigh the density in their places; infinite where
            people do not return to places.
        limit_dropped: Whether a speed limit was given but not used: the reports are likelier without it.
    """

    routes: Routes
    density: Density
    spread: Floats
    units: str = "units"
    weight: float = inf
    limit_dropped: bool = False

    @property
    def sentence(self) -> str:
        """The result in words."""
        points, routes = len(self.routes.points), len(self.routes)
        habits = "" if isinf(self.weight) else " People's repeated places were used."
        limit = " The speed limit was not used: reports are likelier without." if self.limit_dropped else ""
        return (
            f"{counted(points, 'point')} of {counted(routes, 'route')}, each off by about "
            f"{self.spread.mean():.3g} {self.units} on average.{habits}{limit} "
            "Only reports and public facts were used, so this costs no privacy beyond the reports."
        )

    def plot(self, axes: Axes | None = None) -> Axes:
        """Draw routes over the density on a map; returns the matplotlib axes."""
        degrees = self.units == Geographic.units
        return draw_routes(self.routes, self.density.centres, self.density.cells, degrees=degrees, axes=axes)


def reconstruct(
    reports: Routes,
    mechanism: LocationMechanism,
    *,
    max_speed: float | None = None,
    points: ArrayLike | None = None,
    reported: ArrayLike | None = None,
    people: Sequence[str] | None = None,
    grid: int | None = None,
) -> Reconstruction:
    """Estimate every point of every route from the reports of a TraCS mechanism.

    Args:
        reports: The reports, and points between them, which get an estimate, too.
        mechanism: The mechanism that drew them: TraCSC or TraCSD.
        max_speed: A speed that nobody exceeds, in units of the space a second. It needs times, and is
            dropped if the reports are likelier without it. No limit by default.
        points: The only places where anybody can be: every estimate is one of them. Anywhere by default.
        reported: Which rows are reports; others, such as interpolated points, are not evidence. Default: all.
        people: The person behind each route, whose routes share repeated places; default: all different.
        grid: Cells along each axis, 2 to 256; by default as many as the noise and the time allow.

    >>> from noisewright.randomness import SeededSource
    >>> from noisewright.trajectory import Rectangle, Routes, TraCSC
    >>> square = TraCSC(Rectangle(0, 0, 1, 1), epsilon=4.0)
    >>> home = Routes.of([np.tile([0.2, 0.7], (100, 1))])       # somebody who stayed in one place
    >>> estimate = reconstruct(square.perturb_routes(home, SeededSource(1)), square)
    >>> bool(np.abs(estimate.routes.points - [0.2, 0.7]).max() < 0.1)
    True
    """
    if not isinstance(mechanism, TraCSC | TraCSD):
        raise InvalidParameter(f"only TraCSC and TraCSD can be reconstructed, got {type(mechanism).__name__}")
    seen = _flags(reported, len(reports.points))
    speed = _speed(max_speed, reports)
    cells = _grid(mechanism, reports, seen, speed, points, grid)
    likelihood = likelihood_of(mechanism, reports, cells, seen)
    density = learn_density(likelihood, np.flatnonzero(seen), cells)
    model = Model(cells, density.cells.reshape(-1), speed)
    journeys = journeys_of(reports, seen, longest_stay(cells, speed), model.most_stays)
    parties = parties_of(journeys, _people(people, reports))
    model = model.fit(likelihood, parties)
    if speed is not None and not limit_holds(model, likelihood, parties):
        free = reconstruct(reports, mechanism, points=points, reported=reported, people=people, grid=grid)
        return replace(free, limit_dropped=True)
    estimates = Estimates(reports, cells, model, trust_in(mechanism, cells))
    for party in parties:
        for piece, posteriors in model.posteriors(likelihood, party):
            estimates.fill(piece, posteriors)
    estimates.fill_gaps(seen)
    routes = reports.with_points(estimates.points())
    return Reconstruction(routes, density, estimates.spread, mechanism.space.units, model.weight)


def likelihood_of(mechanism: TraCSC | TraCSD, reports: Routes, grid: Grid, seen: Flags) -> Likelihood:
    """Return what the reports, which are the rows ``seen``, say about the cells of a grid."""
    if isinstance(mechanism, TraCSC):
        return AxisLikelihood(mechanism, reports.points, grid)
    references = np.zeros_like(reports.points)  # the previous *report*, whatever was interpolated in between
    references[seen] = mechanism.references(reports.select(seen))
    return PolarLikelihood(mechanism, reports.points, references, grid)


# -- the given facts -------------------------------------------------------------------------------


def _grid(
    mechanism: TraCSC | TraCSD,
    reports: Routes,
    seen: Flags,
    speed: float | None,
    points: ArrayLike | None,
    grid: int | None,
) -> Grid:
    mechanism.space.admit(reports.points, "report", reports.place)
    side = choose_side(mechanism, reports, seen, speed) if grid is None else whole("grid", grid, 2, 256)
    allowed = None if points is None else mechanism.space.admit(points, "points")
    return Grid(mechanism.space, side, allowed)


def _flags(reported: ArrayLike | None, count: int) -> Flags:
    flags = np.ones(count, dtype=np.bool_) if reported is None else np.asarray(reported)
    if flags.shape != (count,) or flags.dtype != np.bool_:
        raise BadTable("reported must be one true or false for each point")
    if not flags.any():
        raise BadTable("no point is reported; there is nothing to reconstruct from")
    return flags


def _speed(max_speed: float | None, reports: Routes) -> float | None:
    if max_speed is None:
        return None
    speed = real("max_speed", max_speed)
    if speed <= 0:
        raise InvalidParameter(f"must be above 0, got {max_speed!r}", field="max_speed")
    if reports.times is None:
        raise BadTable("a speed limit needs the times of the points; add them, or leave max_speed out")
    return speed


def _people(people: Sequence[str] | None, reports: Routes) -> Sequence[str]:
    if people is None:
        return [str(route) for route in range(len(reports))]
    if len(people) != len(reports):
        raise BadTable(f"people must name one person for each of {len(reports)} routes, got {len(people)}")
    return [str(person) for person in people]
