from __future__ import annotations

import numpy as np
import pytest

from noisewright.errors import InvalidParameter
from noisewright.trajectory.routes.simulation import random_routes, vehicle_traces
from noisewright.trajectory.spaces import Disk, LonLatBox, Polygon, Rectangle, Sphere

SPACES = [
    Rectangle(0, 0, 1, 2),
    Disk(3, 3, 2),
    Polygon([(0, 0), (4, 0), (4, 1), (1, 1), (1, 4), (0, 4)]),
    LonLatBox(170, -20, -170, 0),
    Sphere(),
]


@pytest.mark.parametrize("space", SPACES, ids=lambda space: space.kind)
def test_vehicles_stay_inside_and_keep_the_limit(space):
    speed = space.diameter / 2000
    traces = vehicle_traces(space, routes=4, points=500, max_speed=speed, seed=3)
    assert space.contains(traces.points).all()
    for route in traces:
        steps = space.distance(route[1:], route[:-1])
        assert steps.max() <= speed * (1 + 1e-9)
        assert steps.sum() > 20 * speed  # they move


def test_vehicles_move_smoothly_and_once_a_second():
    traces = vehicle_traces(Rectangle(0, 0, 10_000, 10_000), routes=2, points=300, max_speed=15, seed=4)
    for number, route in enumerate(traces):
        assert np.array_equal(traces.times.reshape(2, -1)[number], np.arange(300.0))
        velocity = np.diff(route, axis=0)
        assert np.abs(np.diff(velocity, axis=0)).max() < 0.25 * 15


def test_seconds_scale_the_steps():
    space = Rectangle(0, 0, 10_000, 10_000)
    traces = vehicle_traces(space, routes=1, points=50, max_speed=10, seed=4, seconds=30)
    assert traces.times[1] == 30
    assert 100 < space.distance(traces.points[1:], traces.points[:-1]).max() <= 300


@pytest.mark.parametrize("space", SPACES, ids=lambda space: space.kind)
def test_random_routes_fill_the_space(space):
    routes = random_routes(space, routes=20, points=100, seed=1)
    assert len(routes) == 20
    assert space.contains(routes.points).all()
    # the mean distance of random pairs is that of an even spread, within four standard errors
    even = space.spread(4000)
    wanted = space.distance(even[::2], np.random.default_rng(0).permutation(even)[::2])
    found = space.distance(routes.points[::2], routes.points[1::2])
    assert abs(found.mean() - wanted.mean()) < 5 * wanted.std() / np.sqrt(found.size)


def test_a_seed_repeats():
    space = Rectangle(0, 0, 1, 1)
    assert np.array_equal(random_routes(space, 2, 3, 5).points, random_routes(space, 2, 3, 5).points)
    assert not np.array_equal(random_routes(space, 2, 3, 5).points, random_routes(space, 2, 3, 6).points)


def test_bad_requests_are_refused():
    space = Rectangle(0, 0, 1, 1)
    with pytest.raises(InvalidParameter, match="routes"):
        random_routes(space, 0, 3, 1)
    with pytest.raises(InvalidParameter, match="max_speed"):
        vehicle_traces(space, 1, 3, 0.0, 1)
