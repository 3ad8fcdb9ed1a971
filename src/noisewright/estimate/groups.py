"""Counted reports of one mechanism: whole numbers that can be added up and sent.

Numbers are counted by part of the report domain, together with their exact sums. Labels that each have a law
of their own are counted by label. For a frequency oracle, the reports that support each label are counted;
whether its reports are bits, hashes or labels, an estimate needs nothing else.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sized
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from noisewright.domains import Cells, Floats, NumericDomain, as_floats
from noisewright.errors import BadTable, OutOfDomain
from noisewright.mechanisms import DesignedLaw, DesignedTable, FrequencyOracle, Mechanism
from noisewright.mechanisms.basics.finite import label_list

Counts = NDArray[np.int64]

MOST = 1 << 53
"""Reports of the largest tally: doubles count no further."""

NOTHING = "there are no reports to estimate from"


@dataclass(frozen=True, eq=False)
class Group(ABC):
    """The counted reports of one mechanism; each kind of group defines the meaning of ``counts``."""

    mechanism: Mechanism
    counts: Counts

    @classmethod
    @abstractmethod
    def of(cls, reports: Any, mechanism: Any) -> Self:
        """Count reports; refuse those that the mechanism cannot have made."""

    @classmethod
    @abstractmethod
    def from_dict(cls, mechanism: Any, part: Mapping[str, Any]) -> Self:
        """Rebuild a group from :meth:`to_dict`; numbers from elsewhere are checked against the mechanism."""

    @property
    def count(self) -> int:
        """Number of reports."""
        return int(self.counts.sum())

    @abstractmethod
    def __add__(self, other: Self) -> Self: ...

    @abstractmethod
    def to_dict(self) -> dict[str, Any]:
        """Return the group in plain JSON values."""


def whole_numbers(numbers: Any, size: int, *, signed: bool = False) -> Counts:
    """Return a list of counts from elsewhere as an array, or refuse a wrong size, kind or sign."""
    if not isinstance(numbers, list | tuple) or len(numbers) != size:
        raise BadTable("the counts of a tally do not fit its mechanism")
    if not all(type(number) is int and abs(number) < MOST for number in numbers):
        raise BadTable("the counts of a tally must be whole numbers, and not too large")
    if not signed and min(numbers) < 0:
        raise BadTable("the counts of a tally must not be negative")
    return np.array(numbers, dtype=np.int64)


def partition_of_reports(numbers: Any, size: int) -> Counts:
    """Return counts that have every report in exactly one: their sum is the number of reports."""
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


PARTS = 4096
"""Parts of the report domain that are counted: finer than any window of a useful mechanism."""

BLOCK = 1 << 18
"""Reports counted at a time, few enough for a processor's cache."""

OFF_CENTRE = 0.3
"""Of a cell: a report further from its cell's centre was not made on this lattice."""
SINGLE = 2.0**-22
"""Rounding of reports that were stored as 32-bit numbers, of their size."""


