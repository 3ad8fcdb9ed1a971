"""TraCS: locations randomized along two fixed axes (TraCS-C), or by direction and distance (TraCS-D)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from noisewright.domains import Cells, Circle, Floats, Interval, NumericDomain
from noisewright.errors import InvalidParameter
from noisewright.mechanisms import NumericMechanism
from noisewright.parameters import is_number
from noisewright.randomness import BLOCK, Stream
from noisewright.trajectory.mechanisms.coordinate import CoordinateMechanism
from noisewright.trajectory.mechanisms.polar_loop import polar_loop


@dataclass(frozen=True)
class TraCSC(CoordinateMechanism):
    """Randomize both coordinates of a location, each with its part of the budget (Zheng 2026, alg. 2).

    The published mechanism splits the budget evenly; "best" gives the longer side of the space more.

    Args:
        space: Where locations lie. It is public and must not come from the data.
        epsilon: The budget of one location, above 0 and at most 32.
        split: The share of ε for the first channel: a number between 0 and 1, "even", "heuristic" (π/(π + 1),
            for a direction) or "best" (the default), which looks for the least expected error in the space.
        channel: The mechanism of both coordinates by name, "optimal" for the least average error, or a pair.

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
            row = np.empty(len(coordinates))  # the loops need contiguous memory
            for axis, draw in enumerate(drawers):
                if not draw(np.ascontiguousarray(coordinates[:, axis]), stream, row):
                    return None
                reports[here, axis] = row
            if not upright:
                reports[here] = self.space.from_axes(reports[here])
        return reports


PREVIOUS, CENTRE = "previous", "centre"
DIRECTIONS = Circle(2 * math.pi)
DISTANCES = Interval(0, 1)


@dataclass(frozen=True)
class TraCSD(CoordinateMechanism):
    """Randomize the direction from a public reference, and the share of the way to the boundary.

    A location equal to its reference is a location like any other: its share is 0, and its direction, which
    means nothing, is randomized all the same.

    Args:
        space: Where locations lie. It is public and must not come from the data.
        epsilon: The budget of one location, above 0 and at most 32.
        split: The share of ε for the first channel: a number between 0 and 1, "even", "heuristic" (π/(π + 1),
            for a direction) or "best" (the default), which looks for the least expected error in the space.
        channel: The mechanism of both coordinates by name, "optimal" for the least average error, or a pair.
        reference: What a report refers to: the "previous" report (the default; Zheng 2026, alg. 1), which for
            a route's first is the centre of the space; always the "centre"; or another public point.

    >>> from noisewright.trajectory import Rectangle
    >>> mechanism = TraCSD(Rectangle(0, 0, 1, 1), epsilon=4.0, split="heuristic")
    >>> mechanism.perturb([(0.5, 0.5), (0.5, 0.5)]).shape, round(mechanism.direction.epsilon, 2)
    ((2, 2), 3.03)
    """

    reference: str | tuple[float, float] = PREVIOUS
    title: ClassVar[str] = "TraCS-D: direction and distance"

    def _prepare(self) -> None:
        if not isinstance(self.reference, str):
            point = tuple(self.reference)
            if len(point) != 2 or not all(map(is_number, point)) or not self.space.contains(point):
                raise InvalidParameter(
                    f"must be a point of the space, got {self.reference!r}", field="reference"
                )
            object.__setattr__(self, "reference", (float(point[0]), float(point[1])))
        elif self.reference not in (PREVIOUS, CENTRE):
            known = f'"{PREVIOUS}", "{CENTRE}" or a point of the space'
            raise InvalidParameter(f"must be {known}, got {self.reference!r}", field="reference")
        super()._prepare()

    @property
    def coordinates(self) -> tuple[NumericDomain, NumericDomain]:
        return DIRECTIONS, DISTANCES

    @property
    def direction(self) -> NumericMechanism:
        """The channel of directions."""
        return self.channels[0]

    @property
    def distance(self) -> NumericMechanism:
        """The channel of shares of the way to the boundary."""
        return self.channels[1]

    @property
    def follows(self) -> bool:
        """Whether each report is the reference of the next."""
        return self.reference == PREVIOUS

    def first_reference(self) -> Floats:
        return self.space.centre if isinstance(self.reference, str) else np.array(self.reference)

    def to_coordinates(self, references: Floats, points: Floats) -> tuple[Floats, Floats]:
        return self.space.to_polar(references, points)

    def from_coordinates(self, references: Floats, first: Floats, second: Floats) -> Floats:
        return self.space.from_polar(references, first, np.clip(second, 0.0, 1.0))

    def _reports(self, points: Floats, starts: Cells, stream: Stream) -> Floats | None:
        loop = polar_loop(self, len(points))
        if loop is None:
            return super()._reports(points, starts, stream)
        return loop(points, starts, stream) if self.space.contains(points).all() else None
