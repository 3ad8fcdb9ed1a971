"""Outputs as a score sees them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noisewright.domains import Floats

Codes = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Features:
    """Finite numbers in ``table`` (count, columns), and the code of each output where outputs are few.

    >>> both = Features(np.array([[0.5], [2.0]]), np.array([0, 1]))
    >>> len(both[1:]), both[1:].atoms.tolist()
    (1, [1])
    """

    table: Floats
    atoms: Codes | None = None

    def __len__(self) -> int:
        return len(self.table)

    def __getitem__(self, rows: slice | NDArray[Any]) -> Features:
        return Features(self.table[rows], None if self.atoms is None else self.atoms[rows])
