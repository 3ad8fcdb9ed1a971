"""Attacks and the trials that judge them: releases simulated with public chance, never the real secret.

An attack gives a score for every record and release, higher for a likelier member. It has a threshold above
which it says "member". The best threshold *on the trials it is judged by* makes any attack look good, even a
useless one. :class:`Split` keeps the two apart; :class:`Bonferroni` corrects for many attacks and many
records.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from noisewright.domains import Cells
from noisewright.errors import InvalidParameter
from noisewright.parameters import real, whole
from noisewright.release.basics.pool import blocks as pieces
from noisewright.release.basics.worlds import Worlds
from noisewright.release.noise.plan import NoisePlan

Scores = NDArray[np.float32]

NUMBERS_AT_ONCE = 1 << 19
"""Numbers in one block of a table, whatever the worlds and records: few enough to stay in the cache."""

FEWEST_TRIALS = 8
MOST_TRIALS = 10_000_000


class Attack(ABC):
    """An adversary who knows the pool, the worlds, all their outputs and the law of the noise."""

    name: ClassVar[str]
    title: ClassVar[str]

    @abstractmethod
    def scores(self, cells: Cells) -> Scores:
        """Return a score for each release and each record, (releases, records).

        Args:
            cells: What was released, a row of cells for each release.
        """


@dataclass(frozen=True, eq=False)
class Trials:
    """Simulated releases: the world of each, and the cells that were published."""

    worlds: NDArray[np.int64]
    cells: Cells

    def __len__(self) -> int:
        return len(self.worlds)

    def __getitem__(self, part: slice) -> Trials:
        """Return a part of the trials."""
        return Trials(self.worlds[part], self.cells[part])

    def member(self, worlds: Worlds) -> NDArray[np.bool_]:
        """Return which records were members in each trial, (trials, records)."""
        return worlds.member[self.worlds]


def play(plan: NoisePlan, trials: int, generator: np.random.Generator) -> Trials:
    """Draw worlds from the plan's prior and release each once, with public chance."""
    drawn = generator.choice(len(plan.weights), size=trials, p=plan.weights / plan.weights.sum())
    return Trials(drawn, plan.simulate(drawn, generator))


def blocks(trials: int, width: int) -> Iterator[slice]:
    """Cut trials into blocks such that a table of ``width`` columns stays small."""
    return pieces(trials, width, NUMBERS_AT_ONCE)


@dataclass(frozen=True)
class Split:
    """A split of the trials: the first ones choose thresholds and records, the rest judge.

    Args:
        share: Share of the trials that choose, strictly between 0 and 1.

    >>> Split(0.5).parts(1000)
    (slice(0, 500, None), slice(500, 1000, None))
    """

    share: float = 0.5

    def __post_init__(self) -> None:
        if not 0 < real("the share of a Split", self.share) < 1:
            raise InvalidParameter(
                f"the share of a Split must lie strictly between 0 and 1, got {self.share:g}"
            )

    def parts(self, trials: int) -> tuple[slice, slice]:
        """Return the choosing and the judging trials, at least two of each.

        Args:
            trials: Total number of trials, at least 8.
        """
        whole("trials", trials, FEWEST_TRIALS, MOST_TRIALS)
        at = min(max(int(self.share * trials), 2), trials - 2)
        return slice(0, at), slice(at, trials)


@dataclass(frozen=True)
class Bonferroni:
    """A number of statements that must hold together: each gets an equal part of the failure probability.

    Args:
        statements: Number of statements.

    >>> Bonferroni(4).each(0.01)
    0.0025
    """

    statements: int

    def each(self, failure: float) -> float:
        """Return the failure probability of one statement.

        Args:
            failure: Probability that any of them fails.
        """
        return failure / self.statements
