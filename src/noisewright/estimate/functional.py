"""Numbers that are averaged over people: the share of a bin, the mean, a squared distance, a direction.

A functional gives a number ψ(x) to every true value x; what is estimated is its average over the people. The
estimates need to know where ψ jumps, how far it can bend between two places, and its least and largest value
over a stretch of true values, because the reports may not tell the values of a stretch apart.

**Unbiased functions of the reports** (:func:`invert`). Let Z have a row for each class of people and a column
for each part of the reports: the chance of the part. A function G of the part is unbiased for ψ if Z·G = ψ;
among those functions,

    G = W·Zᵀ·(Z·W·Zᵀ)⁻¹·ψ,     W = 1/expected shares of reports,

has the least variance. Any positive W keeps G unbiased. Because of ε-LDP no entry of Z·W exceeds e^ε, so
rare reports do no harm. Reports of several mechanisms are stacked, each with its share of all reports.

Some functionals are out of reach: twenty different reports cannot tell a hundred classes apart, and Laplace
noise blurs fine detail beyond recovery. Then no G is unbiased, but the bias of every G is known for each
class, whoever the people are: it lies between ``under`` and ``over``. The G with the narrowest interval,
bias included, is taken from a ladder that leaves out ever more of the blurred directions.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
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
        """Return the average over each bin between neighbouring edges, for people spread evenly over it."""

    @abstractmethod
    def ends(self, left: Floats, right: Floats) -> tuple[Floats, Floats]:
        """Return the least and the largest value over each closed stretch from left to right."""


@dataclass(frozen=True)
class Share(Functional):
    """1 for the values from ``low`` to ``high`` and 0 elsewhere: its average is a share of people.

    An end of an interval is not an edge, since nobody is beyond it. A circle has no ends: its bins meet at 0.

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


RANKS = (1e-13, 1e-11, 1e-9, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1)
"""Directions with a smaller share of the largest information are left out; the first is rounding."""

DUST = 1e-13
"""A share of reports that is rounding and not expectation."""

MISSED = 1e-6
"""A functional is out of reach if G misses it by more than this share of its size."""


@dataclass(frozen=True, eq=False)
class Inverse:
    """G for every mechanism (functionals × parts), and the least and the largest bias of each functional."""

    functions: list[Floats]
    under: Floats
    over: Floats


@dataclass(frozen=True, eq=False)
class Answers:
    """The average of G over the reports for each functional, its standard error, and G itself."""

    value: Floats
    stderr: Floats
    inverse: Inverse
    counts: Sequence[Floats]

    def covariance(self) -> Floats:
        """Return the covariance of the averages of several functionals."""
        total = sum(float(seen.sum()) for seen in self.counts)
        spread = np.zeros((self.value.size, self.value.size))
        for function, seen in zip(self.inverse.functions, self.counts, strict=True):
            mean = function @ seen / seen.sum()
            spread += (function * seen) @ function.T - seen.sum() * np.outer(mean, mean)
        return np.asarray(spread / total**2)


def invert(
    laws: Sequence[Floats],
    weights: Sequence[Floats],
    counts: Sequence[Floats],
    targets: Floats,
) -> Inverse:
    """Return the best G for every functional (rows of ``targets``) of the classes."""
    total = sum(float(seen.sum()) for seen in counts)
    weighted = [law * weight for law, weight in zip(laws, weights, strict=True)]
    information = np.zeros((laws[0].shape[0],) * 2)
    for seen, heavy, law in zip(counts, weighted, laws, strict=True):
        information += seen.sum() / total * (heavy @ law.T)
    solve = _Solver(information, total)
    solved, bias = solve(targets, RANKS[0])
    missed = np.abs(bias).max(axis=1) > MISSED * np.abs(targets).max(axis=1)
    if missed.any():
        solved[missed], bias[missed] = solve.narrowest(targets[missed])
    bias[~missed] = 0.0
    return Inverse([solved @ heavy for heavy in weighted], bias.min(axis=1), bias.max(axis=1))


def average(inverse: Inverse, counts: Sequence[Floats], expected: Sequence[Floats]) -> Answers:
    """Average G over the reports; its variance is measured on them and one expected report.

    One more report does not matter among many; it keeps the interval of a few that happen to be alike from
    shrinking to a point.
    """
    total = sum(int(seen.sum()) for seen in counts)
    value, variance = np.zeros_like(inverse.over), np.zeros_like(inverse.over)
    for function, seen, likely in zip(inverse.functions, counts, expected, strict=True):
        many = int(seen.sum())
        value += function @ seen / total
        more = (seen + likely / likely.sum()) / (many + 1)
        spread = function**2 @ more - (function @ more) ** 2
        variance += np.maximum(spread, 0.0) * (many + 1) / total**2
    return Answers(value, np.sqrt(variance), inverse, counts)


def weights_of(expected: Floats) -> Floats:
    """Return 1 over the expected shares of reports; 0 where none are expected, apart from rounding."""
    return np.where(expected > DUST, 1 / np.maximum(expected, DUST), 0.0)


class _Solver:
    """Solves for functionals with more or fewer of the directions that carry information."""

    def __init__(self, information: Floats, total: float) -> None:
        self._information, self._total = information, total
        self._scale = np.sqrt(np.diag(information))
        self._values, self._vectors = np.linalg.eigh(information / np.outer(self._scale, self._scale))

    def __call__(self, targets: Floats, rank: float) -> tuple[Floats, Floats]:
        """Return the coefficients, and their error for each class."""
        kept = self._values > rank * self._values[-1]
        vectors = self._vectors[:, kept]
        solved = ((targets / self._scale) @ (vectors / self._values[kept])) @ vectors.T / self._scale
        return solved, solved @ self._information - targets

    def narrowest(self, targets: Floats) -> tuple[Floats, Floats]:
        """Return each functional's solution of least half width, bias and two standard errors together."""
        tried = [self(targets, rank) for rank in RANKS]
        widths = np.array([self._half_width(*pair) for pair in tried])
        best = widths.argmin(axis=0)
        rows = np.arange(targets.shape[0])
        return tuple(np.array([pair[part] for pair in tried])[best, rows] for part in (0, 1))

    def _half_width(self, solved: Floats, bias: Floats) -> Floats:
        variance = np.einsum("ij,ij->i", solved @ self._information, solved) / self._total
        return np.asarray(np.ptp(bias, axis=1) / 2 + 2 * np.sqrt(np.maximum(variance, 0.0)))
