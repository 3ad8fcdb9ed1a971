"""What the fused loops of TraCS-D need to know of a space: which loop it is, and its numbers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from noisewright.domains import Floats
from noisewright.trajectory.spaces import Disk, LonLatPolygon, Parallelogram, Polygon, Space, Sphere
from noisewright.trajectory.spaces.outline import Outline


@dataclass(frozen=True, eq=False)
class Shape:
    """A loop of ``polar_kernels.py`` by its name, the numbers it takes, and the way to its coordinates."""

    loop: str
    numbers: tuple[Any, ...]
    to_plane: Callable[[Floats], Floats] = np.ascontiguousarray
    from_plane: Callable[[Floats], Floats] = np.ascontiguousarray


def shape_of(space: Space) -> Shape | None:
    """The shape of a space, or nothing where no loop was written for it.

    >>> shape_of(Disk(3, 4, radius=10)).loop
    'disk_reports'
    """
    if space.plane is not None:
        return Shape("polar_reports", space.plane.bounds, space.to_plane, space.from_plane)
    build = _SHAPES.get(type(space))
    return None if build is None else build(space)


def _disk(space: Any) -> Shape:
    return Shape("disk_reports", (space.x, space.y, space.radius, space.slack))


def _parallelogram(space: Any) -> Shape:
    normals, offsets = (np.ascontiguousarray(part) for part in (space.sides.normals, space.sides.offsets))
    return Shape("convex_reports", (space.corner, normals, offsets, *_outline(space.outline)))


def _polygon(space: Any) -> Shape:
    return Shape("polygon_reports", (space.bounds, *_outline(space.outline)))


def _lonlat_polygon(space: Any) -> Shape:
    """The polygon in metres, on the chart of the box around it."""
    return Shape("polygon_reports", _polygon(space.area).numbers, space.box.to_chart, space.box.from_chart)


def _sphere(_: Any) -> Shape:
    return Shape("sphere_reports", ())


def _outline(outline: Outline) -> tuple[float, Floats, Floats]:
    return outline.slack, np.ascontiguousarray(outline.corners), np.ascontiguousarray(outline.steps)


# by the very type: a space that inherits from one of these may have other ways
_SHAPES: dict[type[Space], Callable[[Any], Shape]] = {
    Disk: _disk,
    Parallelogram: _parallelogram,
    Polygon: _polygon,
    LonLatPolygon: _lonlat_polygon,
    Sphere: _sphere,
}
