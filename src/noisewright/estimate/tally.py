"""What is kept of a collection of reports: counts that can be added up, and nothing else.

A tally holds, for every mechanism that reports came from, how many fell into each part of the report
domain, and the exact sums of their cells and squared cells. All of it is whole numbers, so tallies of
parts of a collection add up to the tally of the whole, in any order, on any number of machines; memory
does not grow with the number of reports. Every estimate of this room is computed from a tally.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import reduce
from operator import add
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from noisewright.domains import Cells, FiniteDomain, Floats, NumericDomain, as_floats
from noisewright.errors import BadTable, InvalidParameter, OutOfDomain
from noisewright.mechanisms import DesignedLaw, DesignedTable, Mechanism

PARTS = 4096
"""Parts of the report domain that are counted: finer than any window of a useful mechanism."""

MOST = 1 << 53
"""Reports of the largest tally: doubles count no further."""

BLOCK = 1 << 18
"""Reports counted at a time, few enough for a processor's cache."""

OFF_CENTRE = 0.3
"""Of a cell: a report further from its cell's centre was not made on this lattice."""
SINGLE = 2.0**-22
"""Rounding of reports that were stored as 32-bit numbers, of their size."""


@dataclass(frozen=True, eq=False)
class Group:
    """The reports of one mechanism, counted."""

    mechanism: Mechanism
    counts: NDArray[np.int64]
    cells: int
    squares: int

    @property
    def count(self) -> int:
        """How many reports there are."""
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

    def __add__(self, other: Group) -> Group:
        return Group(
            self.mechanism,
            self.counts + other.counts,
            self.cells + other.cells,
            self.squares + other.squares,
        )

    def to_dict(self) -> dict[str, Any]:
        """The group in plain JSON values."""
        return {
            "mechanism": self.mechanism.to_dict(),
            "counts": self.counts.tolist(),
            "cells": self.cells,
            "squares": self.squares,
        }


@dataclass(frozen=True, eq=False)
class Tally:
    """The counted reports of one column, of one mechanism or of several.

    >>> from noisewright import Interval
    >>> from noisewright.mechanisms import PM
    >>> cautious, bold = PM(Interval(0, 1), epsilon=0.5), PM(Interval(0, 1), epsilon=2.0)
    >>> monday = Tally.of(cautious.perturb([0.2, 0.4]), cautious)
    >>> tuesday = Tally.of(bold.perturb([0.3]), bold)
    >>> (monday + tuesday).count
    3
    """

    groups: tuple[Group, ...]

    @classmethod
    def of(cls, reports: Any, mechanism: Mechanism | None = None) -> Tally:
        """Count reports: an array with its mechanism, a tally as it is, or several tallies together."""
        if isinstance(reports, Tally):
            if mechanism is not None and any(group.mechanism != mechanism for group in reports.groups):
                raise InvalidParameter("the tally holds reports of another mechanism than the one given")
            return reports
        if mechanism is None and isinstance(reports, Iterable) and not isinstance(reports, np.ndarray):
            parts = list(reports)
            if parts and all(isinstance(part, Tally) for part in parts):
                together: Tally = reduce(add, parts)
                return together
        if not isinstance(mechanism, Mechanism):
            raise InvalidParameter("reports need the mechanism that made them, or a tally")
        return cls((_counted(reports, mechanism),))

    def __post_init__(self) -> None:
        if not self.groups:
            raise BadTable("a tally needs at least one group of reports")
        domains = {_place(group.mechanism.domain) for group in self.groups}
        if len(domains) > 1:
            raise BadTable(
                "reports about different domains cannot be estimated together: "
                + " and ".join(sorted(domains))
            )

    def __add__(self, other: Tally) -> Tally:
        if not isinstance(other, Tally):
            return NotImplemented
        merged: dict[str, Group] = {}
        for group in (*self.groups, *other.groups):
            key = repr(group.mechanism.to_dict())
            merged[key] = merged[key] + group if key in merged else group
        return Tally(tuple(merged.values()))

    @property
    def domain(self) -> Any:
        """The domain of the true values."""
        return self.groups[0].mechanism.domain

    @property
    def count(self) -> int:
        """How many reports there are."""
        return sum(group.count for group in self.groups)

    def to_dict(self) -> dict[str, Any]:
        """The tally in plain JSON values, to be sent to where tallies are added up."""
        return {"groups": [group.to_dict() for group in self.groups]}

    @staticmethod
    def from_dict(description: Mapping[str, Any]) -> Tally:
        """Rebuild a tally from :meth:`to_dict`."""
        try:
            return Tally(tuple(_rebuilt(part) for part in description["groups"]))
        except (KeyError, TypeError, ValueError, AttributeError) as broken:
            raise BadTable(f"the description of a tally is broken: {str(broken)[:200]}") from None


