"""Shared coins inside unary encodings: the same bit of two partners is noisy in opposite ways.

Zheng 2026, 4.5 says to flip the bits of partners by joint response. That is possible as it stands for the
symmetric encoding only: the optimized one flips ones and zeros with different probabilities. There the coin
of the zeros is shared, and the one of the true label is tossed alone.

What the dissertation does not say: a bit of another label *is* its coin, so a report in a unary encoding
shows nearly all of its person's flags to everybody. Whoever knows who was paired with whom needs no colluder.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from noisewright.domains import Cells
from noisewright.mechanisms.categorical.coins import from_flags
from noisewright.mechanisms.categorical.noisy_bits import NoisyBits
from noisewright.mechanisms.joint.bit_exposure import BitExposure
from noisewright.mechanisms.joint.drawing_lots import Flags, draw_alone, draw_grouped
from noisewright.mechanisms.joint.group_law import WORDS
from noisewright.mechanisms.joint.shared_coins import SharedCoins
from noisewright.mechanisms.joint.variances import SharedNoise
from noisewright.randomness import BLOCK, Stream

OPEN_FLAGS = (
    "A report of many bits shows its person's coins: whoever knows, or finds by comparing reports, who was "
    "paired with whom needs no colluder for the second number."
)


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
        """Both privacy numbers in words, and what the bits themselves give away."""
        return [*super().explain(), OPEN_FLAGS]

    @abstractmethod
    def _show_own(self, flags: Flags, stream: Stream) -> Flags:
        """The bits of the true labels, given their flags."""

    def _show(self, cells: Cells, flags: Flags, stream: Stream) -> NDArray[Any]:
        """Reports from flags, one row of them a person: a zero shows 1 if its flag is a lie."""
        bits, rows = ~flags, np.arange(cells.size)
        bits[rows, cells] = self._show_own(flags[rows, cells], stream)
        return from_flags(bits)

    def _draw_together(self, cells: Cells, stream: Stream) -> NDArray[Any]:
        return self._show(cells, draw_grouped(self.coins, cells.size, stream, len(self.domain)), stream)

    def _draw_cells(self, cells: Cells, stream: Stream) -> NDArray[Any]:
        """Reports of people who answer alone."""
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
