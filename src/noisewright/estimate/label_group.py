"""Counted labels of a mechanism with a law of its own for every label: how often each one was reported."""

from __future__ import annotations

from collections.abc import Mapping, Sized
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from noisewright.errors import BadTable
from noisewright.estimate.group import NOTHING, Group, partition_of_reports, refuse_foreign
from noisewright.mechanisms.basics.finite import label_list


@dataclass(frozen=True, eq=False)
class LabelGroup(Group):
    """Reports that are labels: counts by label, however long the list."""

    @classmethod
    def of(cls, reports: Any, mechanism: Any) -> Self:
        cells = mechanism.reports.snap(at_least_one(label_list(reports)), name="report")
        counts = np.bincount(cells, minlength=mechanism.reports.lattice)
        refuse_foreign(mechanism, counts)
        return cls(mechanism, counts)

    @classmethod
    def from_dict(cls, mechanism: Any, part: Mapping[str, Any]) -> Self:
        counts = partition_of_reports(part["counts"], mechanism.reports.lattice)
        refuse_foreign(mechanism, counts)
        return cls(mechanism, counts)

    @property
    def count(self) -> int:
        return int(self.counts.sum())

    def __add__(self, other: Self) -> Self:
        return type(self)(self.mechanism, self.counts + other.counts)

    def to_dict(self) -> dict[str, Any]:
        return {"mechanism": self.mechanism.to_dict(), "counts": self.counts.tolist()}


def at_least_one(reports: Any) -> Any:
    """Reports that can be counted: at least one, and with a length."""
    found = reports if isinstance(reports, Sized) else list(reports)
    if len(found) == 0:
        raise BadTable(NOTHING)
    return found
