"""TraCS-D: locations randomized by direction and distance from a public reference."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from noisewright.domains import Cells, Circle, Floats, Interval, NumericDomain
from noisewright.errors import InvalidParameter
from noisewright.mechanisms import NumericMechanism
from noisewright.parameters import is_number
from noisewright.randomness import Stream
from noisewright.trajectory.coordinate import CoordinateMechanism
from noisewright.trajectory.polar_loop import polar_loop

PREVIOUS, CENTRE = "previous", "centre"
DIRECTIONS = Circle(2 * math.pi)
DISTANCES = Interval(0, 1)


@dataclass(frozen=True)
class TraCSD(CoordinateMechanism):
    """Randomize the direction from a public reference, and the share of the way to the boundary.

    The reference of a report is the report before it, and of a route's first report the centre of the space
    (Zheng 2026, alg. 1); or always the "centre", or another public point. A location equal to its reference
    is a location like any other: its share is 0, and its direction, which means nothing, is randomized all
    the same.

    >>> from noisewright.trajectory import Rectangle
    >>> mechanism = TraCSD(Rectangle(0, 0, 1, 1), epsilon=4.0, split="heuristic")
    >>> mechanism.perturb([(0.5, 0.5), (0.5, 0.5)]).shape, round(mechanism.direction.epsilon, 2)
    ((2, 2), 3.03)
    """

    reference: str | tuple[float, float] = PREVIOUS
    title: ClassVar[str] = "TraCS-D: direction and distance"

    def _prepare(self) -> None:
        self._check_reference()
        super()._prepare()

    def _check_reference(self) -> None:
        if isinstance(self.reference, str):
            if self.reference not in (PREVIOUS, CENTRE):
                known = f'"{PREVIOUS}", "{CENTRE}" or a point of the space'
                raise InvalidParameter(f"reference must be {known}, got {self.reference!r}")
            return
        point = tuple(self.reference)
        if len(point) != 2 or not all(map(is_number, point)) or not self.space.contains(point):
            raise InvalidParameter(f"the reference must be a point of {self.space!r}, got {self.reference!r}")
        object.__setattr__(self, "reference", (float(point[0]), float(point[1])))

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
