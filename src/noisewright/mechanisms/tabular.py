"""Tabular mechanisms: an integer law for every point of a grid, checked column by column.

The domain is cut into ``points`` equal parts; a true value takes the law of its part, and reports are
parts too. Any matrix of probabilities can be made into such a mechanism.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar

import numpy as np

from noisewright.domains import Cells, Circle, Floats, Interval, NumericDomain
from noisewright.mechanisms.basics.tables import (
    MOST_POINTS,
    Table,
    exponential_law,
    prove_table,
    proved_table,
)
from noisewright.mechanisms.law import Law
from noisewright.mechanisms.numeric import NumericMechanism
from noisewright.parameters import whole
from noisewright.randomness import Stream


@dataclass(frozen=True)
class GridMechanism(NumericMechanism):
    """A mechanism with one integer law for each part of a grid.

    Args:
        domain: Where true values live.
        epsilon: The budget of one report.
        points: The number of equal parts of the domain, 2 to ``MOST_POINTS`` and at most one a cell;
            ``usual_points`` of the mechanism if not given, or all cells of a domain that has fewer.

    """

    points: int = None  # type: ignore[assignment]  # never None once it is built

    usual_points: ClassVar[int] = 512
    """The default; parts are small, because reports cannot distinguish values within a part."""

    def _prepare(self) -> None:
        most = min(self.domain.lattice, MOST_POINTS)
        wanted = min(self.usual_points, most) if self.points is None else self.points
        object.__setattr__(self, "points", whole("points", wanted, 2, most))

    @abstractmethod
    def ideal(self, budget: float) -> Floats:
        """Return the matrix of probabilities that the mechanism has on paper, one row per input."""

    @cached_property
    def table(self) -> Table:
        """The integers that are sampled."""
        return proved_table(self.ideal, self.epsilon)

    @cached_property
    def reports(self) -> NumericDomain:
        own = self._own_cells
        assert isinstance(own, (Interval, Circle))
        return replace(own, cells=self.points)

    def rows(self, cells: Cells) -> Cells:
        """Return the part of the grid that holds each cell of the domain's lattice."""
        return np.asarray(cells) * self.points // self.domain.lattice

    def _prove(self) -> float:
        return prove_table(self.table, self.epsilon)

    def word_counts(self, cell: int) -> tuple[list[int], int]:
        row = int(self.rows(np.array([cell]))[0])
        return self.table.weights[row].tolist(), 1 << self.table.bits

    def _draw_cells(self, cells: Cells, stream: Stream) -> Cells:
        return self.table.draw_rows(self.rows(cells), stream.draw(cells.size))

    def _law(self, cells: Cells, truth: Floats) -> Law:
        places = np.arange(self.points, dtype=np.float64)
        return Law(truth, self.reports, self.domain, places, np.ones(1), self.table.masses[self.rows(cells)])

    def _search_cells(self) -> Cells:
        """Return the ends of the parts: within a part the law is fixed, so its worst value is at an end."""
        first = -(-np.arange(self.points) * self.domain.lattice // self.points)
        return np.unique(np.concatenate([first, first[1:] - 1, [self.domain.lattice - 1]]))

    def _distances(self) -> Floats:
        """Return the distances between the points of the grid, in parts."""
        centres = self.reports.centres(np.arange(self.points))
        return self.domain.distance(centres[:, None], centres[None, :]) / self.reports.pitch


@dataclass(frozen=True)
class BoundedLaplace(GridMechanism):
    """A Laplace-shaped law on the domain itself, normalized for every true value.

    The normalization depends on the true value, so the scale must grow until the *whole* ratio is at
    most e^ε (Holohan et al. 2018); scale = length/ε with one constant for all values is not even a law.

    >>> law = BoundedLaplace(Interval(0, 1), epsilon=1.0).law(0.5)
    >>> round(law.mass(0.0, 1.0), 12)
    1.0
    """

    title: ClassVar[str] = "Bounded Laplace"
    summary: ClassVar[str] = "Laplace shape on the interval, normalized and calibrated for every value"
    domains: ClassVar[tuple[type[NumericDomain], ...]] = (Interval,)

    def ideal(self, budget: float) -> Floats:
        low, high = budget / 8, 2 * budget
        for _ in range(50):
            middle = (low + high) / 2
            low, high = (middle, high) if _largest_log_ratio(self._shape(middle)) <= budget else (low, middle)
        return self._shape(low)

    def _shape(self, fall: float) -> Floats:
        """Return rows proportional to e^(−fall·distance), in lengths between the outermost points."""
        law = np.exp(-fall * self._distances() / (self.points - 1))
        return np.asarray(law / law.sum(axis=1, keepdims=True))


@dataclass(frozen=True)
class Exponential(GridMechanism):
    """The exponential mechanism on a grid, with minus the distance as its score.

    It is calibrated as in the textbook, e^(−ε·distance/(2·largest distance)). On a whole interval or circle
    that spends only half of ε, as ``epsilon_upper`` shows.

    >>> mechanism = Exponential(Interval(0, 1), epsilon=2.0, points=64)
    >>> round(mechanism.epsilon_upper, 6)
    1.0
    """

    title: ClassVar[str] = "Exponential mechanism"
    summary: ClassVar[str] = "textbook score mechanism on a grid"
    domains: ClassVar[tuple[type[NumericDomain], ...]] = (Interval, Circle)

    def ideal(self, budget: float) -> Floats:
        return exponential_law(self._distances(), budget / 2)


@dataclass(frozen=True)
class BinnedKRR(GridMechanism):
    """k-RR over the equal parts of a domain; reports are the centres of parts.

    With k parts, the value's own part is reported with probability e^ε/(k − 1 + e^ε), and each other part
    with probability 1/(k − 1 + e^ε) (Kairouz et al. 2014). It is the plainest way to randomize a number with
    a mechanism for labels. The report forgets which parts are neighbours, so it pays off only with few parts
    or a large budget.

    >>> law = BinnedKRR(Interval(0, 1), epsilon=2.0, points=100).law(0.5)
    >>> round(law.mass(0.5, 0.51), 4)       # e²/(99 + e²), the part that begins at 0.5
    0.0695
    >>> round(law.mass(0.2, 0.8), 4)        # 60 of the 100 parts, the value's own among them
    0.624
    """

    usual_points: ClassVar[int] = 100  # more parts cost this mechanism more than rounding does
    title: ClassVar[str] = "k-RR on equal parts (k-RR)"
    summary: ClassVar[str] = "the part that holds the value, or any other part alike; blind to distances"
    domains: ClassVar[tuple[type[NumericDomain], ...]] = (Interval, Circle)

    def ideal(self, budget: float) -> Floats:
        """Return one row for each part: 1 for the part itself, e^(−budget) for every other, normalized."""
        other = math.exp(-budget)
        law = np.full((self.points, self.points), other)
        np.fill_diagonal(law, 1.0)
        return np.asarray(law / (1.0 + (self.points - 1) * other))


def _largest_log_ratio(law: Floats) -> float:
    """Return the ε of a matrix of probabilities, in floating point: a first guess, not a proof."""
    return math.log(float((law.max(axis=0) / law.min(axis=0)).max()))
