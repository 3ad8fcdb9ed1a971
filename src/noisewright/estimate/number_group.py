"""Counted numbers: how many reports fell into each part of the report domain, and their exact sums."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from noisewright.domains import Cells, Floats, NumericDomain, as_floats
from noisewright.errors import BadTable, OutOfDomain
from noisewright.estimate.group import NOTHING, Group, partition_of_reports, refuse_foreign

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
    def count(self) -> int:
        return int(self.counts.sum())

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
    """Into how many parts a domain of numbers is cut for counting; a coarse lattice into its own cells."""
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
