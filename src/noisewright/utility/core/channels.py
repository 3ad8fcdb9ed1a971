"""Channels as a prediction sees them: for one true value, the exact law of the report's cell.

A prediction asks a mechanism only one thing: how likely is a report on this side of a threshold? All laws of
this package are uniform over runs of neighbouring cells, so the answer is a cumulative that is linear between
whole numbers of cells, and exact there. Features are measured in *unit coordinates*: a value v of
[low, high] is u = (v − low)/(high − low), so one mechanism on [0, 1] serves every feature.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from noisewright.domains import Cells, Floats, Interval, NumericDomain
from noisewright.mechanisms import NumericMechanism
from noisewright.utility.core.shapes import Shape, shape_of

_SAME = 1e-9
"""Lattices that agree to this precision differ only by rounding."""

_KEPT = 4096
"""Number of laws of single true values that a channel caches."""


@dataclass(frozen=True)
class Lattice:
    """The points at which the reports of a channel can lie, in unit coordinates.

    >>> Lattice(0.0, 0.25, 4).centres([0, 3]).tolist()
    [0.125, 0.875]
    >>> Lattice(0.0, 0.25, 4).count_to([-1.0, 0.125, 0.5, np.inf]).tolist()
    [0, 1, 2, 4]
    """

    start: float
    pitch: float
    cells: int

    @classmethod
    def of(cls, domain: NumericDomain) -> Lattice:
        """Return the lattice of a domain."""
        return cls(domain.start, domain.pitch, domain.lattice)

    def centres(self, cells: ArrayLike) -> Floats:
        """Return the report that each cell stands for."""
        return np.asarray(self.start + (np.asarray(cells, dtype=np.float64) + 0.5) * self.pitch)

    def values(self, cells: ArrayLike, domain: Interval) -> Floats:
        """Return the reports of cells in the units of a feature: the exact doubles of its mechanism.

        That holds where the lattice lies on the cells of the interval, or on parts of it. Mechanisms with
        their own lattice (PM, SW and those based on them) differ in the last bits.
        """
        if not self.fits:
            return np.asarray(domain.low + self.centres(cells) * domain.length)
        parts, shift = round(1 / self.pitch), round(self.start / self.pitch)
        return Interval(domain.low, domain.high, cells=parts).centres(np.asarray(cells) + shift)

    @property
    def fits(self) -> bool:
        """Whether the lattice lies on equal parts of the interval, possibly continued beyond its ends."""
        parts, shift = round(1 / self.pitch), round(self.start / self.pitch)
        even = abs(parts * self.pitch - 1) < _SAME
        return even and abs(shift * self.pitch - self.start) < 1e-4 * self.pitch

    def count_values(self, points: ArrayLike, domain: Interval) -> Cells:
        """Return how many cells have their report at or below each point, both in the units of a feature."""
        wanted = np.asarray(points, dtype=np.float64)
        count = self.count_to((wanted - domain.low) / domain.length)
        for _ in range(2):  # scaling may move a point by some bits, past one report or two
            count = count - ((count > 0) & (self.values(count - 1, domain) > wanted))
        for _ in range(2):
            count = count + ((count < self.cells) & (self.values(count, domain) <= wanted))
        return np.asarray(count)

    def count_to(self, points: ArrayLike) -> Cells:
        """Return how many cells have their centre at or below each point, compared as doubles."""
        wanted = np.asarray(points, dtype=np.float64)
        place = np.clip((wanted - self.start) / self.pitch + 0.5, 0.0, self.cells)
        count = np.asarray(np.floor(place).astype(np.int64))
        count = count - ((count > 0) & (self.centres(count - 1) > wanted))
        return np.asarray(count + ((count < self.cells) & (self.centres(count) <= wanted)))


@dataclass(frozen=True, eq=False)
class CellLaw:
    """The exact law of the report's cell for one true value.

    ``cumulative`` is the probability of a cell below each knot; between two knots all cells are equally
    likely. The first knot is 0 and the last the number of cells.
    """

    lattice: Lattice
    knots: Cells
    cumulative: Floats

    def below(self, cells: ArrayLike) -> Floats:
        """Return the probability of a report in the cells [0, cells)."""
        return np.asarray(np.interp(np.asarray(cells), self.knots, self.cumulative))

    def mass(self, cells: ArrayLike) -> Floats:
        """Return the probability of each cell."""
        place = np.searchsorted(self.knots, np.asarray(cells), side="right") - 1
        return np.asarray(self._slopes[np.clip(place, 0, self._slopes.size - 1)])

    def draw(self, uniforms: ArrayLike) -> Cells:
        """Return the cells that numbers from [0, 1) lead to, by the inverse of the cumulative.

        It is for simulated reports; people's reports are drawn by ``mechanism.perturb``.
        """
        wanted = np.asarray(uniforms, dtype=np.float64)
        place = np.searchsorted(self.cumulative, wanted, side="right") - 1
        place = np.clip(place, 0, self._slopes.size - 1)
        with np.errstate(divide="ignore", invalid="ignore"):
            step = np.floor((wanted - self.cumulative[place]) / self._slopes[place])
        room = self.knots[place + 1] - self.knots[place] - 1
        return np.asarray(self.knots[place] + np.clip(np.nan_to_num(step), 0, room).astype(np.int64))

    @cached_property
    def _slopes(self) -> Floats:
        return np.asarray(np.diff(self.cumulative) / np.diff(self.knots))


@dataclass(frozen=True, eq=False)
class Channel:
    """One mechanism at one ε, on the unit interval.

    >>> from noisewright import Interval
    >>> from noisewright.mechanisms import OGPM
    >>> channel = Channel("OGPM", 2.0, OGPM(Interval(0, 1), epsilon=2.0))
    >>> law = channel.law(0.5)
    >>> inside = channel.lattice.count_to([0.2, 0.8])
    >>> round(float(np.diff(law.below(inside))[0]), 3)     # 1 − 0.4/e
    0.853
    """

    name: str
    epsilon: float
    mechanism: NumericMechanism
    _laws: OrderedDict[int, CellLaw] = field(default_factory=OrderedDict, repr=False)

    @cached_property
    def lattice(self) -> Lattice:
        """The points at which reports can lie."""
        return Lattice.of(self.mechanism.reports)

    @cached_property
    def shape(self) -> Shape:
        """The cumulative of the channel in closed form."""
        return shape_of(self.mechanism)

    def inputs(self, units: ArrayLike) -> Cells:
        """Return the cells that hold true values."""
        return self.mechanism.domain.snap(units)

    def below(self, units: ArrayLike, cells: ArrayLike) -> Floats:
        """Return P(report cell < cells) for many true values at once; both arrays broadcast."""
        return self.shape.below(self.inputs(units), np.asarray(cells, dtype=np.int64))

    def law(self, unit: float) -> CellLaw:
        """Return the law of the report's cell for one true value."""
        cell = int(self.inputs(np.array([unit]))[0])
        if cell not in self._laws:
            knots = self.shape.knots(cell)
            self._laws[cell] = CellLaw(self.lattice, knots, self.shape.below(np.int64(cell), knots))
            if len(self._laws) > _KEPT:
                self._laws.popitem(last=False)
        return self._laws[cell]
