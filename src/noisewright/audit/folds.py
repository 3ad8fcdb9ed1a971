"""Which runs are for what: learning a score, choosing events, bounding them. No run serves two of these."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from noisewright.errors import InvalidParameter
from noisewright.parameters import real, whole

FEWEST = 200
MOST = 10**11
SHARES = (0.2, 0.1, 0.7)
"""Of few runs: learning, choosing, bounding."""

ENOUGH = (50_000, 20_000)
"""Runs of each input after which learning and choosing get a smaller share."""

FURTHER = (0.05, 0.04)
"""That smaller share."""


MEMORY = 1_000_000
"""More runs of each input than this teach and choose nothing new, and would have to be held at once."""

LEARNING_TIME = 0.1
"""The part of the seconds after which the left input's learning runs end; the others follow its number."""


@dataclass(frozen=True)
class Fold:
    """So many runs of each input; the left input's runs end when the clock says so, at the latest."""

    count: int
    until: float | None = None


@dataclass(frozen=True)
class Budget:
    """An audit's runs over both inputs, its seconds, or whichever end first.

    Time may cut learning short. The number of bounding runs is set *before* the first of them, from the pace
    so far: if it depended on how long they took, and that on what they gave, slow outputs would be missing
    more often than others and no bound would hold. So the seconds are kept roughly, and the bound exactly.

    >>> budget = Budget(2000)
    >>> budget.learning.count, budget.choosing(200).count, budget.bounding(drawn=600).count
    (200, 100, 700)
    """

    samples: int | None
    seconds: float | None = None
    start: float = field(default_factory=time.monotonic)

    def __post_init__(self) -> None:
        if self.samples is None and self.seconds is None:
            raise InvalidParameter("an audit needs a budget: samples, seconds, or both")
        if self.samples is not None:
            whole("samples", self.samples, FEWEST, MOST)
        if self.seconds is not None and not real("seconds", self.seconds) > 0:
            raise InvalidParameter(f"seconds must be above 0, got {self.seconds:g}")

    @property
    def learning(self) -> Fold:
        """Runs that teach encoder and score."""
        end = None if self.seconds is None else self.start + LEARNING_TIME * self.seconds
        return Fold(self._size(0), end)

    def choosing(self, learned: int) -> Fold:
        """Runs that choose events, after so many of each input have taught."""
        return Fold(self._size(1) if self.seconds is None else min(self._size(1), learned // 2 + 1))

    def bounding(self, drawn: int) -> Fold:
        """Runs that bounds rest on, after ``drawn`` runs over both inputs and what was made of them."""
        rest = max((self._most - drawn) // 2, 1)
        if self.seconds is None:
            return Fold(rest)
        passed = max(time.monotonic() - self.start, 1e-6)
        left = max(self.seconds - passed, 0.3 * self.seconds)
        return Fold(max(min(rest, int(drawn / 2 * left / passed)), 1))

    def _size(self, fold: int) -> int:
        each = self._most // 2
        return min(int(each * SHARES[fold]), int(ENOUGH[fold] + each * FURTHER[fold]), MEMORY)

    @property
    def _most(self) -> int:
        return MOST if self.samples is None else self.samples
