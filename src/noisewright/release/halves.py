"""Halves of a pool, however they were drawn: what running an algorithm on each of them has to know."""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np
from numpy.typing import NDArray


class Halves(ABC):
    """``count`` public halves of ``records`` records, with a public seed of the algorithm for each."""

    records: int
    count: int

    @property
    @abstractmethod
    def member(self) -> NDArray[np.bool_]:
        """Which record is in which half, (halves, records)."""

    @property
    @abstractmethod
    def seeds(self) -> NDArray[np.int64]:
        """The public seed of the algorithm on each half, (halves,)."""

    def rows(self, world: int) -> NDArray[np.int64]:
        """The places of one half's records, in the order of the pool."""
        return np.flatnonzero(self.member[world])
