"""Numbers that are averaged over people: the share of a bin, the mean, a squared distance, a direction.

A functional gives a number ψ(x) to every true value x; what is estimated is its average over the people. The
estimates need to know where ψ jumps, how far it can bend between two places, and its least and largest value
over a stretch of true values, because the reports may not tell the values of a stretch apart.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np

from noisewright.domains import Circle, Floats, NumericDomain


class Functional(ABC):
    """A number for every true value, to be averaged over the people."""

    turns: tuple[float, ...] = ()
    """True values at which the functional jumps or turns; between them it is smooth."""

    bend: float = 0.0
    """The largest size of the second derivative between turns: 0 for steps and straight lines."""

    @abstractmethod
    def average(self, edges: Floats) -> Floats:
        """The average over each bin between neighbouring edges, for people spread evenly over it."""

    @abstractmethod
    def ends(self, left: Floats, right: Floats) -> tuple[Floats, Floats]:
        """The least and the largest value over each closed stretch from left to right."""


@dataclass(frozen=True)
class Share(Functional):
    """1 for the values from ``low`` to ``high`` and 0 elsewhere: its average is a share of people.

    An end of an interval is no edge, since nobody is beyond it. A circle has no ends: its bins meet at 0.

    >>> from noisewright import Interval
    >>> tenth = Share(Interval(0, 1), 0.0, 0.1)
    >>> tenth.turns, tenth.average(np.array([0.0, 0.2, 1.0])).tolist()
    ((0.1,), [0.5, 0.0])
    """

    domain: NumericDomain
    low: float
    high: float

    @property
    def turns(self) -> tuple[float, ...]:  # type: ignore[override]
        whole = self.domain.start + self.domain.length
        edges = [edge % whole if isinstance(self.domain, Circle) else edge for edge in self._edges]
        return tuple(edge for edge in edges if np.isfinite(edge))

    @property
    def _edges(self) -> tuple[float, float]:
        """The two ends; infinite where they are ends of the domain."""
        if isinstance(self.domain, Circle):
            return self.low, self.high
        low, high = self.domain.start, self.domain.start + self.domain.length
        return self.low if self.low > low else -np.inf, self.high if self.high < high else np.inf

    def average(self, edges: Floats) -> Floats:
        overlap = np.minimum(edges[1:], self.high) - np.maximum(edges[:-1], self.low)
        return np.asarray(np.clip(overlap / np.diff(edges), 0.0, 1.0))

    def ends(self, left: Floats, right: Floats) -> tuple[Floats, Floats]:
        low, high = self._edges
        inside, meets = (low <= left) & (right <= high), (low <= right) & (left <= high)
        if isinstance(self.domain, Circle):
            for turn in (-self.domain.period, self.domain.period):
                meets |= (low <= right + turn) & (left + turn <= high)
        return inside.astype(np.float64), meets.astype(np.float64)


@dataclass(frozen=True)
class Value(Functional):
    """The true value itself: its average is the mean."""

    def average(self, edges: Floats) -> Floats:
        return np.asarray((edges[1:] + edges[:-1]) / 2)

    def ends(self, left: Floats, right: Floats) -> tuple[Floats, Floats]:
        return left, right


@dataclass(frozen=True)
class Square(Functional):
    """The squared distance from a middle: its average is the variance if the middle is the mean."""

    middle: float
    bend = 2.0

    @property
    def turns(self) -> tuple[float, ...]:  # type: ignore[override]
        return (self.middle,)

    def average(self, edges: Floats) -> Floats:
        return np.asarray(np.diff((edges - self.middle) ** 3) / (3 * np.diff(edges)))

    def ends(self, left: Floats, right: Floats) -> tuple[Floats, Floats]:
        nearest = np.clip(self.middle, left, right)
        furthest = np.maximum((left - self.middle) ** 2, (right - self.middle) ** 2)
        return (nearest - self.middle) ** 2, furthest


@dataclass(frozen=True)
class Wave(Functional):
    """amplitude · cos(2π(x − peak)/period): averages of two of them make a mean direction.

    >>> [float(end[0].round(9)) for end in Wave(24.0, 6.0).ends(np.array([5.0]), np.array([18.0]))]
    [-1.0, 1.0]
    """

    period: float
    peak: float
    amplitude: float = 1.0

    @property
    def bend(self) -> float:  # type: ignore[override]
        return self.amplitude * (2 * np.pi / self.period) ** 2

    def average(self, edges: Floats) -> Floats:
        turn = 2 * np.pi / self.period
        return np.asarray(
            self.amplitude * np.diff(np.sin(turn * (edges - self.peak))) / (turn * np.diff(edges))
        )

    def ends(self, left: Floats, right: Floats) -> tuple[Floats, Floats]:
        at = [np.cos(2 * np.pi * (side - self.peak) / self.period) for side in (left, right)]
        turns = [(side - self.peak) / self.period for side in (left, right)]
        top = np.floor(turns[1]) >= np.ceil(turns[0])
        bottom = np.floor(turns[1] - 0.5) >= np.ceil(turns[0] - 0.5)
        low = np.where(bottom, -1.0, np.minimum(*at))
        high = np.where(top, 1.0, np.maximum(*at))
        return self.amplitude * low, self.amplitude * high
