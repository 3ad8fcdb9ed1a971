"""Queries about one record: which simulated reports change the model's answer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from noisewright.domains import Cells, Floats
from noisewright.errors import InvalidParameter
from noisewright.randomness import Source
from noisewright.utility.core.channels import Lattice
from noisewright.utility.core.records import Records
from noisewright.utility.models import BlackBox

Flags = NDArray[np.bool_]

_NUMBERS_AT_ONCE = 1 << 24
"""Number of feature values in memory at a time."""


class Ask(Protocol):
    """Questions to the model: about any values, or about the reports of cells."""

    def __call__(self, units: Floats) -> Flags:
        """Return which values, in unit coordinates, lead to another answer."""

    def at(self, lattice: Lattice, cells: Cells) -> Flags:
        """Return which reports lead to another answer."""


@dataclass(frozen=True, eq=False)
class Question:
    """One record and the answer that should survive; calling it asks the model.

    Args:
        box: The model.
        records: All records.
        record: The index of the record among them.
        reference: The answer that should survive, as a code of the box.
    """

    box: BlackBox
    records: Records
    record: int
    reference: int

    def __call__(self, units: Floats) -> Flags:
        """Return which values, one row each in unit coordinates, lead to another answer."""
        return self._ask(len(units), lambda piece: self.records.with_values(self.record, units[piece]))

    def at(self, lattice: Lattice, cells: Cells) -> Flags:
        """Return which reports, one row of cells each, lead to another answer, exactly as reported."""
        return self._ask(
            len(cells), lambda piece: self.records.with_reports(self.record, lattice, cells[piece])
        )

    def _ask(self, count: int, rows: Callable[[slice], Floats]) -> Flags:
        number = int(self.records.numbers[self.record])
        step = max(1, _NUMBERS_AT_ONCE // self.records.values.shape[1])
        fails = np.empty(count, dtype=np.bool_)
        for at in range(0, count, step):
            piece = slice(at, at + step)
            fails[piece] = self.box.ask(rows(piece), number) != self.reference
        return fails


def generator(source: int | Source | None) -> np.random.Generator:
    """Return a generator from a seed, from a source of random words, or from the operating system.

    It only simulates reports; no person's report is drawn from it.

    >>> bool(generator(7).random() == generator(7).random())
    True
    """
    if isinstance(source, Source):
        return np.random.default_rng([int(word) for word in source.words(4)])
    if source is None:
        return np.random.default_rng()
    if isinstance(source, bool) or not isinstance(source, (int, np.integer)) or source < 0:
        raise InvalidParameter(
            "must be a seed (a whole number from 0 up), a Source, or nothing", field="source"
        )
    return np.random.default_rng(int(source))
