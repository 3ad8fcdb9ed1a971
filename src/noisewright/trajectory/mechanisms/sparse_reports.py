"""Sparse reports: a few points of a route reported well instead of all of them badly.

With a budget for the whole route, every additional report makes all of them worse. How many are best depends
on how far people move between two points. That must be known beforehand: a choice that depended on the routes
would reveal something about them. Between two reports that are k steps apart, a random walk with steps of
length s strays from the straight line by about

    s·√k·(π/8)·√(π/4) ≈ 0.35·s·√k,

the average deviation of a Brownian bridge in the plane whose steps have mean square s². The best number of
reports has the least sum of squares of that deviation and of the expected error of a report.
"""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np

from noisewright.domains import Cells, Circle, Floats
from noisewright.errors import InvalidParameter
from noisewright.parameters import real
from noisewright.randomness import Source
from noisewright.trajectory.mechanisms.expected_error import expected_error
from noisewright.trajectory.mechanisms.location import LocationMechanism
from noisewright.trajectory.mechanisms.tracs import TraCSC
from noisewright.trajectory.routes import Budget, Routes
from noisewright.trajectory.spaces import Flags, Space

PLACES = 1 << 11
"""Points of the integrals that are compared."""

STRAYING = math.pi / 8 * math.sqrt(math.pi / 4)


def reports_worth_making(space: Space, epsilon: float, points: int, step: float | None = None) -> int:
    """Return how many of a route's points to report when the route as a whole has the budget ε.

    Args:
        space: Where locations lie.
        epsilon: The budget of the whole route.
        points: The number of points of a route.
        step: How far people usually move from one point to the next, in units of the space; by default a
            route is taken to be as long as the space is wide.

    >>> from noisewright.trajectory import Rectangle
    >>> square = Rectangle(0, 0, 1, 1)
    >>> reports_worth_making(square, 4.0, points=100), reports_worth_making(square, 400.0, points=100)
    (1, 18)
    """
    if points == 1:
        return 1
    length = space.diameter / points if step is None else real("step", step)
    if length < 0:
        raise InvalidParameter(f"must not be negative, got {step}", field="step")
    tried = [int(many) for many in np.unique(np.geomspace(1, points, 25).round())]

    def error(reports: int) -> float:
        each = min(epsilon / reports, 32.0)
        noise = expected_error(TraCSC(space, each, split="even"), places=PLACES)
        return math.hypot(noise, STRAYING * length * math.sqrt(points / reports) * (reports < points))

    return min(tried, key=error)


def reported_rows(lengths: Cells, reports: int | None) -> Flags:
    """Return which rows are reported: all, or evenly spaced ones from the first to the last of every route.

    >>> reported_rows(np.array([5, 2]), 3).tolist()
    [True, False, True, False, True, True, True]
    """
    if reports is None:
        return np.ones(int(lengths.sum()), dtype=np.bool_)
    chosen = np.zeros(int(lengths.sum()), dtype=np.bool_)
    for first, length in zip(np.cumsum(lengths) - lengths, lengths, strict=True):
        places = np.linspace(0, length - 1, min(reports, int(length))).round().astype(np.int64)
        chosen[first + (places if places.size > 1 else length // 2)] = True  # a lone report is in the middle
    return chosen


def perturb_within(
    budget: Budget, mechanism: LocationMechanism, routes: Routes, source: Source | None = None
) -> tuple[Routes, Flags]:
    """Return reports of routes within a budget, with points interpolated between them, and which are reports.

    Every point is checked, even those that are not reported, so that a refusal does not reveal which were.

    Args:
        budget: The budget; it must pay for the mechanism.
        mechanism: The mechanism for one location.
        routes: The true routes.
        source: The randomness; by default a fresh secure stream. A seeded one is for tests and simulations.
    """
    budget.check(mechanism.epsilon)
    mechanism.space.admit(routes.points, place=routes.place)
    chosen = reported_rows(routes.lengths, budget.reports)
    reports = mechanism.perturb_routes(routes.select(chosen), source)
    if chosen.all():
        return routes.with_points(reports.points), chosen
    return routes.with_points(_between(mechanism.space, routes, chosen, reports.points)), chosen


def _between(space: Space, routes: Routes, chosen: Flags, reports: Floats) -> Floats:
    """Return reports at their rows, and in the rows between them points on the straight way to the next."""
    filled, done = np.empty_like(routes.points), 0
    for first, last in pairwise(routes.starts):
        places = np.flatnonzero(chosen[first:last])
        clock = np.arange(last - first) if routes.times is None else routes.times[first:last]
        known = reports[done : done + places.size]
        filled[first:last] = interpolate(space, clock, clock[places], known)
        filled[first:last][places] = known
        done += places.size
    return filled


def interpolate(space: Space, clock: Floats, when: Floats, points: Floats) -> Floats:
    """Return points on the straight way along the axes at given times, between points with times."""
    coordinates = space.to_axes(points)
    columns = []
    for axis, domain in enumerate(space.axes):
        column = coordinates[:, axis]
        if isinstance(domain, Circle):  # the short way round
            column = np.unwrap(column, period=domain.period)
        columns.append(np.interp(clock, when, column))
        if isinstance(domain, Circle):
            columns[-1] = domain.clip(columns[-1])
    return space.from_axes(np.stack(columns, axis=-1))
