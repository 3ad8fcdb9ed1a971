"""Seeded simulations of routes, for tests, benchmarks and plans; nobody's data."""

from __future__ import annotations

import numpy as np

from noisewright.domains import Floats
from noisewright.errors import InvalidParameter
from noisewright.parameters import real, whole
from noisewright.trajectory.routes.table import Routes
from noisewright.trajectory.spaces import Space

POOL = 1 << 16
"""Evenly spread points among which random ones are drawn."""

STEERING = 0.1
"""The share of a vehicle's velocity that is new in each step: it turns and brakes over some ten seconds."""

ARRIVED = 20.0
"""A vehicle this many seconds from its goal, at full speed, chooses another."""


def random_routes(space: Space, routes: int, points: int, seed: int) -> Routes:
    """Return routes of independent points, spread evenly over the space, with nothing to learn.

    >>> from noisewright.trajectory import Rectangle
    >>> random_routes(Rectangle(0, 0, 1, 1), routes=3, points=4, seed=7).lengths.tolist()
    [4, 4, 4]
    """
    _check(routes, points)
    random = np.random.default_rng(seed)
    pool = space.spread(max(POOL, points))
    return Routes.of(pool[random.integers(len(pool), size=(routes, points))])


def vehicle_traces(
    space: Space, routes: int, points: int, max_speed: float, seed: int, *, seconds: float = 1.0
) -> Routes:
    """Return smooth traces of vehicles that head for one random goal after another.

    There is a point every ``seconds``. A vehicle steers gently and cruises at 40 % to 90 % of ``max_speed``
    (units of the space a second), which it never exceeds.

    >>> from noisewright.trajectory import Rectangle
    >>> town = Rectangle(0, 0, 10_000, 10_000)
    >>> trace = vehicle_traces(town, routes=1, points=600, max_speed=15.0, seed=1)
    >>> bool(town.distance(trace.points[1:], trace.points[:-1]).max() <= 15)
    True
    """
    _check(routes, points)
    if not (real("max_speed", max_speed) > 0 and real("seconds", seconds) > 0):
        raise InvalidParameter("max_speed and seconds must be above 0")
    random = np.random.default_rng(seed)
    fleet = _Fleet(space, routes, max_speed * seconds, random)
    places = np.stack([fleet.move() for _ in range(points)], axis=1)
    return Routes.of(places, times=[np.arange(points) * float(seconds)] * routes)


class _Fleet:
    """Vehicles in motion, on the axes of the space, which have no seam or pole."""

    def __init__(self, space: Space, count: int, step: float, random: np.random.Generator) -> None:
        self._space, self._step, self._random = space, step, random
        self._pool = space.spread(POOL)
        self._places, self._goals = self._draw(count), self._draw(count)
        self._velocities = np.zeros((count, 2))
        self._cruising = random.uniform(0.4, 0.9, count)

    def move(self) -> Floats:
        """Return where the vehicles are, and move them by one step."""
        here = self._places
        away = self._space.distance(here, self._goals)
        arrived = away < ARRIVED * self._step
        self._goals = np.where(arrived[:, None], self._draw(len(here)), self._goals)
        axes = self._space.to_axes(here)
        ahead = self._space.to_axes(self._goals) - axes
        pace = self._cruising * self._step / np.maximum(self._space.distance(here, self._goals), self._step)
        self._velocities += STEERING * (ahead * pace[:, None] - self._velocities)
        self._places = self._brake(here, axes)
        return here

    def _brake(self, here: Floats, axes: Floats) -> Floats:
        """Return the next places; steps beyond the limit, which a curved chart may cause, are shortened."""
        there = self._space.from_axes(axes + self._velocities)
        length = self._space.distance(here, there)
        shorter = np.minimum(1.0, 0.999 * self._step / np.maximum(length, 1e-300))
        self._velocities *= shorter[:, None]
        slower = self._space.from_axes(axes + self._velocities)
        legal = self._space.distance(here, slower) <= self._step
        return np.where(legal[:, None], slower, here)

    def _draw(self, count: int) -> Floats:
        return self._pool[self._random.integers(len(self._pool), size=count)]


def _check(routes: int, points: int) -> None:
    whole("routes", routes, 1, 10**7)
    whole("points", points, 1, 10**8)
