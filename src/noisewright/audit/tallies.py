"""What an audit keeps of the outputs it has scored: the scores, or the counts of finitely many outputs.

Rows are dealt to two halves in turn, so that thresholds can be chosen on one half and used on the other.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from noisewright.audit.bounds.counts import Counts, thresholds_between
from noisewright.domains import Floats


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
        """How many outputs of either input score above each threshold."""

    @abstractmethod
    def halves(self) -> tuple[Tally, Tally]:
        """The same outputs in two halves, dealt in turn."""

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
        return cls(scores, *(dealt(codes, scores.size) for codes in (left, right)))

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
        above = [_from_end(counts.sum(axis=0)[order])[first] for counts in (self.left, self.right)]
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
        """How often each atom came, for either input."""
        return self.left.sum(axis=0), self.right.sum(axis=0)


def combined(parts: Sequence[Tally]) -> Tally:
    """All outputs of several tallies."""
    whole = parts[0]
    for part in parts[1:]:
        whole = whole.with_more(part)
    return whole


def dealt(codes: NDArray[np.int64], atoms: int) -> NDArray[np.int64]:
    """How often each code came among the even and among the odd outputs."""
    return np.array([np.bincount(codes[half::2], minlength=atoms) for half in range(2)])


def _from_end(counts: NDArray[np.int64]) -> NDArray[np.int64]:
    """Sums from each place to the end, and 0 after it."""
    return np.append(np.cumsum(counts[::-1])[::-1], 0)
