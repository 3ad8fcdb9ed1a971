"""Local hashing: report a random hash function and, through k-RR, the value it gives to the true label."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from noisewright.domains import Cells, Floats, HashedLabels
from noisewright.domains.codes import SEEDED
from noisewright.mechanisms.basics.window import Window, shares
from noisewright.mechanisms.categorical.hash_family import HashFamily, arc_supports, hash_bits
from noisewright.mechanisms.categorical.krr import respond, response_window
from noisewright.mechanisms.categorical.oracle import CodedOracle, Counts
from noisewright.randomness import Stream

MOST_VALUES = 1 << 16
"""Values of the finest hash: they fit into two bytes."""

REPORTS_AT_A_TIME = 1 << 20
"""Reports whose support is counted together: few enough for the counters of the compiled loop."""


@dataclass(frozen=True)
class OLH(CodedOracle):
    """Optimized local hashing: the accuracy of a bit for every label from reports of a few bytes.

    A seed names a hash function from the labels to g values; the true label's value goes through k-RR with
    g cells. A report supports every label with the reported value. The seed does not depend on the label, so
    a report costs what k-RR costs. About g = e^ε + 1 values have the least variance (Wang et al. 2017).

    >>> from noisewright import Categories
    >>> mechanism = OLH(Categories(range(1000)), epsilon=1.0)
    >>> mechanism.hash_size, round(mechanism.hit, 4), round(mechanism.miss, 4)
    (4, 0.4754, 0.25)
    """

    title: ClassVar[str] = "Optimized local hashing (OLH)"
    summary: ClassVar[str] = "a random hash of the label through k-RR; short reports for many labels"

    @cached_property
    def hash_size(self) -> int:
        """g, the number of hash values with the least variance."""
        labels = len(self.domain)
        sizes = np.arange(2, min(labels, MOST_VALUES, 1 << hash_bits(labels)) + 1)
        return int(sizes[np.argmin(ideal_spread(sizes, labels, self.epsilon))])

    @cached_property
    def family(self) -> HashFamily:
        """The hash functions that seeds name."""
        return HashFamily(len(self.domain), self.hash_size)

    @cached_property
    def window(self) -> Window:
        """The calibrated channel between hash values."""
        return response_window(self.hash_size, self.epsilon)

    @cached_property
    def reports(self) -> HashedLabels:
        return HashedLabels(self.hash_size)

    @cached_property
    def _chances(self) -> tuple[Fraction, Fraction]:
        """Hit and miss, exactly: two labels' values are independent, each as likely as its share of hashes.

        With the chance of a report from anywhere, value y is reported with the window's share of y; otherwise
        the true value is, which another label shares as often as two hashes collide.
        """
        hashes, positions = self.family.shares, shares(self.window.position_bits, self.hash_size)
        whole = 1 << self.family.bits
        anywhere = Fraction(self.window.threshold, 1 << self.window.coin_bits)
        by_chance = Fraction(
            sum(hashed * chosen for hashed, chosen in zip(hashes, positions, strict=True)),
            whole << self.window.position_bits,
        )
        free = anywhere * by_chance
        return free + (1 - anywhere), free + (1 - anywhere) * self.family.collision

    @property
    def hit(self) -> float:
        return float(self._chances[0])

    @property
    def miss(self) -> float:
        return float(self._chances[1])

    def supports(self, reports: ArrayLike) -> Counts:
        """Count the reports whose hash function gives each label the reported value."""
        found = self.reports.checked(reports)
        counts = np.zeros(len(self.domain), dtype=np.int64)
        for at in range(0, found.size, REPORTS_AT_A_TIME):
            block = found[at : at + REPORTS_AT_A_TIME]
            counts += arc_supports(self.family.arcs(block["seed"], block["value"]), len(self.domain))
        return counts

    def support_table(self, reports: ArrayLike) -> Counts:
        found = self.reports.checked(reports)
        factor, start, width = self.family.arcs(found["seed"], found["value"])
        places = np.arange(len(self.domain), dtype=np.uint32)[:, None]
        return (factor * places + start < width).astype(np.int64)

    def likelihoods(self, reports: ArrayLike) -> Floats:
        return np.where(self.support_table(reports) > 0, self._odds, 1.0)

    @property
    def _odds(self) -> float:
        """How much likelier a report is for a label that it supports than for another."""
        return float(self.window.ratio)

    def _prove(self) -> float:
        return self.window.prove(self.epsilon)

    def word_counts(self, cell: int, seed: int = 0) -> tuple[list[int], int]:
        """Return the law of the reported value given the seed, which is drawn without regard to the label."""
        value = self.family.values(np.array([seed], dtype=np.uint64), np.array([cell]))
        return self.window.word_counts(int(value[0]))

    def _draw_cells(self, cells: Cells, stream: Stream) -> NDArray[Any]:
        drawn = np.empty(cells.size, dtype=SEEDED)
        seeds = stream.draw(cells.size)
        drawn["seed"] = seeds
        drawn["value"] = respond(self.window, self.family.values(seeds, cells), stream.draw(cells.size))
        return drawn


def ideal_spread(sizes: NDArray[np.int64], labels: int, epsilon: float) -> Floats:
    """Return the variance of one report's estimate of a share, for each number of hash values.

    With collisions c = Σ(share of a value)² and an honest answer in a share h of reports, a report supports
    a label with chance (1 − h)/g + h·c if it is another's, and (1 − h)/g + h if it is the person's own.
    """
    whole = float(1 << hash_bits(labels))
    small, extra = np.divmod(whole, sizes)
    collision = (extra * (small + 1) ** 2 + (sizes - extra) * small**2) / whole**2
    honest = math.expm1(epsilon) / (math.expm1(epsilon) + sizes)
    seen = (1 - honest) / sizes + honest * (collision + (1 - collision) / labels)
    return np.asarray(seen * (1 - seen) / (honest * (1 - collision)) ** 2)
