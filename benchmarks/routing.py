"""How fast locations are randomized, and rounded to public points."""

from __future__ import annotations

import math
import random
from collections.abc import Callable

import numpy as np

from benchmarks import rivals
from benchmarks.timing import Row, rate
from noisewright.trajectory import (
    Disk,
    LonLatBox,
    LonLatPolygon,
    Parallelogram,
    PointSet,
    Polygon,
    Rectangle,
    Routes,
    Space,
    Sphere,
    TraCSC,
    TraCSD,
)

SPACE = Rectangle(0, 0, 1, 1)
EPSILON = 4.0
BATCH = 1 << 20
"""Locations a call, few enough that memory is used again."""
LONG = 1 << 17
"""Locations of one long route in spaces of other shapes."""
FEW = 1 << 9
"""So few that the plain form takes them, a point at a time."""
BORDER = [(139.5, 35.6), (139.7, 35.52), (139.9, 35.6), (139.75, 35.65), (139.8, 35.8), (139.6, 35.75)]
SHAPES: dict[str, Space] = {
    "a box in degrees": LonLatBox(139.47, 35.51, 139.9, 35.86),
    "a disk": Disk(0, 0, 1),
    "a parallelogram": Parallelogram((0, 0), (2, 0), (1, 1)),
    "a polygon of 6 sides": Polygon([(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)]),
    "a polygon on Earth": LonLatPolygon(BORDER),
    "the sphere": Sphere(),
}


def rows() -> list[Row]:
    """Both methods against the raw stream and a plain loop, routes of all lengths, and rounding."""
    points = np.random.default_rng(5).random((BATCH, 2))
    raw = rate(rivals.raw_words(1 << 23), 1 << 23)
    few = points[:2000].tolist()
    return [
        *along_axes(points, raw, few),
        *by_direction(points, few),
        *lengths(points),
        *(long_route(name, space) for name, space in SHAPES.items()),
        rounding(points),
    ]


def along_axes(points: np.ndarray, raw: float, few: list[list[float]]) -> list[Row]:
    """TraCS-C: two words a location."""
    mechanism = TraCSC(SPACE, EPSILON)
    ours = rate(lambda: mechanism.perturb(points), BATCH, repeats=15)
    plain = rate(lambda: plain_axes(few), len(few), repeats=3)
    return [
        Row("TraCS-C", ours, "a loop in plain Python", ours / plain, "≥ 50 M/s", ours >= 5e7),
        Row("TraCS-C", ours, "raw words (raw/ours)", raw / ours, note="two words a location"),
    ]


def by_direction(points: np.ndarray, few: list[list[float]]) -> list[Row]:
    """TraCS-D, with references that follow the reports and with one that stays."""
    table = []
    plain = rate(lambda: plain_directions(few), len(few), repeats=3)
    for name, reference in (("TraCS-D", "previous"), ("TraCS-D from the centre", "centre")):
        mechanism = TraCSD(SPACE, EPSILON, reference=reference)
        ours = rate(lambda m=mechanism: m.perturb(points), BATCH, repeats=7)  # type: ignore[misc]
        table.append(Row(name, ours, "a loop in plain Python", ours / plain, "≥ 5 M/s", ours >= 5e6))
    return table


def lengths(points: np.ndarray) -> list[Row]:
    """The same locations cut into routes of different lengths: the time of a location is the same."""
    mechanism, table = TraCSD(SPACE, EPSILON), []
    for length in (16, 1024, BATCH):
        starts = np.arange(0, BATCH + 1, length)
        routes = Routes(points, starts, tuple(map(str, range(starts.size - 1))))
        speed = rate(lambda r=routes: mechanism.perturb_routes(r), BATCH, repeats=7)  # type: ignore[misc]
        table.append(Row(f"TraCS-D, routes of {length:,}", speed, note="flat in the length of a route"))
    return table


def long_route(name: str, space: Space) -> Row:
    """TraCS-D on one long route, where each report waits for the one before, against the plain form."""
    mechanism, points = TraCSD(space, EPSILON, split="heuristic"), space.spread(LONG)[:LONG]
    ours = rate(lambda: mechanism.perturb(points), LONG, repeats=5)
    plain = rate(lambda: mechanism.perturb(points[:FEW]), FEW, repeats=2)
    return Row(f"TraCS-D, one route in {name}", ours, "NumPy, a point at a time", ours / plain)


def rounding(points: np.ndarray) -> Row:
    """Reports to the nearest of 8,000 public points."""
    public = PointSet(SPACE, np.random.default_rng(6).random((8000, 2)))
    speed = rate(lambda: public.round(points), BATCH, repeats=3)
    return Row("rounding to 8,000 points", speed, asked="≥ 1 M/s", kept=speed >= 1e6)


def window(value: float, epsilon: float, draw: Callable[[], float], circular: bool) -> float:
    """OGPM of one number on [0, 1), as it stands in a paper."""
    root = math.exp(epsilon / 2)
    width = 1 / (root + 1)
    if draw() < 1 / root:
        return draw()
    left = value - width / 2
    left = left % 1.0 if circular else min(max(left, 0.0), 1 - width)
    return (left + draw() * width) % 1.0


def plain_axes(points: list[list[float]]) -> list[tuple[float, float]]:
    """TraCS-C one location after another, with randomness from the operating system."""
    draw = random.SystemRandom().random
    return [(window(x, EPSILON / 2, draw, False), window(y, EPSILON / 2, draw, False)) for x, y in points]


def plain_directions(points: list[list[float]]) -> list[tuple[float, float]]:
    """TraCS-D on the unit square one location after another, with randomness from the operating system."""
    draw, share = random.SystemRandom().random, math.pi / (math.pi + 1)
    at_x, at_y, reports = 0.5, 0.5, []
    for x, y in points:
        angle = math.atan2(y - at_y, x - at_x) / (2 * math.pi) % 1.0
        way = math.hypot(x - at_x, y - at_y) / plain_reach(at_x, at_y, angle)
        angle = window(angle, share * EPSILON, draw, True)
        way = window(min(way, 1.0), (1 - share) * EPSILON, draw, False) * plain_reach(at_x, at_y, angle)
        at_x += way * math.cos(2 * math.pi * angle)
        at_y += way * math.sin(2 * math.pi * angle)
        reports.append((at_x, at_y))
    return reports


def plain_reach(x: float, y: float, angle: float) -> float:
    """The way from a point of the unit square to its boundary."""
    across, along = math.cos(2 * math.pi * angle), math.sin(2 * math.pi * angle)
    ways = [(1 - x) / across if across > 0 else -x / across] if across else []
    ways += [(1 - y) / along if along > 0 else -y / along] if along else []
    return min(ways)
