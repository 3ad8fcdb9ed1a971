"""What domains with finitely many values share: a public list of labels and the distances between them."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from noisewright.domains.base import Cells, Domain, Floats
from noisewright.errors import InvalidParameter, OutOfDomain

MOST_LABELS = 1 << 20
"""Labels of the largest list: a lattice of categories is no finer than a lattice of numbers."""


@dataclass(frozen=True, repr=False)
class FiniteDomain(Domain):
    """A public list of labels; the list must never be taken from the private data.

    Attributes:
        labels: Distinct labels, at least two.
    """

    labels: tuple[Hashable, ...]

    def _check_labels(self, what: str) -> None:
        if not 2 <= len(self.labels) <= MOST_LABELS:
            raise InvalidParameter(
                f"{what} need at least two labels and at most {MOST_LABELS}, got {len(self.labels)}"
            )
        if len(set(self.labels)) < len(self.labels):
            raise InvalidParameter(f"{what} must be distinct")

    def __len__(self) -> int:
        return len(self.labels)

    @property
    def lattice(self) -> int:
        """How many labels there are."""
        return len(self.labels)

    @property
    @abstractmethod
    def distances(self) -> Floats:
        """How far the labels lie apart, as a matrix in the order of the list."""

    @cached_property
    def _places(self) -> dict[Hashable, int]:
        return {label: place for place, label in enumerate(self.labels)}

    def snap(self, values: Iterable[Hashable], *, name: str = "value") -> Cells:
        """The place of each label in the list, or a refusal that names where an unknown one stands."""
        items = values.tolist() if isinstance(values, np.ndarray) else list(values)
        cells = [self._places.get(item, -1) for item in items]
        if not cells:
            raise OutOfDomain(f"{name} is empty; there is nothing to randomize")
        if -1 in cells:
            raise OutOfDomain(f"{name}[{cells.index(-1)}] is not one of the {len(self)} declared categories")
        return np.array(cells, dtype=np.int64)

    def as_labels(self) -> FiniteDomain:
        """The labels that reports are made of: those of the domain, unless true values are something else."""
        return self

    def centres(self, cells: ArrayLike) -> NDArray[Any]:
        """The label of each cell."""
        known = np.empty(len(self), dtype=object)
        known[:] = self.labels
        return np.asarray(known[np.asarray(cells, dtype=np.int64)])
