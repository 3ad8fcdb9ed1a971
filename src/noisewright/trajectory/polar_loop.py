"""Choosing the fused loop of TraCS-D where it applies; the choice never shows in the reports.

Every space has a loop but ``LocalMap``: a report that leaves its box is moved in degrees, so its loop would
need both projections of the ellipsoid. One long route there takes the plain form, a point at a time.
"""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

from noisewright.domains import Cells, Floats
from noisewright.mechanisms import NumericMechanism
from noisewright.mechanisms.compiled import compiled
from noisewright.mechanisms.fused import fits_loop
from noisewright.mechanisms.piecewise import WindowMechanism
from noisewright.randomness import BLOCK, Stream
from noisewright.trajectory.polar_shapes import shape_of

if TYPE_CHECKING:
    from noisewright.trajectory.tracs_d import TraCSD

WORTH_COMPILING = 1 << 13
"""Below this many locations the second that numba takes to load is not worth it."""

Loop = Callable[[Floats, Cells, Stream], Floats]


def kernels() -> ModuleType | None:
    """The compiled loops, if there are any."""
    return compiled("noisewright.trajectory.polar_kernels")


def polar_loop(mechanism: TraCSD, size: int) -> Loop | None:
    """A function that draws all routes with the fused loop, if there is one and it is worth it."""
    shape = shape_of(mechanism.space) if size >= WORTH_COMPILING else None
    if shape is None or not all(map(_fits, mechanism.channels)) or (loops := kernels()) is None:
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


def _fits(channel: NumericMechanism) -> bool:
    if not isinstance(channel, WindowMechanism) or channel.reports != channel.domain:
        return False
    return fits_loop(channel.window)


def _numbers(channel: Any) -> tuple[tuple[float, ...], tuple[Any, ...]]:
    """What the loop needs of a channel: its lattice, and its window."""
    domain, window = channel.domain, channel.window
    lattice = (domain.lattice / domain.length, float(domain.lattice - 1), channel.reports.pitch)
    return lattice, (
        window.slope, window.shift, float(window.furthest), float(window.cells),
        np.uint64(window.threshold), np.uint64(window.width), np.uint64(65 - window.cells.bit_length()),
    )  # fmt: skip
