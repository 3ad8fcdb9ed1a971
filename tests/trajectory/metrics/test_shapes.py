"""Dynamic time warping and the Fréchet distance, against their definitions and between both loops."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from noisewright.errors import InvalidParameter
from noisewright.trajectory import Rectangle, Routes
from noisewright.trajectory.metrics import dynamic_time_warping, evaluate, frechet_distance, shapes
from noisewright.trajectory.metrics.shapes import leash_along, warp_along
from noisewright.trajectory.spaces import LonLatBox

SQUARE = Rectangle(0, 0, 1, 1)
TOKYO = LonLatBox(139.47, 35.51, 139.90, 35.86)


def route(seed, length, space=SQUARE):
    left, bottom, right, top = space.bounds
    return np.random.default_rng(seed).random((length, 2)) * (right - left, top - bottom) + (left, bottom)


def by_definition(space, first, second):
    """The recursion of either distance, written down as it is defined."""
    gaps = space.distance(first[:, None], second[None])

    def before(i, j):
        return [(a, b) for a, b in ((i - 1, j), (i, j - 1), (i - 1, j - 1)) if a >= 0 and b >= 0]

    @cache
    def warp(i, j):
        return gaps[i, j] + min((warp(*pair) for pair in before(i, j)), default=0.0)

    @cache
    def leash(i, j):
        return max(gaps[i, j], min((leash(*pair) for pair in before(i, j)), default=0.0))

    return warp(len(first) - 1, len(second) - 1), leash(len(first) - 1, len(second) - 1)


@given(st.integers(0, 1 << 30), st.integers(1, 12), st.integers(1, 12))
def test_both_distances_are_what_they_are_defined_to_be(seed, rows, columns):
    first, second = route(seed, rows), route(seed + 1, columns)
    total, leash = by_definition(SQUARE, first, second)
    found = dynamic_time_warping(SQUARE, first, second)
    assert found.total == pytest.approx(total)
    assert max(rows, columns) <= found.steps <= rows + columns - 1
    assert frechet_distance(SQUARE, first, second) == pytest.approx(leash)


@pytest.mark.parametrize("space", [SQUARE, TOKYO], ids=["square", "tokyo"])
@pytest.mark.parametrize(("rows", "columns"), [(1, 1), (1, 40), (40, 1), (63, 200), (700, 411)])
def test_the_compiled_loop_and_its_twin_agree_bit_for_bit(monkeypatch, space, rows, columns):
    pytest.importorskip("numba")
    monkeypatch.setattr(shapes, "WORTH_COMPILING", 0)
    monkeypatch.setattr(shapes, "AT_ONCE", 1000)  # several blocks
    first, second = route(1, rows, space), route(2, columns, space)
    found = dynamic_time_warping(space, first, second)
    assert (found.total, found.steps) == warp_along(space, first, second)
    assert frechet_distance(space, first, second) == leash_along(space, first, second)


def test_without_numba_the_twin_answers(monkeypatch):
    first, second = route(3, 300), route(4, 300)
    compiled = dynamic_time_warping(SQUARE, first, second), frechet_distance(SQUARE, first, second)
    monkeypatch.setattr(shapes, "kernels", lambda: None)
    assert (dynamic_time_warping(SQUARE, first, second), frechet_distance(SQUARE, first, second)) == compiled


def test_a_delay_costs_nothing():
    walk = np.stack([np.linspace(0, 1, 50), np.full(50, 0.5)], axis=1)
    late = np.concatenate([np.tile(walk[:1], (20, 1)), walk])
    assert dynamic_time_warping(SQUARE, walk, late).total == 0.0
    assert frechet_distance(SQUARE, walk, late) == 0.0
    assert frechet_distance(SQUARE, walk, late[::-1]) == pytest.approx(1.0)


def test_routes_too_long_are_refused_and_left_out(monkeypatch):
    monkeypatch.setattr(shapes, "LONGEST", 10)
    monkeypatch.setattr("noisewright.trajectory.metrics.evaluation.LONGEST", 10)
    with pytest.raises(InvalidParameter, match="at most 10 points, got 11; thin"):
        frechet_distance(SQUARE, route(1, 11), route(2, 5))
    found = evaluate(SQUARE, Routes.of([route(1, 11), route(2, 10)]), Routes.of([route(3, 11), route(4, 10)]))
    assert np.isnan(found.warping).tolist() == [True, False]
    assert set(found.over_routes("frechet").values()) == {float(found.frechet[1])}


@pytest.mark.parametrize("bad", [[], [(0.1,)], [(0.1, float("nan"))], [0.1, 0.2]])
def test_what_is_no_route_is_refused(bad):
    with pytest.raises(InvalidParameter, match="a route is"):
        dynamic_time_warping(SQUARE, bad, [(0.1, 0.2)])
