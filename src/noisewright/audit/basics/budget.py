"""The budget of runs: some learn a score, some choose events, and the rest only bound them."""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np

from noisewright.audit.basics.claim import read_positive
from noisewright.errors import InvalidParameter
from noisewright.parameters import whole

FEWEST = 200
MOST = 10**11
SHARES = (0.2, 0.1, 0.7)
"""Shares of a small budget: learning, choosing, bounding."""

PLAIN, WIDE = (20_000, 0.02), (50_000, 0.05)
"""Learning runs of each input that are enough, for single numbers and for wider outputs: a fixed number, and
a share of the rest."""

CHOOSING = (20_000, 0.06)
"""The same for choosing."""

MEMORY = 1_000_000
"""More learning or choosing runs of each input bring nothing new, and would have to be held in memory."""

LEARNING_TIME = 0.1
"""The part of the seconds after which the left input's learning runs end; the right input gets as many."""


class Sizes(NamedTuple):
    """Runs of each input in each part of an audit that took ``seconds``."""

    learning: int
    choosing: int
    bounding: int
    seconds: float

    def scaled(self, seconds: float, most: int) -> Sizes:
        """Return the parts for another time, at most ``most`` runs per input; only bounding changes.

        >>> Sizes(40, 21, 1000, 2.0).scaled(4.0, 10**6).bounding
        2000
        """
        bounding = round(self.bounding * seconds / self.seconds)
        rest = max(most - self.learning - self.choosing, 1)
        return self._replace(bounding=max(min(bounding, rest), 1), seconds=seconds)


@dataclass(frozen=True)
class Budget:
    """An audit's runs over both inputs, its seconds, or whichever ends first; its parts are per input.

    Time may cut learning short. The number of bounding runs is set *before* the first of them, from the pace
    so far. If it depended on how long they take, slow outputs would be missing more often than others, and no
    bound would hold. So the seconds are kept roughly, and the bound exactly.

    >>> budget = Budget(2000)
    >>> budget.learning(wide=True), budget.choosing(200), budget.bounding(drawn=600)
    (200, 100, 700)
    """

    samples: int | None
    seconds: float | None = None
    start: float = field(default_factory=lambda: time.monotonic())  # noqa: PLW0108 -- tests set another clock
    sizes: Sizes | None = None
    """The parts of an earlier timed audit whose runs are kept: the same runs serve the same parts."""

    def __post_init__(self) -> None:
        if self.samples is None and self.seconds is None:
            raise InvalidParameter("an audit needs a budget: samples, seconds, or both")
        if self.samples is not None:
            whole("samples", self.samples, FEWEST, MOST)
        if self.seconds is not None:
            read_positive("seconds", self.seconds)

    @classmethod
    def of(cls, samples: float | None, seconds: float | None) -> Budget:
        """Return a budget as a user writes it."""
        return cls(None if samples is None else run_count(samples), seconds)

    def again(self, sizes: Sizes | None) -> Budget:
        """Return the budget with the parts of an earlier audit, if it goes by the clock and there was one."""
        if self.seconds is None or sizes is None:
            return self
        return replace(self, sizes=sizes.scaled(self.seconds, self._most // 2))

    @property
    def learning_ends(self) -> float | None:
        """When the clock ends the left input's learning runs, however few they are."""
        timed = self.seconds is not None and self.sizes is None
        return self.start + LEARNING_TIME * (self.seconds or 0.0) if timed else None

    def learning(self, *, wide: bool) -> int:
        """Return the number of learning runs per input; ``wide`` outputs have more to learn from."""
        if self.sizes is not None:
            return self.sizes.learning
        return self._size(SHARES[0], *(WIDE if wide else PLAIN))

    def choosing(self, learned: int) -> int:
        """Return the number of runs used to choose events after ``learned`` learning runs per input."""
        if self.sizes is not None:
            return self.sizes.choosing
        size = self._size(SHARES[1], *CHOOSING)
        return size if self.seconds is None else min(size, learned // 2 + 1)

    def bounding(self, drawn: int) -> int:
        """Return the number of bounding runs per input, after ``drawn`` runs over both inputs."""
        if self.sizes is not None:
            return self.sizes.bounding
        rest = max((self._most - drawn) // 2, 1)
        if self.seconds is None:
            return rest
        passed = max(time.monotonic() - self.start, 1e-6)
        left = max(self.seconds - passed, 0.3 * self.seconds)
        return max(min(rest, int(drawn / 2 * left / passed)), 1)

    def _size(self, share: float, enough: int, further: float) -> int:
        return fold_size(self._most // 2, share, enough, further)

    @property
    def _most(self) -> int:
        return MOST if self.samples is None else self.samples


def run_count(samples: object, fewest: int = FEWEST, most: int = MOST) -> int:
    """Return a number of runs; a whole number written as a float, such as 1e4, is accepted.

    >>> run_count(1e4)
    10000
    """
    if isinstance(samples, float | np.floating) and float(samples).is_integer():
        samples = int(samples)
    return whole("samples", samples, fewest, most)


def fold_size(each: int, share: float, enough: int, further: float) -> int:
    """Return the runs of a fold, given ``each`` runs per input in all.

    Args:
        each: Runs per input in all.
        share: The share of few runs that the fold takes.
        enough: Runs that are enough for it, where there are many.
        further: The share of many runs that it takes besides.
    """
    return min(int(each * share), int(enough + each * further), MEMORY)


def bounding_rows(samples: int) -> int:
    """Return the outputs of each input that bounds will rest on, given ``samples`` runs over both.

    >>> bounding_rows(2000), bounding_rows(2_000_000)
    (700, 820000)
    """
    each = samples // 2
    return each - fold_size(each, SHARES[0], *WIDE) - fold_size(each, SHARES[1], *CHOOSING)
