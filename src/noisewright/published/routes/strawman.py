"""The strawman: TraCS-D with k-RR over fixed sectors in place of a window around the true direction."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import ClassVar

import numpy as np

from noisewright.design.allocation import fit_shares
from noisewright.domains import Cells, Circle, Floats, Interval
from noisewright.errors import InvalidParameter
from noisewright.guarantees.base import round_up
from noisewright.mechanisms import OGPM
from noisewright.mechanisms.basics.window import POSITION_BITS, Window
from noisewright.mechanisms.categorical.krr import respond, response_window
from noisewright.parameters import EPSILON, is_number, whole
from noisewright.published.routes.base import Baseline, RealGuarantee
from noisewright.randomness import Stream
from noisewright.trajectory.mechanisms.coordinate import NAMED_SPLITS
from noisewright.trajectory.mechanisms.location import follow
from noisewright.trajectory.spaces import Space

SECTOR_CELLS = 1 << 16
"""Directions within one sector, all equally likely once the sector is reported."""


@dataclass(frozen=True)
class Strawman(Baseline):
    """Report a sector of directions by k-RR, a direction anywhere in it, and a distance by OGPM.

    The true sector is reported with probability e^ε/(k − 1 + e^ε), any other with 1/(k − 1 + e^ε). (Code that
    flips with probability 1/(k − 1 + e^ε) in all, as was published, spends 3.7 where ε = 1 and k = 6.) The
    direction within the sector is independent noise, so direction and distance spend exactly their two shares
    of ε. References are as in TraCS-D: the previous report, and at first the centre of the space.

    Args:
        space: Where locations lie.
        epsilon: The budget of one location.
        sectors: The number k of sectors, 2 to 64.
        split: The share of ε for the direction; π/(π + 1) by default.

    >>> from noisewright.trajectory import Rectangle
    >>> method = Strawman(Rectangle(0, 0, 1, 1), epsilon=4.0)
    >>> method.perturb([(0.5, 0.5), (0.2, 0.9)]).shape, method.real_guarantee.kept
    ((2, 2), True)
    """

    space: Space
    epsilon: float
    sectors: int = 6
    split: float = NAMED_SPLITS["heuristic"]
    title: ClassVar[str] = "strawman (k-RR + uniform)"

    def __post_init__(self) -> None:
        if not isinstance(self.space, Space):
            raise InvalidParameter(f"Strawman needs a space such as Rectangle, got {self.space!r}")
        object.__setattr__(self, "epsilon", EPSILON.check(self.epsilon))
        object.__setattr__(self, "sectors", whole("sectors", self.sectors, 2, 64))
        if not is_number(self.split) or not 0 < self.split < 1:
            raise InvalidParameter(f"must be a share between 0 and 1, got {self.split!r}", field="split")

    @property
    def area(self) -> Space:
        return self.space

    @cached_property
    def _budgets(self) -> list[float]:
        return fit_shares(self.epsilon, [self.split, 1 - self.split])

    @cached_property
    def response(self) -> Window:
        """k-RR over the sectors."""
        return response_window(self.sectors, self._budgets[0])

    @cached_property
    def distance(self) -> OGPM:
        """The channel of shares of the way to the boundary."""
        return OGPM(Interval(0, 1), self._budgets[1])

    @cached_property
    def directions(self) -> Circle:
        """The lattice of directions, with equally many cells in each sector."""
        return Circle(2 * math.pi, cells=self.sectors * SECTOR_CELLS)

    @cached_property
    def real_guarantee(self) -> RealGuarantee:
        parts = [self.response.prove(self._budgets[0]), self.distance.epsilon_upper]
        real = min(round_up(sum(map(Fraction, parts), Fraction(0))), self.epsilon)
        return RealGuarantee(self.epsilon, real, "k-RR and OGPM spend their shares and no more")

    def _reports(self, truth: Floats, starts: Cells, stream: Stream) -> Floats:
        return follow(self._draw, self.space.centre, truth, starts, stream)

    def _draw(self, references: Floats, points: Floats, stream: Stream) -> Floats:
        angles, shares = self.space.to_polar(references, points)
        distances = self.distance.domain.snap(shares)
        reported = self.distance.reports.centres(self.distance._draw_cells(distances, stream))
        return self.space.from_polar(references, self.draw_directions(angles, stream), reported)

    def draw_directions(self, angles: Floats, stream: Stream) -> Floats:
        """Draw a direction for each true one: its sector by k-RR, the place within the sector at random."""
        sectors = self.directions.snap(angles) // SECTOR_CELLS
        reported = respond(self.response, sectors, stream.draw(angles.size))
        positions = stream.draw(angles.size) >> np.uint64(64 - POSITION_BITS)
        within = (positions * np.uint64(SECTOR_CELLS)) >> np.uint64(POSITION_BITS)
        return self.directions.centres(reported * SECTOR_CELLS + within.astype(np.int64))
