"""Shared coins inside unary encodings: the same bit of two partners is noisy in opposite ways.

Zheng 2026, 4.5 says to flip the bits of partners by joint response. That is possible as it stands for the
symmetric encoding only: the optimized one flips ones and zeros with different probabilities. There the coin
of the zeros is shared, and the one of the true label is tossed alone.

The dissertation does not mention that a bit of another label *is* its coin, so a report in a unary encoding
shows nearly all of its person's flags to everybody. Whoever knows the pairing needs no colluder.

**What shared coins reveal** where every label has a bit and a flag of its own. Two labels differ in two
bits. Whoever knows the others' flags at both places sees the bit of a zero as 1 with probability 1 − a there,
a the probability of truth given what they know, and the bit of a one as a coin of its own (OUE) or as 1 with
probability a (SUE). All other bits are zeros under either label and cancel, *if* the observer is in the
user's group for certain. If that has only a chance, they do not: bits that agree with the flags that a
colluder knows say that the colluder is the partner. With R the likelihood ratio of the other bits with and
without those flags, and reach h,

    P[y | v] / P[y | v'] = (h·R·N + (1 − h)·N₀) / (h·R·D + (1 − h)·D₀),

N, D the probabilities of the two bits given the flags and N₀, D₀ without. R may be as large as
max(P[bit | flags]/P[bit])^(k − 2), so for many labels the average is soon as large as the number given that
the partner colludes: random grouping hides nobody whose report is long.
"""

from __future__ import annotations

import itertools
import math
from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from noisewright.domains import Cells
from noisewright.mechanisms.categorical.coins import from_flags
from noisewright.mechanisms.categorical.unary import NoisyBits
from noisewright.mechanisms.joint.exposure import Exposure
from noisewright.mechanisms.joint.flag_shares import Number, truth_given
from noisewright.mechanisms.joint.group_law import WORDS
from noisewright.mechanisms.joint.shared_coins import Flags, SharedCoins, draw_alone, draw_grouped
from noisewright.mechanisms.joint.variances import SharedNoise
from noisewright.randomness import BLOCK, Stream

MOST_BITS_BESIDE = 64
"""The most other bits whose ratio R is computed; for more it counts as unbounded, which is safe."""

OPEN_FLAGS = (
    "A report of many bits shows its person's coins: whoever knows, or finds by comparing reports, who was "
    "paired with whom needs no colluder for the second number."
)


@dataclass(frozen=True)
class BitExposure(Exposure):
    """Truth is a bit as it should be; with ``own_coin`` the bit of the true label is a fair coin instead.

    >>> from noisewright.mechanisms.joint.flag_shares import flag_shares
    >>> round(BitExposure(10, own_coin=False).ratio(flag_shares(2, 0.25, 0.0), 1.0), 9)      # (p/q)²
    9.0
    """

    own_coin: bool

    def ratio(self, shares: Sequence[Number], reach: Number) -> Number | None:
        known = truth_given(shares)
        plain = sum((chance * truth for chance, truth in known), reach - reach)
        ends = (max(truth for _, truth in known), min(truth for _, truth in known))
        if reach > 0 and self.labels - 2 > MOST_BITS_BESIDE:
            reach = reach / reach
        worst = reach - reach + 1
        bits = itertools.product((0, 1), (0, 1), ends, ends, self._beside(plain, ends, reach))
        for own, other, here, there, beside in bits:
            upper = lower = reach - reach
            for weight, at, to in ((reach * beside, here, there), (1 - reach, plain, plain)):
                upper = upper + weight * self._one(own, at) * self._zero(other, to)
                lower = lower + weight * self._zero(own, at) * self._one(other, to)
            if upper > 0 and lower == 0:
                return None
            worst = max(worst, upper / lower) if lower > 0 else worst
        return worst

    def _zero(self, bit: int, truth: Number) -> Number:
        """Return the probability that the bit of a label that is not the person's shows."""
        return 1 - truth if bit else truth

    def _one(self, bit: int, truth: Number) -> Number:
        """Return the probability that the bit of the person's own label shows."""
        if self.own_coin:
            return (truth - truth + 1) / 2
        return truth if bit else 1 - truth

    def _beside(self, plain: Number, ends: tuple[Number, Number], reach: Number) -> tuple[Number, ...]:
        """Return the largest and the smallest R, which cancels for an observer certainly in the group."""
        if reach == 1:
            return (reach,)
        ratios = [self._zero(bit, truth) / self._zero(bit, plain) for bit in (0, 1) for truth in ends]
        beside = min(self.labels - 2, MOST_BITS_BESIDE)
        return max(ratios) ** beside, min(ratios) ** beside

    def certainty(self, shares: Sequence[Fraction]) -> Fraction:
        """Return how often the others' flags settle a value.

        A bit settles it if it shows what the bit of another label cannot: with an own coin in half of the
        cases in which that bit is settled, else in all of them. Without one, so do all other bits together.
        """
        settled = sum((chance for chance, truth in truth_given(shares) if truth in (0, 1)), Fraction(0))
        if self.own_coin:
            return settled / 2
        return settled + (1 - settled) * settled ** (self.labels - 1)

    def most_truth(self, bound: Fraction) -> Fraction | float:
        if self.own_coin:
            return bound / (1 + bound)
        root = math.sqrt(bound)
        return root / (1 + root)


