"""How many members and others an attack flags at each threshold, trial by trial."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from noisewright.domains import Floats
from noisewright.release.attacks.base import Scores
from noisewright.release.attacks.trials import blocks

Members = NDArray[np.bool_]

_LOW = np.geomspace(1e-4, 0.1, 61)  # holds 0.001 and 0.01
LEVELS: Floats = np.unique(np.concatenate([_LOW, np.linspace(0.0, 1.0, 101), 1 - _LOW]))
"""False-positive rates at which thresholds stand: evenly, and evenly in their logarithm."""

MOST_SCORES = 1 << 20
"""Scores from which thresholds are read off."""


def thresholds(scores: Scores, member: Members) -> Scores:
    """Ascending thresholds that others pass with the rates of ``LEVELS``, from trials that choose."""
    others = scores[~member]
    others = others[:: max(1, others.size // MOST_SCORES)]
    return np.unique(np.quantile(others, 1 - LEVELS).astype(np.float32))


@dataclass(frozen=True, eq=False)
class Counts:
    """Flagged members and flagged others, (trials, thresholds); all of them, (trials,)."""

    members: Floats
    others: Floats
    all_members: Floats
    all_others: Floats

    @classmethod
    def of(cls, scores: Scores, member: Members, cuts: Scores) -> Counts:
        """Count the scores above each threshold.

        >>> scores, member = np.float32([[3, 1, 2, 0]]), np.array([[True, True, False, False]])
        >>> counts = Counts.of(scores, member, np.float32([0.5, 1.5]))
        >>> counts.members.tolist(), counts.others.tolist()
        ([[2.0, 1.0]], [[1.0, 1.0]])
        """
        pieces = [
            _flagged(scores[piece], member[piece], cuts) for piece in blocks(len(scores), scores.shape[1])
        ]
        members, others = (np.concatenate(part) for part in zip(*pieces, strict=True))
        held = member.sum(axis=1).astype(np.float64)
        return cls(members, others, held, member.shape[1] - held)

    @property
    def false_positives(self) -> Floats:
        """The share of others that are flagged at each threshold, pooled over trials."""
        return np.asarray(self.others.sum(axis=0) / self.all_others.sum())

    def success(self, cut: int) -> Floats:
        """The share of records told right in each trial, at one threshold."""
        right = self.members[:, cut] + self.all_others - self.others[:, cut]
        return np.asarray(right / (self.all_members + self.all_others))

    def best(self) -> int:
        """The threshold at which most records are told right."""
        return int(np.argmax((self.members - self.others).sum(axis=0)))

    def at_most(self, rate: float) -> int:
        """The lowest threshold at which at most such a share of others is flagged; else the highest."""
        return int(np.argmax(np.append(self.false_positives[:-1] <= rate, True)))


def _flagged(scores: Scores, member: Members, cuts: Scores) -> tuple[Floats, Floats]:
    """How many members and how many others lie above each threshold, for each trial."""
    passed = np.searchsorted(cuts, scores, side="left")  # so many thresholds lie below the score
    width = cuts.size + 1
    cell = passed + width * np.arange(len(scores))[:, None]
    tables = (np.bincount(cell[part], minlength=width * len(scores)) for part in (member, ~member))
    above = (table.reshape(-1, width)[:, :0:-1].cumsum(axis=1)[:, ::-1] for table in tables)
    members, others = (np.asarray(table, dtype=np.float64) for table in above)
    return members, others
