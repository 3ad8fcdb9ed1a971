"""Asking the model about one record: which reports change its answer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from noisewright.domains import Cells, Floats
from noisewright.utility.channels import Lattice
from noisewright.utility.records import Records

Flags = NDArray[np.bool_]

_NUMBERS_AT_ONCE = 1 << 24
"""Feature values held in memory at a time."""


class Ask(Protocol):
    """How queries reach the model: any values, or the reports of cells."""

    def __call__(self, units: Floats) -> Flags:
        """Which values, in unit coordinates, lead to another answer."""

    def at(self, lattice: Lattice, cells: Cells) -> Flags:
        """Which reports lead to another answer."""


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
        """Which values, one row each in unit coordinates, lead to another answer."""
        return self._asked(len(units), lambda piece: self.records.placed(self.record, units[piece]))

    def at(self, lattice: Lattice, cells: Cells) -> Flags:
        """Which reports, one row of cells each, lead to another answer; exactly as they would be reported."""
        return self._asked(
            len(cells), lambda piece: self.records.reported(self.record, lattice, cells[piece])
        )

    def _asked(self, count: int, rows: Callable[[slice], Floats]) -> Flags:
        number = int(self.records.numbers[self.record])
        step = max(1, _NUMBERS_AT_ONCE // self.records.values.shape[1])
        fails = np.empty(count, dtype=np.bool_)
        for at in range(0, count, step):
            piece = slice(at, at + step)
            fails[piece] = self.box.ask(rows(piece), number) != self.reference
        return fails
