"""Moments from noisy records, with the noise removed, and the linear classifier that they make.

**Noise.** For every channel in use the mean report is a straight line in the true value z, and the mean
squared report a parabola. Both are read off the exact law:

    value = (report − shift) / slope,     E[value | z] = z,     E[value² | z] = noise + growth · z².

So the mean of the values estimates E z, and (mean of value² − noise)/growth estimates E z². Leaving the noise
in would make every column look wider and its weight smaller: the errors-in-variables bias.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from noisewright.domains import Cells, Floats
from noisewright.errors import InvalidParameter
from noisewright.learn.moments.moments import Measured, Moments, linear_from_moments
from noisewright.learn.questions.base import unit_channel
from noisewright.learn.questions.split import SampledQuestion, SplitQuestion
from noisewright.learn.rules import LinearRule

TOLERANCE: Final = 0.005
"""The largest distance of the mean report, in true values, from a straight line."""

LEAST_GROWTH: Final = 0.05
"""The growth below which squares are useless: Duchi's two reports have the same square."""

PLACES: Final = np.linspace(-1, 1, 65)


@dataclass(frozen=True)
class Calibration:
    """The line of the mean report and the parabola of the mean squared value.

    >>> found = calibration("Laplace", 1.0)          # the noise has variance 2·(2/ε)² = 8
    >>> abs(round(found.shift, 3)), round(found.slope, 3), round(found.noise, 2), round(found.growth, 3)
    (0.0, 1.0, 8.0, 1.0)
    """

    shift: float
    slope: float
    noise: float
    growth: float

    def values(self, reports: Floats) -> Floats:
        """Return unbiased values of the numbers behind some reports."""
        return np.asarray((reports - self.shift) / self.slope)

    @property
    def has_squares(self) -> bool:
        """Whether a report says anything about the square of its number."""
        return self.growth > LEAST_GROWTH

    def squares(self, values: Floats) -> Floats:
        """Return unbiased values of the squares of these numbers, if reports determine them at all."""
        return np.asarray((values**2 - self.noise) / self.growth)


@lru_cache(maxsize=256)
def calibration(mechanism: str, epsilon: float) -> Calibration:
    """Return the calibration of a channel for [−1, 1]; refuse a channel whose mean report bends.

    >>> calibration("OGPM", 1.0)
    Traceback (most recent call last):
    ...
    noisewright.errors.InvalidParameter: the mean report of OGPM is not a straight line in the true value; ...
    """
    law = unit_channel(mechanism, epsilon).law(PLACES)
    mean = law.mean()
    (shift, slope), bend = _fit_line(PLACES, mean)
    if bend > TOLERANCE * slope:
        raise InvalidParameter(
            f"the mean report of {mechanism} is not a straight line in the true value; moments need Laplace, "
            "PM, Hybrid, Duchi, UnbiasedOGPM, SW or designed"
        )
    (noise, growth), _ = _fit_line(PLACES**2, (law.variance() + (mean - shift) ** 2) / slope**2)
    return Calibration(shift, slope, noise, growth)


def _fit_line(places: Floats, heights: Floats) -> tuple[tuple[float, float], float]:
    """Return the line of least squares through some points, and the distance of the farthest from it."""
    slope, level = np.polyfit(places, heights, 1)
    return (float(level), float(slope)), float(np.abs(heights - level - slope * places).max())


RecordQuestion: TypeAlias = SplitQuestion | SampledQuestion


def linear_from_reports(answers: Floats, question: RecordQuestion) -> LinearRule:
    """Return Fisher's discriminant of the records behind some answers, not of the answers.

    >>> from noisewright.randomness import SeededSource
    >>> units, labels = np.linspace(-1, 1, 8000)[:, None], np.arange(8000) // 5000
    >>> question = SplitQuestion(4.0, width=1, mechanism="PM")
    >>> rule = linear_from_reports(question.answers(units, labels, SeededSource(1)), question)
    >>> round(-rule.intercept / float(rule.weights[0]), 1)
    0.2
    """
    return linear_from_moments(report_moments([(question, answers)]))


