"""Scored outputs and how many of either input score above each of some thresholds.

An audit keeps of the outputs their scores, or the counts of finitely many outputs. Rows are dealt to two
halves in turn, so that thresholds can be chosen on one half and used on the other.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from noisewright.domains import Floats

GRID = 2048
"""Thresholds at evenly spaced ranks of all scores."""

EXTREMES = 256
"""Thresholds at every one of so many of the largest and of the smallest scores."""


@dataclass(frozen=True, eq=False)
class Counts:
    """Of ``left`` and ``right`` outputs in all, how many score above each threshold; thresholds rise.

    >>> counts = Counts.at(np.array([0.0]), np.array([-1.0, 1.0, 2.0]), np.array([-1.0, 0.0]))
    >>> counts.left_above.tolist(), counts.right_above.tolist()
    ([2], [0])
    """

    thresholds: Floats
    left_above: NDArray[np.int64]
    right_above: NDArray[np.int64]
    left: int
    right: int

    @classmethod
    def at(cls, thresholds: Floats, left_sorted: Floats, right_sorted: Floats) -> Counts:
        """Counts at given thresholds, from scores in rising order."""
        above = [
            scores.size - np.searchsorted(scores, thresholds, side="right")
            for scores in (left_sorted, right_sorted)
        ]
        return cls(thresholds, above[0], above[1], left_sorted.size, right_sorted.size)

    @property
    def left_share(self) -> Floats:
        """The share of left outputs above each threshold."""
        return np.asarray(self.left_above / max(self.left, 1))

    @property
    def right_share(self) -> Floats:
        """The share of right outputs above each threshold."""
        return np.asarray(self.right_above / max(self.right, 1))

    def mirrored(self) -> Counts:
        """The same sets seen from the other side: how many right and left outputs score at most each."""
        return Counts(
            self.thresholds, self.right - self.right_above, self.left - self.left_above, self.right, self.left
        )


def thresholds_between(left_sorted: Floats, right_sorted: Floats) -> Floats:
    """Thresholds worth a look: ranks spread evenly over all scores, and every extreme one.

    >>> thresholds_between(np.array([0.0, 1.0]), np.array([1.0, 2.0])).tolist()
    [0.0, 1.0, 2.0]
    """
    parts = []
    for scores in (left_sorted, right_sorted):
        ranks = np.linspace(0, scores.size - 1, min(GRID, scores.size)).astype(np.int64)
        parts += [scores[ranks], scores[:EXTREMES], scores[-EXTREMES:]]
    return np.unique(np.concatenate(parts))


class Tally(ABC):
    """Scored outputs of both inputs."""

    @property
    @abstractmethod
    def rows(self) -> tuple[int, int]:
        """How many outputs of the left and of the right input."""

    @property
    def roughness(self) -> float:
        """Numbers that were learned for each run; a trained score has as many as it likes."""
        return math.inf

    @abstractmethod
    def thresholds(self) -> Floats:
        """Thresholds worth a look, rising."""

    @abstractmethod
    def counts(self, thresholds: Floats) -> Counts:
        """Return how many outputs of either input score above each threshold."""

    @abstractmethod
    def halves(self) -> tuple[Tally, Tally]:
        """Return the same outputs in two halves, dealt in turn."""

    @abstractmethod
    def with_more(self, other: Tally) -> Tally:
        """These outputs and those of another tally of the same kind."""


@dataclass(frozen=True, eq=False)
class ScoreTally(Tally):
    """Scores in the order the outputs came.

    >>> tally = ScoreTally(np.array([3.0, 1.0]), np.array([0.0, 2.0]))
    >>> tally.counts(np.array([1.5])).left_above.tolist(), tally.halves()[1].left.tolist()
    ([1], [1.0])
    """

    left: Floats
    right: Floats

    @property
    def rows(self) -> tuple[int, int]:
        return self.left.size, self.right.size

    @cached_property
    def _sorted(self) -> tuple[Floats, Floats]:
        return np.sort(self.left), np.sort(self.right)

    def thresholds(self) -> Floats:
        return thresholds_between(*self._sorted)

    def counts(self, thresholds: Floats) -> Counts:
        return Counts.at(thresholds, *self._sorted)

    def halves(self) -> tuple[Tally, Tally]:
        return ScoreTally(self.left[::2], self.right[::2]), ScoreTally(self.left[1::2], self.right[1::2])

    def with_more(self, other: Tally) -> Tally:
        assert isinstance(other, ScoreTally)
        return ScoreTally(np.append(self.left, other.left), np.append(self.right, other.right))


@dataclass(frozen=True, eq=False)
class AtomTally(Tally):
    """Counts of finitely many outputs, (halves, atoms), and the score of each; the last is all others."""

    scores: Floats
    left: NDArray[np.int64]
    right: NDArray[np.int64]

    @classmethod
    def of(cls, scores: Floats, left: NDArray[np.int64], right: NDArray[np.int64]) -> AtomTally:
        """From the atoms' scores and the codes of the outputs in the order they came."""
        return cls(scores, *(count_halves(codes, scores.size) for codes in (left, right)))

    @property
    def rows(self) -> tuple[int, int]:
        return int(self.left.sum()), int(self.right.sum())

    @property
    def roughness(self) -> float:
        return self.scores.size / max(min(self.rows), 1)

    def thresholds(self) -> Floats:
        return np.unique(self.scores)

    def counts(self, thresholds: Floats) -> Counts:
        order = np.argsort(self.scores, kind="stable")
        first = np.searchsorted(self.scores[order], thresholds, side="right")
        above = [
            np.append(np.cumsum(counts.sum(axis=0)[order][::-1])[::-1], 0)[first]  # sums from a place on
            for counts in (self.left, self.right)
        ]
        return Counts(thresholds, above[0], above[1], *self.rows)

    def halves(self) -> tuple[Tally, Tally]:
        first, second = (
            AtomTally(self.scores, self.left[[half]], self.right[[half]]) for half in range(len(self.left))
        )
        return first, second

    def with_more(self, other: Tally) -> Tally:
        assert isinstance(other, AtomTally)
        return AtomTally(self.scores, self.left + other.left, self.right + other.right)

    def atoms(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return how often each atom came, for either input."""
        return self.left.sum(axis=0), self.right.sum(axis=0)


def combine(parts: Sequence[Tally]) -> Tally:
    """Return all outputs of several tallies."""
    whole = parts[0]
    for part in parts[1:]:
        whole = whole.with_more(part)
    return whole


def count_halves(codes: NDArray[np.int64], atoms: int) -> NDArray[np.int64]:
    """Return how often each code came among the even and among the odd outputs."""
    return np.array([np.bincount(codes[half::2], minlength=atoms) for half in range(2)])
