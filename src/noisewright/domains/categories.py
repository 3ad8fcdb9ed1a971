"""A public list of labels."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from noisewright.domains.base import Cells, Domain
from noisewright.errors import InvalidParameter, OutOfDomain


@dataclass(frozen=True, repr=False)
class Categories(Domain):
    """A public list of labels; the list must never be taken from the private data.

    >>> Categories(["no", "yes"]).snap(["yes", "no", "yes"])
    array([1, 0, 1])
    """

    labels: tuple[Hashable, ...]
    kind: ClassVar[str] = "categories"

    def __init__(self, labels: Iterable[Hashable]) -> None:
        object.__setattr__(self, "labels", tuple(labels))
        if len(self.labels) < 2:
            raise InvalidParameter(f"categories need at least two labels, got {len(self.labels)}")
        if len(set(self.labels)) < len(self.labels):
            raise InvalidParameter("categories must be distinct")

    def __repr__(self) -> str:
        return f"Categories({list(self.labels)!r})"

    def __len__(self) -> int:
        return len(self.labels)

    @cached_property
    def _places(self) -> dict[Hashable, int]:
        return {label: place for place, label in enumerate(self.labels)}

    @property
    def lattice(self) -> int:
        """How many categories there are."""
        return len(self.labels)

    def snap(self, values: Iterable[Hashable], *, name: str = "value") -> Cells:
        """The place of each label in the list, or a refusal that names where an unknown one stands."""
        items = values.tolist() if isinstance(values, np.ndarray) else list(values)
        cells = [self._places.get(item, -1) for item in items]
        if -1 in cells:
            raise OutOfDomain(f"{name}[{cells.index(-1)}] is not one of the {len(self)} declared categories")
        return np.array(cells, dtype=np.int64)

    def centres(self, cells: ArrayLike) -> NDArray[Any]:
        """The label of each cell."""
        return np.array(self.labels, dtype=object)[np.asarray(cells, dtype=np.int64)]

    def to_dict(self) -> dict[str, Any]:
        return {"kind": self.kind, "labels": list(self.labels)}

    @classmethod
    def _from_fields(cls, fields: Mapping[str, Any]) -> Self:
        return cls(fields["labels"])
