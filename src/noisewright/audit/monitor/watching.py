"""Running a black box under the eyes of a monitor."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any, Protocol

from numpy.typing import ArrayLike

from noisewright.audit.claim import Claimed
from noisewright.audit.experiment.turns import SIDES, order, shares
from noisewright.audit.folds import run_count
from noisewright.audit.monitor.monitor import Monitor
from noisewright.audit.monitor.state import State
from noisewright.audit.outputs import Outputs
from noisewright.errors import InvalidParameter
from noisewright.parameters import real, whole

BATCH = 500
"""Runs a side of the first look."""

GROWTH = 0.1
"""Later looks take this much of all that came before, so that looking stays cheap."""

TURNS_A_LOOK = 8
"""Turns that the two inputs take in a look."""


class Source(Protocol):
    """Where outputs come from; an Experiment is one."""

    def take(self, side: Any, count: int, until: float | None = None) -> Outputs:
        """So many further outputs of a side, or fewer where the time is up."""


def watch(
    experiment: Source,
    claim: Claimed,
    *,
    samples: float | None = None,
    seconds: float | None = None,
    batch: int = BATCH,
    confidence: float = 0.95,
    epsilons: ArrayLike | None = None,
    score: Any = "auto",
    seed: int = 0,
) -> Iterator[State]:
    """Draw from both inputs in turn and give the state after every batch; stop whenever you like.

    It ends by itself after so many ``samples`` (runs over both inputs) or ``seconds``; without either, never.

    >>> import numpy as np
    >>> class Coins:
    ...     chance = np.random.default_rng(1)
    ...     def take(self, side, count, until=None):
    ...         return Outputs.of(self.chance.random(count) < (0.7 if side == "left" else 0.3))
    >>> [state.refuted for state in watch(Coins(), 0.1, samples=3000, score="value")]
    [True, True, True]
    """
    monitor = Monitor(claim, confidence=confidence, epsilons=epsilons, score=score, seed=seed)
    left = run_count(samples, 2, 1 << 62) // 2 if samples is not None else None
    until = None if seconds is None else time.monotonic() + _duration(seconds)
    size, drawn = whole("batch", batch, 1, 1 << 40), 0
    while left is None or drawn < left:
        count = max(size, int(drawn * GROWTH))
        count = count if left is None else min(count, left - drawn)
        sides = _batch(experiment, count, until)
        drawn += count
        if any(map(len, sides)):
            yield monitor.update(*sides)
        if min(map(len, sides)) < count:  # the time is up
            return


def _batch(experiment: Source, count: int, until: float | None) -> list[Outputs]:
    """So many outputs of each side, drawn by turns, so that partners are of about the same moment."""
    pieces: dict[str, list[Outputs]] = {side: [] for side in SIDES}
    for turn, size in enumerate(shares(count, 1, TURNS_A_LOOK)):
        for side in order(turn):
            pieces[side].append(experiment.take(side, size, until))
    return [Outputs.joined(pieces[side]) for side in SIDES]


def _duration(seconds: float) -> float:
    if not real("seconds", seconds) > 0:
        raise InvalidParameter(f"seconds must be above 0, got {seconds:g}")
    return float(seconds)
