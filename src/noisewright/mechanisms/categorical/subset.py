"""Subset selection: report a random set of labels, which holds the true one more often than chance.

The set has d of the k labels. A coin with chance p decides whether the true label is among them; the others
are a uniformly random choice. So a set with the true label has probability p/C(k − 1, d − 1), one without it
(1 − p)/C(k − 1, d), and no report moves the odds between two labels by more than

    p·(k − d) / ((1 − p)·d),

which is compared with e^ε in integers (p over 2⁶²). No oracle whose reports are sets has less variance (Wang
et al. 2016; Ye and Barg 2018).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from noisewright.domains import BitStrings, Cells, Floats
from noisewright.errors import InvalidParameter, OutOfDomain
from noisewright.mechanisms.basics.exact import Worst, exp_lower
from noisewright.mechanisms.categorical.coins import (
    WHOLE,
    Bytes,
    coins,
    column_sums,
    from_flags,
    to_flags,
)
from noisewright.mechanisms.categorical.oracle import CodedOracle, Counts
from noisewright.randomness import BLOCK, Stream, Words

MOST_LABELS = 1 << 16
"""Labels of the longest list: a report is drawn with a random word for each of them."""

MOST_ENUMERATED = 16
"""Labels for which all sets can be listed."""


@dataclass(frozen=True)
class SubsetSelection(CodedOracle):
    """A random set of labels, of the size with the least variance: about k/(e^ε + 1).

    >>> from noisewright import Categories
    >>> mechanism = SubsetSelection(Categories("abcdefghij"), epsilon=1.0)
    >>> mechanism.chosen, round(mechanism.hit, 4), round(mechanism.miss, 4)
    (3, 0.5381, 0.2735)
    """

    title: ClassVar[str] = "Subset selection"
    summary: ClassVar[str] = "a random set of labels; the least variance of all, long reports, slow to draw"

    def _prepare(self) -> None:
        if len(self.domain) > MOST_LABELS:
            raise InvalidParameter(
                f"SubsetSelection takes at most {MOST_LABELS} labels, got {len(self.domain)}; use OLH instead"
            )
        super()._prepare()

    @cached_property
    def chosen(self) -> int:
        """d, how many labels a report names."""
        sizes = np.arange(1, len(self.domain))
        return int(sizes[np.argmin(ideal_spread(sizes, len(self.domain), self.epsilon))])

    @property
    def labels_supported(self) -> int:
        return self.chosen

    @cached_property
    def own_chance(self) -> int:
        """The chance that the true label is in the set, over 2⁶²: d·e^ε/(d·e^ε + k − d), rounded down."""
        inside = self.chosen * exp_lower(self.epsilon)
        return math.floor(WHOLE * inside / (inside + len(self.domain) - self.chosen))

    @cached_property
    def reports(self) -> BitStrings:
        return BitStrings(len(self.domain))

    @property
    def hit(self) -> float:
        return self.own_chance / WHOLE

    @property
    def miss(self) -> float:
        # The places that the true label leaves are shared evenly by the k − 1 others.
        return (self.chosen * WHOLE - self.own_chance) / (WHOLE * (len(self.domain) - 1))

    def supports(self, reports: ArrayLike) -> Counts:
        """Count the reports that name each label."""
        return column_sums(self._sets(reports), len(self.domain))

    def support_table(self, reports: ArrayLike) -> Counts:
        return to_flags(self._sets(reports), len(self.domain)).T.astype(np.int64)

    def likelihoods(self, reports: ArrayLike) -> Floats:
        named = to_flags(self._sets(reports), len(self.domain)).T
        return np.where(named, self.hit / self.chosen, (1 - self.hit) / (len(self.domain) - self.chosen))

    def _sets(self, reports: ArrayLike) -> Bytes:
        """Return reports that are sets of the right size; refuse others, which nobody can have sent."""
        found = self.reports.checked(reports)
        if (np.bitwise_count(found).sum(axis=1) != self.chosen).any():
            raise OutOfDomain(f"a report does not name exactly {self.chosen} labels")
        return found

    def _prove(self) -> float:
        inside = self.own_chance * (len(self.domain) - self.chosen)
        outside = (WHOLE - self.own_chance) * self.chosen
        worst = Worst()
        worst.meet(inside, outside)
        worst.meet(outside, inside)
        return worst.prove(self.epsilon)

    @property
    def _block(self) -> int:
        return max(1, BLOCK // len(self.domain))

    def _draw_cells(self, cells: Cells, stream: Stream) -> NDArray[Any]:
        inside = coins(self.own_chance, cells.size, stream).astype(bool)
        flags = random_sets(cells, inside, self.chosen, lambda rows: stream.draw(rows * len(self.domain)))
        return from_flags(flags)

    def word_counts(self, cell: int) -> tuple[list[int], int]:
        """Return the law over all 2^k bit strings; out of 2⁶²·C(k − 1, d − 1)·C(k − 1, d) outcomes."""
        size, chosen = len(self.domain), self.chosen
        if size > MOST_ENUMERATED:
            raise InvalidParameter(f"only up to {MOST_ENUMERATED} labels can all sets be listed, got {size}")
        with_it, without = math.comb(size - 1, chosen - 1), math.comb(size - 1, chosen)
        counts = [0] * (1 << size)
        for members in combinations(range(size), chosen):
            outcomes = self.own_chance * without if cell in members else (WHOLE - self.own_chance) * with_it
            counts[sum(1 << member for member in members)] = outcomes
        return counts, WHOLE * with_it * without


def random_sets(
    cells: Cells, inside: NDArray[np.bool_], chosen: int, draw: Callable[[int], Words]
) -> NDArray[np.bool_]:
    """Draw sets of ``chosen`` labels, one per row: the own label by its coin, the others uniformly.

    Every label draws a key, and those with the lowest keys are in; the own label's key is replaced by one
    below or above all. A row in which the last key inside equals the first outside is drawn anew. Whether
    that happens does not depend on which of the other labels have which keys, so among the rows that stay
    all choices of others are still equally likely; and its coin is kept, so the coin alone decides.
    """
    keys = _keys(cells, inside, draw)
    edges = np.partition(keys, (chosen - 1, chosen), axis=1)[:, chosen - 1 : chosen + 1]
    flags = keys <= edges[:, :1]
    tied = np.flatnonzero(edges[:, 0] == edges[:, 1])
    if tied.size:
        flags[tied] = random_sets(cells[tied], inside[tied], chosen, draw)
    return np.asarray(flags)


def _keys(cells: Cells, inside: NDArray[np.bool_], draw: Callable[[int], Words]) -> Words:
    """Draw keys of 63 bits, from 1 up, so that 0 and 2⁶⁴ − 1 are left for the own label."""
    keys = (draw(cells.size).reshape(cells.size, -1) >> np.uint64(1)) + np.uint64(1)
    keys[np.arange(cells.size), cells] = np.where(inside, np.uint64(0), ~np.uint64(0))
    return keys


def ideal_spread(sizes: NDArray[np.int64], labels: int, epsilon: float) -> Floats:
    """Return the variance of one report's estimate of a share, for each size of the sets."""
    growth = math.expm1(epsilon)
    gain = sizes * (labels - sizes) * growth / ((labels - 1) * (labels + sizes * growth))  # hit − miss
    seen = sizes / labels  # how often a report names one of equally frequent labels, whatever the chances
    return np.asarray(seen * (1 - seen) / gain**2)