def report_moments(asked: Iterable[tuple[RecordQuestion, Floats]]) -> Moments:
    """Return the moments behind the answers to questions about parts of the same kind of record.

    Reports of different columns carry independent noise, so products of them are unbiased as they are; only
    a square contains its own noise, which the calibration of the channel removes.
    """
    batches = [_Batch.of(question, np.asarray(answers, dtype=np.float64)) for question, answers in asked]
    if not batches or len({batch.width for batch in batches}) > 1:
        raise InvalidParameter("moments need the answers to at least one question, all about equal records")
    width = batches[0].width
    label = _pool([(batch.signs[:, None], np.array([0])) for batch in batches], 1)
    means = _pool([(batch.values, batch.columns) for batch in batches], width)
    middle, lean = means.known(), float(label.known()[0])
    ties = _pool([(batch.ties(middle, lean), batch.columns) for batch in batches], width)
    spreads = _pool([(batch.spreads(middle), batch.pairs) for batch in batches], width**2)
    table = Measured(spreads.value.reshape(width, width), spreads.variance.reshape(width, width))
    return Moments(Measured(label.value[0], label.variance[0]), means, ties, table)


@dataclass(frozen=True, eq=False)
class _Batch:
    """The answers to one question as unbiased values, and their columns."""

    width: int
    columns: Cells
    values: Floats
    squares: Floats | None
    signs: Floats

    @classmethod
    def of(cls, question: RecordQuestion, answers: Floats) -> _Batch:
        split = question.reported if isinstance(question, SampledQuestion) else question
        asked = question.columns if isinstance(question, SampledQuestion) else range(split.width)
        if split.classes != 2 or answers.ndim != 2 or answers.shape[1] != split.width + 1:
            raise InvalidParameter(f"moments need rows of {split.width} reports and a label of two classes")
        channel = calibration(split.mechanism, split.column_epsilon)
        values = channel.values(answers[:, :-1])
        signs = (2 * answers[:, -1] - 1) / (2 * split.label_channel.hit - 1)
        squares = channel.squares(values) if channel.has_squares else None
        return cls(question.width, np.array(asked), values, squares, signs)

    @property
    def _measured(self) -> NDArray[np.bool_]:
        """Which pairs of its columns it measures: all, or all but squares."""
        own = np.eye(len(self.columns), dtype=bool)
        return ~own if self.squares is None else own | ~own

    @property
    def pairs(self) -> Cells:
        """The places of the pairs that it measures in a table of all columns, row by row."""
        return np.asarray(self.columns[:, None] * self.width + self.columns)[self._measured]

    def ties(self, middle: Floats, lean: float) -> Floats:
        """Return unbiased values of (z − middle)·(sign − lean)."""
        return np.asarray((self.values - middle[self.columns]) * (self.signs - lean)[:, None])

    def spreads(self, middle: Floats) -> Floats:
        """Return unbiased values of (z − middle)·(z′ − middle′) for these pairs."""
        centre = middle[self.columns]
        centred = self.values - centre
        table = centred[:, :, None] * centred[:, None, :]
        if self.squares is not None:
            own = np.arange(len(self.columns))
            table[:, own, own] = self.squares - 2 * centre * self.values + centre**2
        return np.asarray(table[:, self._measured])


def _pool(parts: list[tuple[Floats, Cells]], size: int) -> Measured:
    """Return means and variances of numbers of which each part holds some, from different people."""
    counts, sums, squares = np.zeros(size), np.zeros(size), np.zeros(size)
    for numbers, places in parts:
        counts[places] += len(numbers)
        sums[places] += numbers.sum(axis=0)
        squares[places] += (numbers**2).sum(axis=0)
    enough = counts > 1
    people = np.where(enough, counts, 2.0)
    mean = sums / people
    spread = np.maximum(squares / people - mean**2, 0.0) / (people - 1)
    return Measured(np.where(enough, mean, 0.0), np.where(enough, spread, np.inf))
