"""A public list of labels, all equally far apart."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np

from noisewright.domains.base import Floats
from noisewright.domains.finite import FiniteDomain


@dataclass(frozen=True, repr=False)
class Categories(FiniteDomain):
    """A public list of labels; the list must never be taken from the private data.

    >>> Categories(["no", "yes"]).snap(["yes", "no", "yes"])
    array([1, 0, 1])
    """

    kind: ClassVar[str] = "categories"

    def __init__(self, labels: Iterable[Hashable]) -> None:
        object.__setattr__(self, "labels", tuple(labels))
        self._check_labels("categories")

    def __repr__(self) -> str:
        return f"Categories({list(self.labels)!r})"

    @property
    def distances(self) -> Floats:
        """1 between any two labels: a wrong answer is wrong."""
        return 1.0 - np.eye(len(self))

    def to_dict(self) -> dict[str, Any]:
        return {"kind": self.kind, "labels": list(self.labels)}

    @classmethod
    def _from_fields(cls, fields: Mapping[str, Any]) -> Self:
        return cls(fields["labels"])
