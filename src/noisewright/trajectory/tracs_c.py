"""TraCS-C: locations randomized along two fixed axes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from noisewright.domains import Cells, Floats, NumericDomain
from noisewright.mechanisms import NumericMechanism
from noisewright.randomness import BLOCK, Stream
from noisewright.trajectory.coordinate import CoordinateMechanism


@dataclass(frozen=True)
class TraCSC(CoordinateMechanism):
    """Randomize both coordinates of a location, each with its part of the budget (Zheng 2026, alg. 2).

    The published mechanism splits the budget evenly; "best" gives the longer side of the space more.

    >>> from noisewright.trajectory import Rectangle
    >>> mechanism = TraCSC(Rectangle(0, 0, 1, 1), epsilon=4.0)
    >>> mechanism.perturb([(0.2, 0.3), (0.25, 0.3)]).shape, round(mechanism.expected_error(), 2)
    ((2, 2), 0.28)
    """

    title: ClassVar[str] = "TraCS-C: two axes"

    @property
    def coordinates(self) -> tuple[NumericDomain, NumericDomain]:
        return self.space.axes

    @property
    def first(self) -> NumericMechanism:
        """The channel of the first axis."""
        return self.channels[0]

    @property
    def second(self) -> NumericMechanism:
        """The channel of the second axis."""
        return self.channels[1]

    def to_coordinates(self, references: Floats, points: Floats) -> tuple[Floats, Floats]:
        axes = self.space.to_axes(points)
        return axes[..., 0], axes[..., 1]

    def from_coordinates(self, references: Floats, first: Floats, second: Floats) -> Floats:
        return self.space.from_axes(np.stack([first, second], axis=-1))

    def _reports(self, points: Floats, starts: Cells, stream: Stream) -> Floats | None:
        upright = self.space.upright and all(channel.reports == channel.domain for channel in self.channels)
        if not upright and not self.space.contains(points).all():
            return None
        reports = np.empty_like(points)
        drawers = [channel.drawer(len(points)) for channel in self.channels]
        for at in range(0, len(points), BLOCK):
            here = slice(at, at + BLOCK)
            coordinates = points[here] if upright else self.space.to_axes(points[here])
            if not _draw_columns(drawers, coordinates, stream, reports[here]):
                return None
            if not upright:
                reports[here] = self.space.from_axes(reports[here])
        return reports


def _draw_columns(drawers: list[Any], values: Floats, stream: Stream, reports: Floats) -> bool:
    """Both columns of one block, each through a row of its own: the loops want neighbours side by side."""
    row = np.empty(len(values))
    for axis, draw in enumerate(drawers):
        if not draw(np.ascontiguousarray(values[:, axis]), stream, row):
            return False
        reports[:, axis] = row
    return True
