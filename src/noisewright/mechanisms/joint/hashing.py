"""Shared coins inside local hashing: the truth flags of partners have opposite tendencies."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from noisewright.domains import Cells
from noisewright.domains.codes import SEEDED
from noisewright.mechanisms.categorical.hashing import OLH
from noisewright.mechanisms.joint.exposure import LabelExposure
from noisewright.mechanisms.joint.shared_coins import Flags, SharedCoins, answer, draw_alone, draw_grouped
from noisewright.mechanisms.joint.variances import SharedNoise
from noisewright.randomness import Stream


@dataclass(frozen=True)
class JointOLH(SharedCoins, OLH):
    """Optimized local hashing whose answers are joint responses (Zheng 2026, 4.5).

    Everybody has a hash function of their own, so whether a report supports a label that its person does not
    hold is the same chance for truth and lie: only pairs who *both* hold a label gain, by
    ρ·p·q·n_v·(n_v − 1)/(n − 1) in its variance. For rare labels, which hashing is made for, that is nothing.

    >>> from noisewright import Categories
    >>> mechanism = JointOLH(Categories(range(1000)), epsilon=1.0, users=10_000, correlation=-0.3)
    >>> mechanism.hash_size, round(mechanism.hit, 4), round(mechanism.miss, 4)
    (4, 0.4754, 0.25)
    >>> plain = JointOLH(Categories(range(1000)), epsilon=1.0, users=10_000)
    >>> round(float(mechanism.count_variance(100) / plain.count_variance(100)), 5)
    0.99996
    """

    title: ClassVar[str] = "Joint optimized local hashing (JRR in OLH)"
    summary: ClassVar[str] = "OLH whose partners share truth flags; a gain for frequent labels only"

    @property
    def exposure(self) -> LabelExposure:
        return LabelExposure(self.hash_size)

    @property
    def noise(self) -> SharedNoise:
        covariance = float(self.coins.correlation * self.coins.truth * self.coins.lie)
        by_truth, by_lie = self._support_of_others
        return SharedNoise(self.hit, self.miss, covariance, 1.0, float(by_truth - by_lie), self.group)

    @cached_property
    def _support_of_others(self) -> tuple[Fraction, Fraction]:
        """The chance that a true report, and that a lie, supports a label that its person does not hold.

        Two labels have independent values: a true report needs a collision, a lie names one of the rest.
        """
        collision = self.family.collision
        return collision, (1 - collision) / (self.hash_size - 1)

    @property
    def hit(self) -> float:
        return float(self.coins.truth)

    @property
    def miss(self) -> float:
        by_truth, by_lie = self._support_of_others
        return float(self.coins.truth * by_truth + self.coins.lie * by_lie)

    @property
    def _odds(self) -> float:
        return float((self.hash_size - 1) * self.coins.truth / self.coins.lie)

    def word_counts(self, cell: int, seed: int = 0) -> tuple[list[int], int]:
        """Return the law of the reported value given the seed, which is drawn without regard to the label."""
        value = self.family.values(np.array([seed], dtype=np.uint64), np.array([cell]))
        return self.coins.answers(int(value[0]), self.hash_size)

    def _draw_together(self, cells: Cells, stream: Stream) -> NDArray[Any]:
        return self._hashed(cells, draw_grouped(self.coins, cells.size, stream)[:, 0], stream)

    def _draw_cells(self, cells: Cells, stream: Stream) -> NDArray[Any]:
        """Draw reports of people who answer alone."""
        return self._hashed(cells, draw_alone(self.coins, cells.size, stream), stream)

    def _hashed(self, cells: Cells, flags: Flags, stream: Stream) -> NDArray[Any]:
        drawn = np.empty(cells.size, dtype=SEEDED)
        seeds = stream.draw(cells.size)
        drawn["seed"] = seeds
        drawn["value"] = answer(self.family.values(seeds, cells), flags, self.hash_size, stream)
        return drawn
