"""Asking the model about one record: which reports change its answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from noisewright.domains import Cells, Floats
from noisewright.utility.records import Records

Flags = NDArray[np.bool_]

_NUMBERS_AT_ONCE = 1 << 24
"""Feature values held in memory at a time."""


class Box(Protocol):
    """What is needed of ``models.BlackBox``."""

    queries: int

    def ask(self, rows: Floats, numbers: Cells | int) -> Cells:
        """The codes of the answers."""


@dataclass(frozen=True, eq=False)
class Question:
    """One record and the answer that ought to survive; calling it asks the model."""

    box: Box
    records: Records
    record: int
    reference: int

    def __call__(self, units: Floats) -> Flags:
        """Which reports, one row each in unit coordinates, lead to another answer."""
        number = int(self.records.numbers[self.record])
        step = max(1, _NUMBERS_AT_ONCE // self.records.values.shape[1])
        fails = np.empty(len(units), dtype=np.bool_)
        for at in range(0, len(units), step):
            rows = self.records.placed(self.record, units[at : at + step])
            fails[at : at + step] = self.box.ask(rows, number) != self.reference
        return fails
