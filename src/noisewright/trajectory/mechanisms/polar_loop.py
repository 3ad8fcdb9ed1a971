"""The fused loop of TraCS-D, where it applies; the reports are the same with it and without.

Every space except ``LocalMap`` has a loop: a report that leaves its box is moved in degrees, so a loop would
need both projections of the ellipsoid. One long route there takes the plain form, a point at a time.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

from noisewright.domains import Cells, Floats
from noisewright.mechanisms.basics.compiled import compiled
from noisewright.mechanisms.fused import fits_loop
from noisewright.mechanisms.piecewise import WindowMechanism
from noisewright.randomness import BLOCK, Stream
from noisewright.trajectory.spaces import Disk, LonLatPolygon, Parallelogram, Polygon, Space, Sphere
from noisewright.trajectory.spaces.polygon import Outline

if TYPE_CHECKING:
    from noisewright.trajectory.mechanisms.tracs import TraCSD


@dataclass(frozen=True, eq=False)
class Shape:
    """A loop of ``polar_kernels.py`` by its name, the numbers it takes, and the way to its coordinates."""

    loop: str
    numbers: tuple[Any, ...]
    to_plane: Callable[[Floats], Floats] = np.ascontiguousarray
    from_plane: Callable[[Floats], Floats] = np.ascontiguousarray


def shape_of(space: Space) -> Shape | None:
    """Return the shape of a space, or None where no loop was written for it.

    >>> shape_of(Disk(3, 4, radius=10)).loop
    'disk_reports'
    """
    if space.plane is not None:
        return Shape("polar_reports", space.plane.bounds, space.to_plane, space.from_plane)
    build = _SHAPES.get(type(space))
    return None if build is None else build(space)


def _outline(outline: Outline) -> tuple[float, Floats, Floats]:
    return outline.slack, np.ascontiguousarray(outline.corners), np.ascontiguousarray(outline.steps)


def _parallelogram(space: Any) -> Shape:
    normals, offsets = (np.ascontiguousarray(part) for part in (space.sides.normals, space.sides.offsets))
    return Shape("convex_reports", (space.corner, normals, offsets, *_outline(space.outline)))


def _polygon(space: Any) -> Shape:
    return Shape("polygon_reports", (space.bounds, *_outline(space.outline)))


# by the exact type: a space that inherits from one of these may differ
_SHAPES: dict[type[Space], Callable[[Any], Shape]] = {
    Disk: lambda disk: Shape("disk_reports", (disk.x, disk.y, disk.radius, disk.slack)),
    Parallelogram: _parallelogram,
    Polygon: _polygon,
    LonLatPolygon: lambda space: replace(  # in metres, on the chart of the box around it
        _polygon(space.area), to_plane=space.box.to_chart, from_plane=space.box.from_chart
    ),
    Sphere: lambda _: Shape("sphere_reports", ()),
}

WORTH_COMPILING = 1 << 13
"""Below this many locations the second that numba takes to load is not worth it."""

Loop = Callable[[Floats, Cells, Stream], Floats]


def kernels() -> ModuleType | None:
    """Return the compiled loops, if there are any."""
    return compiled("noisewright.trajectory.mechanisms.polar_kernels")


def polar_loop(mechanism: TraCSD, size: int) -> Loop | None:
    """Return a function that draws all routes with the fused loop, if there is one and it is worth it."""
    shape = shape_of(mechanism.space) if size >= WORTH_COMPILING else None
    windows = [channel for channel in mechanism.channels if isinstance(channel, WindowMechanism)]
    fit = [channel.reports == channel.domain and fits_loop(channel.window) for channel in windows]
    if shape is None or fit != [True, True] or (loops := kernels()) is None:
        return None
    fill = getattr(loops, shape.loop)
    first = shape.to_plane(mechanism.first_reference())
    channels = [_numbers(channel) for channel in mechanism.channels]

    def draw(points: Floats, starts: Cells, stream: Stream) -> Floats:
        begins = np.full(len(points), not mechanism.follows)
        begins[starts[:-1]] = True
        flat, reports = shape.to_plane(points), np.empty_like(points)
        words, reference = np.empty(2 * BLOCK, dtype=np.uint64), first.copy()
        for at in range(0, len(points), BLOCK):
            here = slice(at, at + BLOCK)
            block = words[: 2 * len(flat[here])]
            stream.fill(block)
            fill(flat[here], begins[here], block, reports[here], reference, shape.numbers, first, *channels)
        return shape.from_plane(reports)

    return draw


def _numbers(channel: Any) -> tuple[tuple[float, ...], tuple[Any, ...]]:
    """Return the numbers of a channel that the loop needs: its lattice, and its window."""
    domain, window = channel.domain, channel.window
    lattice = (domain.lattice / domain.length, float(domain.lattice - 1), channel.reports.pitch)
    return lattice, (
        window.slope, window.shift, float(window.furthest), float(window.cells),
        np.uint64(window.threshold), np.uint64(window.width), np.uint64(65 - window.cells.bit_length()),
    )  # fmt: skip
