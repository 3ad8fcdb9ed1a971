"""LiRA, the likelihood-ratio attack of Carlini et al. 2022 as Sridhar et al. 2024 use it (sec. 8.1).

A model is more confident about the records it was trained on. For each record the scores of *shadow*
releases, from worlds that hold it and from worlds that do not, tell how its score behaves either way; a
release is then judged by where its score falls. Shadows here are the public worlds with simulated noise, so
the adversary trains no models of their own.

Two ways to compare: normal laws for "in" and "out" (:class:`GaussianLira`, as first published), or the share
of "out" shadows with a lower score (:class:`EmpiricalLira`, for scores that are not normal at all).
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from noisewright.domains import Cells, Floats
from noisewright.release.attacks.base import Attack, Scores
from noisewright.release.attacks.trials import Trials, blocks
from noisewright.release.attacks.units import Units
from noisewright.release.worlds import Worlds

Confidence = Callable[[Cells], Floats]
"""Rows of cells to the confidence about each record, (releases, records)."""

NARROWEST = 1e-6
"""The least deviation of a record's scores, in its units."""

MEASURED = 100
"""Shadows from which the units are read off."""


class Lira(Attack):
    """What both kinds share: confidences about each record, in units that are read off the shadows."""

    def __init__(self, confidence: Confidence, shadows: Trials, worlds: Worlds) -> None:
        self._confidence, self._records = confidence, worlds.records
        self._units = Units.of(found for _, found in self._found(shadows.cells[:MEASURED]))
        self._learn(self._measured(shadows.cells), shadows.member(worlds))

    @abstractmethod
    def _learn(self, scores: Scores, member: NDArray[np.bool_]) -> None:
        """Remember how the scores of shadows, (shadows, records), behave with a record and without it."""

    def _measured(self, cells: Cells) -> Scores:
        """Confidences about all records, in units."""
        scores = np.empty((len(cells), self._records), dtype=np.float32)
        for piece, found in self._found(cells):
            scores[piece] = self._units.scaled(found)
        return scores

    def _found(self, cells: Cells) -> Iterator[tuple[slice, Floats]]:
        """Confidences about all records, worked out for some releases at a time."""
        for piece in blocks(len(cells), 8 * self._records):
            yield piece, self._confidence(cells[piece])


class GaussianLira(Lira):
    """ln N(score; in) − ln N(score; out), with means and deviations from the shadows of each record."""

    name: ClassVar[str] = "lira"
    title: ClassVar[str] = "LiRA with normal laws"

    def _learn(self, scores: Scores, member: NDArray[np.bool_]) -> None:
        self._inside, self._outside = _law(scores, member), _law(scores, ~member)

    def scores(self, cells: Cells) -> Scores:
        found = self._measured(cells)
        return _log_density(found, *self._inside) - _log_density(found, *self._outside)


class EmpiricalLira(Lira):
    """The share of shadows without the record whose score is lower: the paper's empirical law."""

    name: ClassVar[str] = "lira-empirical"
    title: ClassVar[str] = "LiRA with empirical laws"

    def _learn(self, scores: Scores, member: NDArray[np.bool_]) -> None:
        # Sridhar et al. 2024, sec. 8.1; shadows with the record are sorted to the end, and not counted
        self._sorted = np.sort(np.where(member, np.float32(np.inf), scores).T, axis=1)
        self._counts = np.maximum((~member).sum(axis=0), 1)

    def scores(self, cells: Cells) -> Scores:
        found = self._measured(cells)
        for record, (shadows, count) in enumerate(zip(self._sorted, self._counts, strict=True)):
            low, high = (np.searchsorted(shadows, found[:, record], side) for side in ("left", "right"))
            found[:, record] = np.minimum((low + high) / 2, count) / count
        return found


def _law(scores: Scores, marked: NDArray[np.bool_]) -> tuple[Scores, Scores]:
    """Mean and deviation of the marked scores of each record."""
    some = blocks(scores.shape[1], len(scores))  # sums are of 64 bits: for some records at a time
    laws = [_moments(scores[:, piece], marked[:, piece]) for piece in some]
    mean, deviation = (np.concatenate(part).astype(np.float32) for part in zip(*laws, strict=True))
    return mean, np.maximum(deviation, np.float32(NARROWEST))


def _moments(scores: Scores, marked: NDArray[np.bool_]) -> tuple[Floats, Floats]:
    count = np.maximum(marked.sum(axis=0), 1)
    mean = np.where(marked, scores, 0).sum(axis=0, dtype=np.float64) / count
    spread = np.where(marked, (scores - mean) ** 2, 0).sum(axis=0) / np.maximum(count - 1, 1)
    return mean, np.sqrt(spread)


def _log_density(scores: Scores, mean: Scores, deviation: Scores) -> Scores:
    return np.asarray(-np.log(deviation) - 0.5 * ((scores - mean) / deviation) ** 2, dtype=np.float32)
