"""Additive mechanisms: the true cell plus noise in whole cells, held in a fixed report range.

None of them is a float drawn from a float. The sum is clamped to a range that is the same for every
input and within reach from every input, so two inputs always have the same possible reports; unlike the
textbook's, the tails are finite, and the guarantee is that of the integers.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from noisewright.domains import Cells, Circle, Floats, Interval, NumericDomain
from noisewright.errors import InvalidParameter
from noisewright.mechanisms.basics.tables import closest_proved
from noisewright.mechanisms.law import Law
from noisewright.mechanisms.noise import (
    MOST_STEPS,
    Noise,
    Steps,
    circular_noise,
    prove_pure_anywhere,
)
from noisewright.mechanisms.numeric import NumericMechanism
from noisewright.randomness import Stream
from noisewright.text import epsilon_words

FINEST = 2.0**-7
"""Largest fall of the log-density from one step of smooth noise to the next; costs about FINEST²/24."""

FURTHEST = 22.0
"""Log-odds at which smooth noise ends in its tail: a share e⁻²² of the reports lies there."""

LEAST_EPSILON = 1e-6
"""Below this, neighbouring weights are nearly equal integers."""


@dataclass(frozen=True)
class LineNoise(NumericMechanism):
    """True cell plus noise on a line, clamped to the report range."""

    domains: ClassVar[tuple[type[NumericDomain], ...]] = (Interval,)
    grid: ClassVar[int] = 33
    average_places: ClassVar[int] = 257
    most_values: ClassVar[int] = 257

    def _prepare(self) -> None:
        if self.epsilon < LEAST_EPSILON:
            raise InvalidParameter(
                f"epsilon = {epsilon_words(self.epsilon)} is too small for exact additive noise"
            )

    @property
    @abstractmethod
    def steps(self) -> Steps:
        """Where the steps of the noise lie."""

    @cached_property
    @abstractmethod
    def noise(self) -> Noise:
        """The calibrated noise."""

    @cached_property
    def reports(self) -> NumericDomain:
        margin = self.steps.margin
        low, high = self.domain.start - margin * self.domain.pitch, self.domain.start + self.domain.length
        return Interval(low, high + margin * self.domain.pitch, cells=self.domain.lattice + 2 * margin)

    def word_counts(self, cell: int) -> tuple[list[int], int]:
        counts = [0] * self.reports.lattice
        for offset, outcomes in self.noise.outcomes().items():
            place = min(max(cell + offset + self.steps.margin, 0), len(counts) - 1)
            counts[place] += outcomes
        return counts, self.noise.total

    def _draw_cells(self, cells: Cells, stream: Stream) -> Cells:
        shifted = cells + self.noise.draw_from(stream, cells.size) + self.steps.margin
        return np.asarray(np.clip(shifted, 0, self.reports.lattice - 1))

    def _law(self, cells: Cells, truth: Floats) -> Law:
        start = np.asarray(cells, dtype=np.float64)[..., None] + (self.noise.starts + self.steps.margin)
        widths, masses = self.noise.widths.astype(np.float64), self.noise.table.masses
        free = Law(truth, self.reports, self.domain, start, widths, masses)
        return free.clamped(0, self.reports.lattice, self.reports)


@dataclass(frozen=True)
class DecayingNoise(LineNoise):
    """Noise whose weights fall by the same factor from step to step, spending ε over the whole domain."""

    @property
    def decay(self) -> float:
        """The fall of the log-weight from one step to the next."""
        return self.epsilon / -(-(self.domain.lattice - 1) // self.steps.width)

    @cached_property
    def noise(self) -> Noise:
        return closest_proved(self._noise)

    def _noise(self, retreat: float) -> Noise:
        noise = self.steps.decaying(self.decay * (1 - retreat), self.epsilon)
        self.steps.prove_pure(noise, self.epsilon)
        return noise

    def _prove(self) -> float:
        return self.steps.prove_pure(self.noise, self.epsilon)

    @property
    def fine_width(self) -> int:
        """The width of a step at which the noise is nearly smooth."""
        span = self.domain.lattice - 1
        return -(-span // min(math.ceil(self.epsilon / FINEST), span))

    @property
    def furthest(self) -> int:
        """The magnitude at which the noise has fallen by FURTHEST."""
        reach = math.ceil((FURTHEST / self.epsilon + 1) * self.domain.lattice)
        if reach > MOST_STEPS * self.fine_width:
            raise InvalidParameter(
                f"epsilon = {epsilon_words(self.epsilon)} is too small for exact additive noise; use "
                "4e-4 or more"
            )
        return reach


@dataclass(frozen=True)
class Laplace(DecayingNoise):
    """Laplace noise of scale (length of the domain)/ε: unbiased, reports far beyond the ends.

    >>> mechanism = Laplace(Interval(0, 1), epsilon=1.0)
    >>> round(mechanism.worst_error("absolute"), 3), round(mechanism.law(0.3).mean(), 5)
    (1.0, 0.3)
    """

    title: ClassVar[str] = "Laplace"
    summary: ClassVar[str] = "unbiased; reports far beyond the ends"

    @cached_property
    def steps(self) -> Steps:
        return Steps.cut(self.domain.lattice, self.fine_width // 2, self.fine_width, self.furthest)


@dataclass(frozen=True)
class TruncatedLaplace(DecayingNoise):
    """Laplace noise with reports moved to the ends of the domain: less error, biased near the ends.

    >>> TruncatedLaplace(Interval(0, 1), epsilon=1.0).law(0.0).mass(0.0, 0.00001) > 0.49
    True
    """

    title: ClassVar[str] = "Truncated Laplace"
    summary: ClassVar[str] = "Laplace with outside reports moved to the ends"

    @cached_property
    def steps(self) -> Steps:
        return Steps.cut(self.domain.lattice, self.fine_width // 2, self.fine_width, 0, margin=0)


@dataclass(frozen=True)
class Staircase(DecayingNoise):
    """The staircase mechanism of Geng and Viswanath (2014): the least |error| of all unbounded noise.

    Steps as wide as the domain, and a centre of half-width γ = 1/(1 + e^(ε/2)) of it; the expected
    |error| is e^(ε/2)/(e^ε − 1) lengths of the domain.

    >>> round(Staircase(Interval(0, 1), epsilon=2.0).worst_error("absolute"), 4)   # e/(e² − 1)
    0.4255
    """

    title: ClassVar[str] = "Staircase"
    summary: ClassVar[str] = "unbiased; least |error| of all unbounded noise"

    @cached_property
    def steps(self) -> Steps:
        width = self.domain.lattice - 1
        half = max(0, round(width / (1 + math.exp(self.epsilon / 2)) - 0.5))
        return Steps.cut(self.domain.lattice, half, width, self.furthest)


@dataclass(frozen=True)
class Purkayastha(NumericMechanism):
    """Laplace-like noise along the circle (Weggenmann and Kerschbaum 2021, here for directions in the plane).

    The density falls as e^(−ε·distance/half the period); it is turned to the true value.

    >>> mechanism = Purkayastha(Circle(24), epsilon=2.0)
    >>> round(mechanism.law(6.5).mean(), 3)
    6.5
    """

    title: ClassVar[str] = "Purkayastha"
    summary: ClassVar[str] = "Laplace-like noise along the circle"
    domains: ClassVar[tuple[type[NumericDomain], ...]] = (Circle,)
    grid: ClassVar[int] = 33
    average_places: ClassVar[int] = 257

    @cached_property
    def noise(self) -> Noise:
        """The calibrated noise."""
        return closest_proved(self._noise)

    def _noise(self, retreat: float) -> Noise:
        around = self.domain.lattice // 2
        width = -(-around // min(math.ceil(self.epsilon / FINEST), around))
        falls = -(-(around - width // 2) // width)
        noise = circular_noise(self.domain.lattice, width // 2, width, self.epsilon * (1 - retreat) / falls)
        prove_pure_anywhere(noise, self.epsilon)
        return noise

    @property
    def reports(self) -> NumericDomain:
        return self.domain

    def _prove(self) -> float:
        return prove_pure_anywhere(self.noise, self.epsilon)

    def word_counts(self, cell: int) -> tuple[list[int], int]:
        counts = [0] * self.domain.lattice
        for offset, outcomes in self.noise.outcomes().items():
            counts[(cell + offset) % len(counts)] += outcomes
        return counts, self.noise.total

    def _draw_cells(self, cells: Cells, stream: Stream) -> Cells:
        return np.asarray(np.mod(cells + self.noise.draw_from(stream, cells.size), self.domain.lattice))

    def _law(self, cells: Cells, truth: Floats) -> Law:
        start = np.mod(np.asarray(cells)[..., None] + self.noise.starts, self.domain.lattice).astype(
            np.float64
        )
        widths = self.noise.widths.astype(np.float64)
        return Law(truth, self.domain, self.domain, start, widths, self.noise.table.masses)