@dataclass(frozen=True)
class JointUnary(SharedCoins, NoisyBits):
    """A noisy bit for every label, each with a flag that a group shares."""

    own_coin: ClassVar[bool]

    @property
    def exposure(self) -> BitExposure:
        return BitExposure(len(self.domain), self.own_coin)

    @property
    @abstractmethod
    def own(self) -> Fraction:
        """The probability that the bit of the true label is set."""

    @property
    def hit(self) -> float:
        return float(self.own)

    @property
    def miss(self) -> float:
        return float(self.coins.lie)

    @property
    def noise(self) -> SharedNoise:
        truth, lie = float(self.coins.truth), float(self.coins.lie)
        covariance = float(self.coins.correlation) * truth * lie
        return SharedNoise(self.hit, self.miss, covariance, 0.0 if self.own_coin else 1.0, -1.0, self.group)

    def explain(self) -> list[str]:
        """Return both privacy numbers in words, and what the bits themselves reveal."""
        return [*super().explain(), OPEN_FLAGS]

    @abstractmethod
    def _show_own(self, flags: Flags, stream: Stream) -> Flags:
        """Return the bits of the true labels, given their flags."""

    def _show(self, cells: Cells, flags: Flags, stream: Stream) -> NDArray[Any]:
        """Return reports from flags, one row for each person: a zero shows 1 if its flag is a lie."""
        bits, rows = ~flags, np.arange(cells.size)
        bits[rows, cells] = self._show_own(flags[rows, cells], stream)
        return from_flags(bits)

    def _draw_together(self, cells: Cells, stream: Stream) -> NDArray[Any]:
        return self._show(cells, draw_grouped(self.coins, cells.size, stream, len(self.domain)), stream)

    def _draw_cells(self, cells: Cells, stream: Stream) -> NDArray[Any]:
        """Draw reports of people who answer alone."""
        alone = draw_alone(self.coins, cells.size * len(self.domain), stream)
        return self._show(cells, alone.reshape(cells.size, -1), stream)

    @property
    def _block(self) -> int:
        return max(1, BLOCK // len(self.domain))

    @property
    def _bit_outcomes(self) -> tuple[int, int, int]:
        whole = 2 * self.group * WORDS
        return int(self.own * whole), int(self.coins.lie * whole), whole


@dataclass(frozen=True)
class JointOUE(JointUnary):
    """Optimized unary encoding whose zeros share coins: holders of a label toss a fair coin of their own.

    >>> from noisewright import Categories
    >>> mechanism = JointOUE(Categories(range(10)), epsilon=1.0, users=10_000, correlation=-0.3)
    >>> round(mechanism.hit, 4), round(mechanism.miss, 4), round(mechanism.guarantee.epsilon_colluding, 4)
    (0.5, 0.2689, 2.9524)
    """

    title: ClassVar[str] = "Joint optimized unary encoding (JRR in OUE)"
    summary: ClassVar[str] = "OUE whose partners share the coins of zeros; long reports give partners away"
    own_coin: ClassVar[bool] = True

    @property
    def own(self) -> Fraction:
        return Fraction(1, 2)

    def _show_own(self, flags: Flags, stream: Stream) -> Flags:
        return (stream.draw(flags.size) & np.uint64(1)).astype(np.bool_)


@dataclass(frozen=True)
class JointSUE(JointUnary):
    """Symmetric unary encoding whose partners share the coin of every bit.

    >>> from noisewright import Categories
    >>> mechanism = JointSUE(Categories(range(10)), epsilon=1.0, users=10_000, correlation=-0.3)
    >>> round(mechanism.hit, 4), round(mechanism.miss, 4), round(mechanism.guarantee.epsilon_colluding, 4)
    (0.6225, 0.3775, 2.8896)
    """

    title: ClassVar[str] = "Joint symmetric unary encoding (JRR in SUE)"
    summary: ClassVar[str] = "SUE whose partners share the coin of every bit; long reports give partners away"
    own_coin: ClassVar[bool] = False

    @property
    def own(self) -> Fraction:
        return self.coins.truth

    def _show_own(self, flags: Flags, stream: Stream) -> Flags:
        return flags
