"""What an attack is: a score for every record and release, higher for what looks like a member."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from noisewright.domains import Cells

Scores = NDArray[np.float32]


class Attack(ABC):
    """An adversary who knows the pool, the worlds, all their outputs and the law of the noise."""

    name: ClassVar[str]
    title: ClassVar[str]

    @abstractmethod
    def scores(self, cells: Cells) -> Scores:
        """A score for each release (a row of cells) and each record, (releases, records)."""