@dataclass(frozen=True, eq=False)
class NumberGroup(Group):
    """Reports that are numbers: counts by part, and the exact sums of their cells and squared cells."""

    cells: int
    squares: int

    @classmethod
    def of(cls, reports: Any, mechanism: Any) -> Self:
        lattice, parts = mechanism.reports.lattice, parts_of(mechanism.reports)
        counts, total, squares = np.zeros(parts, dtype=np.int64), 0, 0
        for cells in _blocks_of_cells(reports, mechanism.reports):
            counts += np.bincount(cells * parts // lattice, minlength=parts)
            total += int(cells.sum())
            squares += _sum_of_squares(cells)
        refuse_foreign(mechanism, counts)
        return cls(mechanism, counts, total, squares)

    @classmethod
    def from_dict(cls, mechanism: Any, part: Mapping[str, Any]) -> Self:
        counts = partition_of_reports(part["counts"], parts_of(mechanism.reports))
        total, squares = part["cells"], part["squares"]
        if not all(type(number) is int and number >= 0 for number in (total, squares)):
            raise BadTable("the sums of a tally must be whole numbers that are not negative")
        last, many = mechanism.reports.lattice - 1, int(counts.sum())
        if total > many * last or squares > many * last**2:
            raise BadTable("the sums of a tally are larger than its counts allow")
        refuse_foreign(mechanism, counts)
        return cls(mechanism, counts, total, squares)

    @property
    def places(self) -> Floats:
        """The middle of each part of the report domain."""
        reports, parts = self.mechanism.reports, self.counts.size
        return np.asarray(reports.start + (np.arange(parts) + 0.5) * (reports.length / parts))

    @property
    def mean(self) -> float:
        """The mean report."""
        reports = self.mechanism.reports
        return float(reports.start + reports.pitch * (self.cells / self.count + 0.5))

    @property
    def variance(self) -> float:
        """The variance of the reports, as an estimate for the population."""
        spread = self.count * self.squares - self.cells**2
        return float(spread / self.count / max(self.count - 1, 1) * self.mechanism.reports.pitch**2)

    def __add__(self, other: Self) -> Self:
        counts = self.counts + other.counts
        return type(self)(self.mechanism, counts, self.cells + other.cells, self.squares + other.squares)

    def to_dict(self) -> dict[str, Any]:
        return {
            "mechanism": self.mechanism.to_dict(),
            "counts": self.counts.tolist(),
            "cells": self.cells,
            "squares": self.squares,
        }


def parts_of(reports: NumericDomain) -> int:
    """Return the number of parts in which a domain is counted; a coarse lattice is counted by its cells."""
    return int(min(reports.lattice, PARTS))


def _sum_of_squares(cells: Cells) -> int:
    """Exact for lattices of up to 2³⁴ cells: with c = 2¹²·a + b no partial sum leaves 64 bits."""
    high, low = cells >> 12, cells & 0xFFF
    return (int(high @ high) << 24) + (int(high @ low) << 13) + int(low @ low)


def _blocks_of_cells(reports: Any, domain: NumericDomain) -> Iterator[Cells]:
    if np.size(reports) == 0:
        raise BadTable(NOTHING)
    flat = as_floats(reports, "report").reshape(-1)
    for start in range(0, flat.size, BLOCK):
        yield _cells(flat[start : start + BLOCK], domain, start)


def _cells(reports: Floats, domain: NumericDomain, first: int) -> Cells:
    """The cells of reports, or a refusal of numbers that the mechanism cannot have made."""
    place = domain.position(reports)
    size = max(abs(domain.start), abs(domain.start + domain.length))
    off = min(OFF_CENTRE, 1e-6 + SINGLE * size / domain.pitch)
    with np.errstate(invalid="ignore"):
        cells = place.astype(np.int64)
        strange = ~(np.abs(place - cells - 0.5) < off) | (cells < 0) | (cells >= domain.lattice)
    if strange.any():
        raise OutOfDomain(
            f"report[{first + int(np.argmax(strange))}] was not made by this mechanism: its reports are the "
            f"centres of the cells of {domain!r}; true values must never be given here"
        )
    return cells


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

    def __add__(self, other: Self) -> Self:
        return type(self)(self.mechanism, self.counts + other.counts)

    def to_dict(self) -> dict[str, Any]:
        return {"mechanism": self.mechanism.to_dict(), "counts": self.counts.tolist()}


def at_least_one(reports: Any) -> Any:
    """Return reports with a length, or refuse if there are none."""
    found = reports if isinstance(reports, Sized) else list(reports)
    if len(found) == 0:
        raise BadTable(NOTHING)
    return found


@dataclass(frozen=True, eq=False)
class SupportGroup(Group):
    """Reports of a frequency oracle: ``counts`` says how many support each label.

    >>> from noisewright import Categories
    >>> from noisewright.mechanisms import KRR
    >>> group = SupportGroup.of(["no", "yes", "no"], KRR(Categories(["no", "yes"]), epsilon=1.0))
    >>> group.counts.tolist(), group.count
    ([2, 1], 3)
    """

    mechanism: FrequencyOracle
    reports: int

    @classmethod
    def of(cls, reports: Any, mechanism: FrequencyOracle) -> Self:
        found = at_least_one(label_list(reports))
        return cls(mechanism, np.asarray(mechanism.supports(found), dtype=np.int64), len(found))

    @classmethod
    def from_dict(cls, mechanism: FrequencyOracle, part: Mapping[str, Any]) -> Self:
        return cls.counted(part["supports"], part["reports"], mechanism)

    @classmethod
    def counted(cls, supports: Any, reports: Any, mechanism: FrequencyOracle) -> Self:
        """Return a group of numbers counted elsewhere; refuse numbers that no reports can have made."""
        if type(reports) is not int or not 0 < reports < MOST:
            raise BadTable("the number of reports of a tally must be a whole number above 0")
        counts = whole_numbers(supports, mechanism.support_size, signed=mechanism.votes)
        each = mechanism.labels_supported
        if np.abs(counts).max() > reports or (each is not None and sum(supports) != each * reports):
            raise BadTable("the counts of a tally do not fit its number of reports")
        return cls(mechanism, counts, reports)

    @property
    def count(self) -> int:
        return self.reports

    def __add__(self, other: Self) -> Self:
        return type(self)(self.mechanism, self.counts + other.counts, self.reports + other.reports)

    def to_dict(self) -> dict[str, Any]:
        return {
            "mechanism": self.mechanism.to_dict(),
            "supports": self.counts.tolist(),
            "reports": self.reports,
        }
