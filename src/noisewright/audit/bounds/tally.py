"""Scored outputs, how many of either input score above each of some thresholds, and the curve they suggest.

An audit keeps of the outputs their scores, or the counts of finitely many outputs. Rows are dealt to two
halves in turn, so that thresholds can be chosen on one half and used on the other.

That is how the curve δ(ε) is estimated: the best of many events looks better than it is on the rows that
chose it. So each half of the rows measures the events that the other half chose, and the two results are
averaged. The average is then projected onto the possible spectra. As a function of u = e^ε,
δ(u) = max over events S of P(S) − u·Q(S) is a maximum of falling straight lines, each P(S) ≤ 1 at u = 0. For
u ≥ 1 it is convex, decreasing and never negative, and the line back from any stretch of it meets u = 0 at 1
or less. Every such curve is the spectrum of some pair.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import nnls

from noisewright.domains import Floats
from noisewright.errors import InvalidParameter

GRID = 2048
"""Thresholds at evenly spaced ranks of all scores."""

EXTREMES = 256
"""Number of the largest, and of the smallest, scores that are all thresholds."""


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
        """Count at given thresholds, from scores in rising order."""
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
        """Return the counts of the complements, with the sides swapped."""
        return Counts(
            self.thresholds, self.right - self.right_above, self.left - self.left_above, self.right, self.left
        )


def thresholds_between(left_sorted: Floats, right_sorted: Floats) -> Floats:
    """Return thresholds worth testing: evenly spread ranks of all scores, and every extreme score.

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
        """Learned numbers per run; infinite for a trained score, which may have any number."""
        return math.inf

    @abstractmethod
    def thresholds(self) -> Floats:
        """Return thresholds worth testing, rising."""

    @abstractmethod
    def counts(self, thresholds: Floats) -> Counts:
        """Return how many outputs of either input score above each threshold."""

    @abstractmethod
    def halves(self) -> tuple[Tally, Tally]:
        """Return the same outputs in two halves, dealt in turn."""

    @abstractmethod
    def with_more(self, other: Tally) -> Tally:
        """Return these outputs together with those of another tally of the same kind."""


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
        """Count from the atoms' scores and the codes of the outputs in the order they came."""
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


# -- the estimated curve -------------------------------------------------------------------------------


def estimate_curve(tally: Tally, epsilons: Floats) -> Floats:
    """Return an estimate of δ(ε), the larger of both directions."""
    halves = tally.halves()
    forward, backward = (
        (_measure(*halves, epsilons, mirrored) + _measure(*halves[::-1], epsilons, mirrored)) / 2
        for mirrored in (False, True)
    )
    projected = [project_spectrum(epsilons, np.clip(each, 0.0, 1.0)) for each in (forward, backward)]
    return np.maximum(*projected)


def _measure(choosing: Tally, measuring: Tally, epsilons: Floats, mirrored: bool) -> Floats:
    """Return P̂(S_ε) − e^ε·Q̂(S_ε) on one half, with S_ε the best event on the other."""
    if isinstance(choosing, AtomTally) and isinstance(measuring, AtomTally):
        return _by_atoms(choosing, measuring, epsilons, mirrored)
    thresholds = choosing.thresholds()
    chosen, measured = (
        each.mirrored() if mirrored else each
        for each in (choosing.counts(thresholds), measuring.counts(thresholds))
    )
    factors = np.exp(epsilons)
    places = np.argmax(chosen.left_share - factors[:, None] * chosen.right_share, axis=1)
    return np.asarray(measured.left_share[places] - factors * measured.right_share[places])


def _by_atoms(choosing: AtomTally, measuring: AtomTally, epsilons: Floats, mirrored: bool) -> Floats:
    """Measure subsets of finitely many outputs: those that favour the input on the choosing half."""
    shares = [[counts / max(counts.sum(), 1) for counts in each.atoms()] for each in (choosing, measuring)]
    (p, q), (p_measured, q_measured) = (each[::-1] if mirrored else each for each in shares)
    factors = np.exp(epsilons)[:, None]
    favoured = p - factors * q > 0
    return np.asarray((favoured * (p_measured - factors * q_measured)).sum(axis=1))


# -- projection onto the possible spectra --------------------------------------------------------------


def project_spectrum(epsilons: ArrayLike, deltas: ArrayLike) -> Floats:
    """Return the possible spectrum nearest to an estimate: least Σ (curve − δ)² on a grid of ε ≥ 0.

    A projection onto a convex set never moves away from a point of it, so the true spectrum is at least as
    near as before.

    >>> project_spectrum([0, 0.5, 1], [0.3, 0.32, -0.01]).round(4).tolist()
    [0.3558, 0.2304, 0.0238]
    """
    grid, values = _check_curve(epsilons, deltas)
    corners = simplest_spectra(grid)
    # The nearest mixture: as Σ share = 1, the error is Σ share·(corner − values), and one more row asks for
    # Σ share = 1. For a mixture stretched by t the sum of squares is t²·error + (1 − t)², whose least value
    # over t grows with the error: the best direction is that of the best mixture, exactly.
    system = np.vstack([corners - values[:, None], np.ones(corners.shape[1])])
    shares, _ = nnls(system, np.append(np.zeros(len(values)), 1.0), maxiter=50 * corners.shape[1])
    return np.asarray(np.clip(corners @ (shares / shares.sum()), 0.0, 1.0))


def simplest_spectra(epsilons: Floats) -> Floats:
    """Return the extreme spectra, one per column: constant 1, then the lines that end at each point.

    >>> simplest_spectra(np.log([1.0, 2.0, 4.0])).tolist()
    [[1.0, 0.0, 0.5, 0.75], [1.0, 0.0, 0.0, 0.5], [1.0, 0.0, 0.0, 0.0]]
    """
    steps = epsilons[None, :] - epsilons[:, None]
    lines = -np.expm1(-np.maximum(steps, 0.0))  # (end − u) / end, without an e^ε that could overflow
    return np.hstack([np.ones((len(epsilons), 1)), lines])


def _check_curve(epsilons: ArrayLike, deltas: ArrayLike) -> tuple[Floats, Floats]:
    grid, values = np.asarray(epsilons, dtype=np.float64), np.asarray(deltas, dtype=np.float64)
    if grid.ndim != 1 or not grid.size or not grid.shape == values.shape:
        raise InvalidParameter("epsilons and deltas must be lists of one length, and not empty")
    if not (np.isfinite(grid).all() and np.isfinite(values).all()):
        raise InvalidParameter("epsilons and deltas must be finite; leave out unknown values")
    if grid[0] < 0 or (np.diff(grid) <= 0).any():
        raise InvalidParameter("must increase and start at 0 or more", field="epsilons")
    return grid, values
