"""The fused loops of TraCS-D against the plain form, shape by shape and word for word."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from noisewright.randomness import SeededSource
from noisewright.trajectory import (
    Disk,
    LocalMap,
    LonLatBox,
    LonLatPolygon,
    Parallelogram,
    Polygon,
    Rectangle,
    Routes,
    Sphere,
    TraCSD,
)
from noisewright.trajectory.mechanisms import polar_loop
from noisewright.trajectory.mechanisms.polar_loop import shape_of

ELL = [(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)]
COMB = [(0, 0), (7, 0), (7, 3), (6, 3), (6, 1), (4, 1), (4, 3), (3, 3), (3, 1), (1, 1), (1, 3), (0, 3)]
TOKYO = [(139.5, 35.6), (139.7, 35.52), (139.9, 35.6), (139.75, 35.65), (139.8, 35.8), (139.6, 35.75)]
FIJI = [(177.0, -19.0), (-179.0, -18.5), (-178.0, -16.0), (179.0, -17.5), (177.5, -16.5)]


def shifted(vertices, x, y):
    """The same border far from the origin, where coordinates are rounded more coarsely."""
    return [(a + x, b + y) for a, b in vertices]


SPACES = {
    "rectangle": Rectangle(-1, 2, 1, 12),
    "box in degrees": LonLatBox(170, -20, -170, 0),
    "disk": Disk(0, 0, 1),
    "far disk": Disk(4e5, -4e6, 250.5),
    "parallelogram": Parallelogram((0, 0), (2, 0), (1, 1)),
    "clockwise parallelogram": Parallelogram((1, -3), (0.5, 4), (3, -1)),
    "thin far parallelogram": Parallelogram((4e5, -4e6), (900, 300), (910, 310)),
    "triangle": Polygon([(0, 0), (3, 1), (1, 2)]),
    "ell": Polygon(ELL),
    "clockwise ell": Polygon(ELL[::-1]),
    "far comb": Polygon(shifted(COMB, 4e5, -4e6)),
    "polygon in degrees": LonLatPolygon(TOKYO),
    "polygon across the antimeridian": LonLatPolygon(FIJI),
    "sphere": Sphere(),
}
every_space = pytest.mark.parametrize("space", SPACES.values(), ids=SPACES.keys())


def edges(space):
    """Places where a loop could go wrong: on the boundary, or where coordinates are singular."""
    if isinstance(space, Sphere):
        return np.array(
            [(0, 90), (77, 90), (0, -90), (180, 0), (-180, 0), (180, 45), (-180, -45), (179.9999, 1)], float
        )
    if isinstance(space, Disk):
        turns = np.arange(16) * np.pi / 8
        return space.project(space.centre + 2 * space.radius * np.stack([np.cos(turns), np.sin(turns)], -1))
    if isinstance(space, LonLatPolygon):
        return np.array(space.vertices)
    if isinstance(space, Polygon | Parallelogram):
        return np.concatenate([space.outline.corners, space.outline.corners + space.outline.steps / 2])
    left, bottom, right, top = space.bounds
    corners = np.array(
        [(left, bottom), (right, top), (left, top), (right, bottom), (left, (bottom + top) / 2)]
    )
    return space.project(corners)


@dataclass
class Words:
    """A stream that hands out given words, two for each location."""

    words: np.ndarray

    def fill(self, block):
        block[:], self.words = self.words[: block.size], self.words[block.size :]


@dataclass
class Columns:
    """A stream that hands out the words of all directions, then those of all shares."""

    columns: list

    def draw(self, count):
        words = self.columns.pop(0)
        assert words.size == count
        return words


def with_every_edge(space, count=3000):
    """Locations all over a space, among them its edges, each of them twice in a row."""
    truth = space.spread(count)[:count]
    special = np.repeat(np.concatenate([edges(space), space.centre[None]]), 2, axis=0)
    truth[: len(special)] = special
    truth[100 : 100 + len(special)] = special[::-1]
    assert space.contains(truth).all()
    return truth


def plain_form(mechanism, references, truth, words):
    return mechanism.draw(references, truth, Columns([words[::2].copy(), words[1::2].copy()]))


def references_of(mechanism, reports, starts):
    routes = Routes(reports, starts, tuple(map(str, range(starts.size - 1))))
    return mechanism.references(routes)


@every_space
@pytest.mark.parametrize("epsilon", [0.5, 14.0])
def test_a_loop_agrees_with_the_plain_form_word_for_word(space, epsilon, monkeypatch):
    """The loop takes its own reports as references; the plain form is given them. Only sines may differ."""
    pytest.importorskip("numba")
    monkeypatch.setattr(polar_loop, "BLOCK", 700)  # the reference must survive the end of a block
    truth = with_every_edge(space)
    starts = np.append(np.arange(0, len(truth), 57), len(truth))
    words = SeededSource(8).words(2 * len(truth))
    for reference in ("previous", "centre", *map(tuple, edges(space)[::3].tolist())):
        mechanism = TraCSD(space, epsilon, split="heuristic", reference=reference)
        loop = polar_loop.polar_loop(mechanism, polar_loop.WORTH_COMPILING)
        fast = loop(truth, starts, Words(words))
        plain = plain_form(mechanism, references_of(mechanism, fast, starts), truth, words)
        same = space.distance(fast, plain) < 1e-9 * space.diameter
        assert same.mean() > 0.995, "a direction on the edge of a cell may fall on either side of it"
        assert space.contains(fast).all()


@every_space
def test_references_on_the_boundary_and_locations_equal_to_them(space):
    """Every edge seen from every edge, itself too: no room ahead, no step at all, poles and antipodes."""
    kernels = pytest.importorskip("noisewright.trajectory.mechanisms.polar_kernels")
    mechanism, shape = TraCSD(space, 4.0, split="heuristic"), shape_of(space)
    numbers = [polar_loop._numbers(channel) for channel in mechanism.channels]
    places = np.concatenate([edges(space), space.centre[None]])
    truth = np.repeat(places, 40, axis=0)
    words = SeededSource(9).words(2 * len(truth))
    begins, disagreed = np.ones(len(truth), dtype=bool), 0
    for first in places:
        flat, start = shape.to_plane(truth), shape.to_plane(first)
        filled = np.full_like(truth, np.nan)
        getattr(kernels, shape.loop)(
            flat, begins, words, filled, start.copy(), shape.numbers, start, *numbers
        )
        fast = shape.from_plane(filled)
        plain = plain_form(mechanism, np.repeat(first[None], len(truth), axis=0), truth, words)
        assert space.contains(fast).all()
        disagreed += np.count_nonzero(space.distance(fast, plain) > 1e-7 * space.diameter)
    # along a side the room ahead is all rounding: a few may differ, but not all pairs of one kind (4 % or more)
    assert disagreed < 0.02 * len(places) * len(truth)


@every_space
def test_points_beyond_the_boundary_come_back_as_in_the_plain_form(space):
    """No report has a share of 1 or more, so what rounding could carry outside is tried here on purpose."""
    kernels = pytest.importorskip("noisewright.trajectory.mechanisms.polar_kernels")
    shape, inside = shape_of(space), [space.centre[None], space.spread(20)[:20]]
    place = getattr(kernels, shape.loop.replace("polar", "box").replace("reports", "place"))
    numbers = [shape.numbers] if shape.numbers else []
    angles, shares = (
        np.append(np.arange(40) * 0.157, np.arange(4) * np.pi / 2),
        (0.0, 0.5, 1.0, 1.0 + 1e-9, 1.6),
    )
    grid = np.meshgrid(np.arange(44), np.arange(len(shares)), indexing="ij")
    angle, share = angles[grid[0].ravel()], np.array(shares)[grid[1].ravel()]
    for reference in np.concatenate([edges(space), *inside]):
        start = shape.to_plane(reference)
        flat = np.array([place(*start, *polar, *numbers) for polar in zip(angle, share, strict=True)])
        fast = shape.from_plane(flat)
        plain = space.from_polar(np.repeat(reference[None], len(angle), axis=0), angle, share)
        assert space.contains(fast).all()
        assert (space.distance(fast, plain) < 1e-7 * space.diameter).mean() > 0.99


def test_a_loop_hands_on_the_reference_of_the_row_after_its_last():
    kernels = pytest.importorskip("noisewright.trajectory.mechanisms.polar_kernels")
    for space in SPACES.values():
        mechanism, shape = TraCSD(space, 4.0, split="heuristic"), shape_of(space)
        numbers = [polar_loop._numbers(channel) for channel in mechanism.channels]
        flat, reference = shape.to_plane(space.spread(50)[:50]), shape.to_plane(space.centre).copy()
        filled, begins = np.empty_like(flat), np.zeros(50, dtype=bool)
        words, first = SeededSource(3).words(100), np.full(2, np.nan)  # no route begins: never looked at
        getattr(kernels, shape.loop)(flat, begins, words, filled, reference, shape.numbers, first, *numbers)
        assert np.isfinite(filled).all()
        assert (reference == filled[-1]).all()


@every_space
def test_long_routes_take_the_loop_and_stay_in_the_space(space, monkeypatch):
    kernels = pytest.importorskip("noisewright.trajectory.mechanisms.polar_kernels")
    name, calls = shape_of(space).loop, []
    loop = getattr(kernels, name)
    monkeypatch.setattr(kernels, name, lambda *numbers: calls.append(name) or loop(*numbers))
    truth = with_every_edge(space, polar_loop.WORTH_COMPILING)
    reports = TraCSD(space, 1.0, split="heuristic").perturb(truth, SeededSource(4))
    assert calls, "the loop was not taken"
    assert space.contains(reports).all()


def test_a_reference_that_rounding_left_outside_has_no_room_ahead():
    kernels = pytest.importorskip("noisewright.trajectory.mechanisms.polar_kernels")
    outside = np.nextafter(1.0, 2.0)
    assert kernels.gauge(1.0, 0.0, outside, 0.5, 0.0, 0.0, 1.0, 1.0) == np.inf
    assert kernels.gauge(0.0, 1.0, 0.5, outside, 0.0, 0.0, 1.0, 1.0) == np.inf
    assert kernels.gauge(-0.5, 0.0, outside, 0.5, 0.0, 0.0, 1.0, 1.0) == 0.5 / outside


def test_spaces_without_a_loop_take_the_plain_form():
    class Pond(Disk):
        """A disk that may have other ways than a disk."""

    for space in (LocalMap(122, 24, 146, 46), Pond(0, 0, 1)):
        mechanism = TraCSD(space, 4.0, split="heuristic")
        assert polar_loop.polar_loop(mechanism, polar_loop.WORTH_COMPILING) is None
