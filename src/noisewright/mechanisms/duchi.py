"""Duchi's binary mechanism and its hybrid with PM: well-known unbiased mechanisms.

Duchi et al. report one of two values. This is the same as rounding the true value to one end of the domain
at random, without bias, and passing that bit through randomized response; so a draw is two integer
comparisons.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from noisewright.domains import Cells, Floats, Interval, NumericDomain
from noisewright.errors import GuaranteeBroken, InvalidParameter
from noisewright.mechanisms.basics.exact import Worst, exp_lower
from noisewright.mechanisms.law import Law
from noisewright.mechanisms.numeric import NumericMechanism
from noisewright.mechanisms.piecewise import PM
from noisewright.randomness import Stream
from noisewright.text import epsilon_words

BITS = 60
ROUNDING_BITS = 40
COIN_BITS = 24


@dataclass(frozen=True)
class Bit:
    """Random rounding to an end of the domain, then randomized response with ``honest`` of 2⁶⁰ words."""

    cells: int
    honest: int

    def upward(self, cells: Cells) -> Cells:
        """Count the positions, out of 2⁴⁰, that round a cell's centre up to the high end."""
        return np.asarray(((2 * cells + 1) << (ROUNDING_BITS - 1)) // self.cells)

    def draw(self, cells: Cells, stream: Stream) -> Cells:
        """Draw 1 for a report at the high side, 0 for one at the low side."""
        rounding, answers = stream.draw(cells.size), stream.draw(cells.size)
        up = (rounding >> np.uint64(64 - ROUNDING_BITS)).astype(np.int64) < self.upward(cells)
        honest = (answers >> np.uint64(64 - BITS)).astype(np.int64) < self.honest
        return np.asarray(up == honest, dtype=np.int64)

    def outcomes(self, cell: int) -> tuple[int, int]:
        """Count the outcomes, out of 2¹⁰⁰, that report low and that report high."""
        up = int(self.upward(np.array([cell]))[0])
        lie = (1 << BITS) - self.honest
        high = up * self.honest + ((1 << ROUNDING_BITS) - up) * lie
        return (1 << (BITS + ROUNDING_BITS)) - high, high

    def high_share(self, cells: Cells) -> Floats:
        """Return the probability of a report at the high side."""
        up, honest = self.upward(np.asarray(cells)) / 2.0**ROUNDING_BITS, self.honest / 2.0**BITS
        return np.asarray(up * honest + (1 - up) * (1 - honest))

    def prove(self, epsilon: float) -> float:
        """Check the two ends, honest against lie; all other probabilities lie between theirs."""
        if not 1 << (BITS - 1) <= self.honest < 1 << BITS:
            raise GuaranteeBroken("an honest answer must be at least as likely as a lie, and a lie possible")
        worst = Worst()
        worst.meet(self.honest, (1 << BITS) - self.honest)
        return worst.prove(epsilon)

    @property
    def gain(self) -> float:
        """Half the distance of the two reports, in half lengths of the domain, that makes them unbiased."""
        return (1 << BITS) / (2 * self.honest - (1 << BITS))


def most_honest(epsilon: float) -> int:
    """Return the largest number of honest words out of 2⁶⁰ that ε allows."""
    bound = exp_lower(epsilon)
    honest = (bound.numerator << BITS) // (bound.numerator + bound.denominator)
    if 2 * honest <= 1 << BITS:
        raise InvalidParameter(
            f"epsilon = {epsilon_words(epsilon)} is too small for an unbiased binary report"
        )
    return honest


@dataclass(frozen=True)
class Duchi(NumericMechanism):
    """One of two reports, (e^ε + 1)/(e^ε − 1) half lengths to either side of the middle; unbiased.

    >>> law = Duchi(Interval(-1, 1), epsilon=1.0).law(0.25)
    >>> round(law.mean(), 5)
    0.25
    """

    title: ClassVar[str] = "Duchi"
    summary: ClassVar[str] = "unbiased; one of two reports"
    domains: ClassVar[tuple[type[NumericDomain], ...]] = (Interval,)

    @cached_property
    def bit(self) -> Bit:
        """The calibrated channel."""
        return Bit(self.domain.lattice, most_honest(self.epsilon))

    @cached_property
    def reports(self) -> NumericDomain:
        middle, half = self.domain.start + self.domain.length / 2, self.domain.length / 2
        return Interval(middle - 2 * half * self.bit.gain, middle + 2 * half * self.bit.gain, cells=2)

    def _prove(self) -> float:
        return self.bit.prove(self.epsilon)

    def word_counts(self, cell: int) -> tuple[list[int], int]:
        return list(self.bit.outcomes(cell)), 1 << (BITS + ROUNDING_BITS)

    def _draw_cells(self, cells: Cells, stream: Stream) -> Cells:
        return self.bit.draw(cells, stream)

    def _law(self, cells: Cells, truth: Floats) -> Law:
        high = self.bit.high_share(cells)
        masses = np.stack([1 - high, high], axis=-1)
        return Law(truth, self.reports, self.domain, np.arange(2.0), np.ones(1), masses)


@dataclass(frozen=True)
class Hybrid(NumericMechanism):
    """PM or Duchi at random, in the proportion with the least worst-case variance (Wang et al. 2019).

    Reports live on PM's lattice. Duchi's two reports are moved outward to the next cell of it and made
    a little less honest in return, so the mixture stays unbiased and within ε. For ε below about 0.61
    it is Duchi alone.

    >>> mixed, alone = (kind(Interval(-1, 1), epsilon=2.0) for kind in (Hybrid, PM))
    >>> mixed.worst_error("squared") < alone.worst_error("squared")
    True
    """

    title: ClassVar[str] = "Hybrid"
    summary: ClassVar[str] = "unbiased; PM and Duchi mixed for the least worst variance"
    domains: ClassVar[tuple[type[NumericDomain], ...]] = (Interval,)

    @cached_property
    def piecewise(self) -> PM:
        """The PM part."""
        return PM(self.domain, self.epsilon)

    @cached_property
    def share(self) -> int:
        """How many of 2²⁴ coin values choose PM."""
        return (
            round((1 - math.exp(-self.epsilon / 2)) * 2**COIN_BITS) if self.epsilon > _turning_point() else 0
        )

    @cached_property
    def places(self) -> tuple[int, int]:
        """The two cells of PM's lattice for Duchi's reports, mirror images of each other."""
        wide = self.piecewise.reports
        reach = Bit(self.domain.lattice, most_honest(self.epsilon)).gain * self.domain.length / 2 / wide.pitch
        high = math.ceil(wide.lattice / 2 + reach - 0.5)
        return wide.lattice - 1 - high, high

    @cached_property
    def bit(self) -> Bit:
        """The Duchi part, as honest as unbiasedness with these two cells allows."""
        wide, high = self.piecewise.reports, self.places[1]
        gain = (high + 0.5 - wide.lattice / 2) * wide.pitch / (self.domain.length / 2)
        return Bit(
            self.domain.lattice, min(int((1 + 1 / gain) * 2.0 ** (BITS - 1)), most_honest(self.epsilon))
        )

    @property
    def reports(self) -> NumericDomain:
        return self.piecewise.reports

    def _prove(self) -> float:
        # Where the two parts meet in a cell, a ratio of sums lies between the ratios of the summands.
        if (
            not 0 <= self.share <= 1 << COIN_BITS
            or not 0 <= self.places[0] < self.places[1] < self.reports.lattice
        ):
            raise GuaranteeBroken("the two parts of the hybrid do not fit together")
        return max(self.piecewise._prove(), self.bit.prove(self.epsilon))

    def word_counts(self, cell: int) -> tuple[list[int], int]:
        counts, total = self.piecewise.word_counts(cell)
        bits = BITS + ROUNDING_BITS
        counts = [(count * self.share) << bits for count in counts]
        for place, outcomes in zip(self.places, self.bit.outcomes(cell), strict=True):
            counts[place] += ((1 << COIN_BITS) - self.share) * outcomes * total
        return counts, total << (bits + COIN_BITS)

    def _draw_cells(self, cells: Cells, stream: Stream) -> Cells:
        coins = stream.draw(cells.size)
        wide = self.piecewise._draw_cells(cells, stream)
        two = np.array(self.places)[self.bit.draw(cells, stream)]
        return np.where((coins >> np.uint64(64 - COIN_BITS)).astype(np.int64) < self.share, wide, two)

    def _law(self, cells: Cells, truth: Floats) -> Law:
        start, count, mass = self.piecewise.window.runs(cells)
        high, share = self.bit.high_share(cells), self.share / 2.0**COIN_BITS
        atoms = np.stack([1 - high, high], axis=-1) * (1 - share)
        ones = np.ones(start.shape[:-1])[..., None]
        return Law(
            truth, self.reports, self.domain,
            start=np.concatenate([start, self.places * ones], axis=-1),
            count=np.concatenate([count, [1.0, 1.0]]),
            mass_of_run=np.concatenate([mass * share * ones, atoms], axis=-1),
        )  # fmt: skip


def _turning_point() -> float:
    """Return the ε below which Duchi alone has the smaller worst variance (Wang et al. 2019, lemma 3)."""
    root = 405 * math.sqrt(241)
    return math.log((-5 + 2 * math.cbrt(6353 - root) + 2 * math.cbrt(6353 + root)) / 27)
