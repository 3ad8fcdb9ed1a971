"""What every group of counted reports is: whole numbers of one mechanism that can be added up and sent."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from noisewright.errors import BadTable, OutOfDomain
from noisewright.mechanisms import DesignedLaw, DesignedTable, Mechanism

Counts = NDArray[np.int64]

MOST = 1 << 53
"""Reports of the largest tally: doubles count no further."""

NOTHING = "there are no reports to estimate from"


@dataclass(frozen=True, eq=False)
class Group(ABC):
    """The reports of one mechanism, counted. What ``counts`` counts is for each kind of group to say."""

    mechanism: Mechanism
    counts: Counts

    @classmethod
    @abstractmethod
    def of(cls, reports: Any, mechanism: Any) -> Self:
        """Count reports, or refuse what the mechanism cannot have made."""

    @classmethod
    @abstractmethod
    def from_dict(cls, mechanism: Any, part: Mapping[str, Any]) -> Self:
        """Rebuild a group from :meth:`to_dict`; a stranger's numbers are checked against the mechanism."""

    @property
    @abstractmethod
    def count(self) -> int:
        """How many reports there are."""

    @abstractmethod
    def __add__(self, other: Self) -> Self: ...

    @abstractmethod
    def to_dict(self) -> dict[str, Any]:
        """The group in plain JSON values."""


def whole_numbers(numbers: Any, size: int, *, signed: bool = False) -> Counts:
    """A list of counts from a stranger, as many as there is room for, or a refusal."""
    if not isinstance(numbers, list | tuple) or len(numbers) != size:
        raise BadTable("the counts of a tally do not fit its mechanism")
    if not all(type(number) is int and abs(number) < MOST for number in numbers):
        raise BadTable("the counts of a tally must be whole numbers, and not too large")
    if not signed and min(numbers) < 0:
        raise BadTable("the counts of a tally must not be negative")
    return np.array(numbers, dtype=np.int64)


def partition_of_reports(numbers: Any, size: int) -> Counts:
    """Counts of which every report is in just one: their sum is the number of reports."""
    counts = whole_numbers(numbers, size)
    if not 0 < sum(numbers) < MOST:
        raise BadTable("the counts of a tally do not fit its mechanism")
    return counts


def refuse_foreign(mechanism: Mechanism, counts: Counts) -> None:
    """Refuse reports in cells that a designed law never reports."""
    if not isinstance(mechanism, DesignedLaw | DesignedTable) or counts.size < mechanism.reports.lattice:
        return
    if np.delete(counts, mechanism.outputs).any():
        raise OutOfDomain("some reports were not made by this mechanism: it never makes them")
