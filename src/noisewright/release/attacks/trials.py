"""Releases played out with public chance, so that attacks can be judged: the real secret is never touched."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from noisewright.domains import Cells
from noisewright.release.blocks import blocks as pieces
from noisewright.release.noise.plan import NoisePlan
from noisewright.release.worlds import Worlds

NUMBERS_AT_ONCE = 1 << 19
"""Numbers in one block of a table, whatever the worlds and records: few enough to stay in the cache."""


@dataclass(frozen=True, eq=False)
class Trials:
    """So many releases: the world of each, and the cells that were published."""

    worlds: NDArray[np.int64]
    cells: Cells

    def __len__(self) -> int:
        return len(self.worlds)

    def __getitem__(self, part: slice) -> Trials:
        """Some of the trials."""
        return Trials(self.worlds[part], self.cells[part])

    def member(self, worlds: Worlds) -> NDArray[np.bool_]:
        """Who was a member in each trial, (trials, records)."""
        return worlds.member[self.worlds]


def play(plan: NoisePlan, trials: int, generator: np.random.Generator) -> Trials:
    """Draw worlds from the plan's prior and release each once."""
    drawn = generator.choice(len(plan.weights), size=trials, p=plan.weights / plan.weights.sum())
    return Trials(drawn, plan.simulate(drawn, generator))


def blocks(trials: int, width: int) -> Iterator[slice]:
    """Consecutive trials such that a table of ``width`` columns stays small.

    >>> [piece.stop for piece in blocks(10, NUMBERS_AT_ONCE // 4)]
    [4, 8, 10]
    """
    return pieces(trials, width, NUMBERS_AT_ONCE)