def parts_of(reports: Any) -> int:
    """Into how many parts a report domain is cut for counting; a coarse lattice into its own cells."""
    return int(min(reports.lattice, PARTS))


def _counted(reports: ArrayLike, mechanism: Mechanism) -> Group:
    lattice, parts = mechanism.reports.lattice, parts_of(mechanism.reports)
    counts, total, squares = np.zeros(parts, dtype=np.int64), 0, 0
    for cells in _cells(reports, mechanism.reports):
        counts += np.bincount(cells * parts // lattice, minlength=parts)
        total += int(cells.sum())
        squares += _sum_of_squares(cells)
    if not counts.any():
        raise BadTable("there are no reports to estimate from")
    _check_outputs(mechanism, counts)
    return Group(mechanism, counts, total, squares)


def _check_outputs(mechanism: Mechanism, counts: NDArray[np.int64]) -> None:
    """Refuse reports in cells that a designed law never reports."""
    if not isinstance(mechanism, DesignedLaw | DesignedTable) or counts.size < mechanism.reports.lattice:
        return
    if np.delete(counts, mechanism.outputs).any():
        raise OutOfDomain("some reports were not made by this mechanism: it never makes them")


def _sum_of_squares(cells: Cells) -> int:
    """Exact for lattices of up to 2³⁴ cells: with c = 2¹²·a + b no partial sum leaves 64 bits."""
    high, low = cells >> 12, cells & 0xFFF
    return (int(high @ high) << 24) + (int(high @ low) << 13) + int(low @ low)


def _cells(reports: Any, domain: Any) -> Iterable[Cells]:
    if isinstance(domain, FiniteDomain):
        yield domain.snap(reports, name="report")
        return
    if np.size(reports) == 0:
        raise BadTable("there are no reports to estimate from")
    flat = as_floats(reports, "report").reshape(-1)
    for start in range(0, flat.size, BLOCK):
        yield _numeric_cells(flat[start : start + BLOCK], domain, start)


def _numeric_cells(reports: Floats, domain: NumericDomain, first: int) -> Cells:
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


def _rebuilt(part: Mapping[str, Any]) -> Group:
    mechanism = Mechanism.from_dict(part["mechanism"])
    numbers = (*part["counts"], part["cells"], part["squares"])
    if not all(type(number) is int and number >= 0 for number in numbers) or sum(part["counts"]) >= MOST:
        raise BadTable("the counts of a tally must be whole numbers that are not negative")
    counts = np.array(part["counts"], dtype=np.int64)
    if counts.shape != (parts_of(mechanism.reports),) or (counts < 0).any() or not counts.any():
        raise BadTable("the counts of a tally do not fit its mechanism")
    last, many = mechanism.reports.lattice - 1, int(counts.sum())
    if int(part["cells"]) > many * last or int(part["squares"]) > many * last**2:
        raise BadTable("the sums of a tally are larger than its counts allow")
    _check_outputs(mechanism, counts)
    return Group(mechanism, counts, int(part["cells"]), int(part["squares"]))


def _place(domain: Any) -> str:
    """A domain without its lattice: reports made on lattices of different fineness belong together."""
    description = domain.to_dict()
    description.pop("cells", None)
    return ", ".join(f"{name} {value}" for name, value in description.items())
