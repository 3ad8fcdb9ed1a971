from __future__ import annotations

import numpy as np
import pytest

from noisewright.errors import BadTable
from noisewright.trajectory import Routes


def two():
    return Routes.of([[(0, 0), (1, 0), (1, 1)], [(0.5, 0.5)]], ["a", "b"], [[0, 1, 1], [-5]])


def test_routes_know_their_parts():
    routes = two()
    assert [piece.tolist() for piece in routes] == [[[0, 0], [1, 0], [1, 1]], [[0.5, 0.5]]]
    assert routes.owner.tolist() == [0, 0, 0, 1]
    assert routes.times[:3].tolist() == [0, 1, 1]
    assert routes.times[3:].tolist() == [-5]
    assert routes.place(2) == "route 1, point 3"
    assert routes.place(3) == "route 2, point 1"
    moved = routes.with_points(routes.points + 1)
    assert moved.names == routes.names
    assert moved.times is routes.times
    assert Routes.of([[(0, 0)]]).times is None


@pytest.mark.parametrize(
    ("build", "says"),
    [
        (lambda: Routes.of([]), "there are no routes"),
        (lambda: Routes.of([[]]), "route 1 is empty"),
        (lambda: Routes.of([[(0, 0)], []]), "route 2 is empty"),
        (lambda: Routes.of([[(0, 0, 0)]]), "two coordinates"),
        (lambda: Routes.of([[("a", 0)]]), "pairs of numbers"),
        (lambda: Routes.of([[(0, 0)], [(1, 1), (np.nan, 0)]]), "route 2, point 2 has a missing"),
        (lambda: Routes.of([[(0, np.inf)]]), "route 1, point 1 has a missing or infinite"),
        (lambda: Routes.of([[(0, 0), (1, 1)]], times=[[5, 4]]), "route 1, point 2 is earlier"),
        (lambda: Routes.of([[(0, 0), (1, 1)]], times=[[5]]), "one finite number of seconds"),
        (lambda: Routes.of([[(0, 0)]], names=["a", "b"]), "as many names"),
        (lambda: Routes(np.zeros((3, 2)), np.array([0, 2]), ("a",)), "at least one route"),
        (lambda: Routes(np.zeros((3, 2)), np.array([0, 2, 2, 3]), ("a", "b", "c")), "route 2 is empty"),
    ],
)
def test_broken_routes_are_refused_in_one_sentence(build, says):
    with pytest.raises(BadTable, match=says):
        build()


def test_a_clock_may_start_again_with_every_route():
    routes = Routes.of([[(0, 0), (1, 1)], [(0, 0), (1, 1)]], times=[[5, 6], [1, 2]])
    assert routes.times.tolist() == [5, 6, 1, 2]
