"""Laws that are designed rather than named: an integer law for every input, given as a table.

``noisewright.design.optimal_law`` makes them. The table is a public field, so a file carries the whole
mechanism; whoever loads it has every integer checked and the guarantee proved again.

A dithered law has rows for evenly spaced knots, and true values between them are rounded to one at random,
without bias.
"""

from __future__ import annotations

import hashlib
import itertools
from abc import abstractmethod
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from noisewright.domains import (
    Categories,
    Cells,
    Circle,
    Domain,
    FiniteDomain,
    Floats,
    Integers,
    Interval,
    MetricSpace,
    NumericDomain,
)
from noisewright.errors import InvalidParameter
from noisewright.mechanisms.basics.base import Mechanism
from noisewright.mechanisms.basics.finite import FiniteMechanism
from noisewright.mechanisms.basics.losses import Loss, first_cells, losses_over, part_edges, power
from noisewright.mechanisms.basics.tables import Table, prove_table
from noisewright.mechanisms.certificate import Certificate
from noisewright.mechanisms.law import Law
from noisewright.mechanisms.numeric import NumericMechanism
from noisewright.randomness import Stream

BITS = 52
"""Weights of a designed law sum to 2⁵²: every JSON reader keeps such integers, and rounding costs < 10⁻¹²."""

MOST_ENTRIES = 1 << 17
"""Entries of the largest table, about two megabytes of JSON."""

IntegerRows = tuple[tuple[int, ...], ...]

ROUNDING_BITS = 40


def read_rows(weights: Any, columns: int) -> IntegerRows:
    """Return rows of integers, one for each output; refuse anything else.

    >>> half = 1 << (BITS - 1)
    >>> read_rows([[half, half]], 2) == ((half, half),)
    True
    """
    if not isinstance(weights, list | tuple) or not 1 <= len(weights) * columns <= MOST_ENTRIES:
        raise InvalidParameter(f"the weights of a law must be a table of 1 to {MOST_ENTRIES} whole numbers")
    rows = tuple(_whole_numbers("each row of the weights", row, columns, 1, 1 << BITS) for row in weights)
    if any(sum(row) != 1 << BITS for row in rows):
        raise InvalidParameter(f"each row of the weights must sum to 2^{BITS}")
    return rows


def read_outputs(outputs: Any, places: int) -> tuple[int, ...]:
    """Return the report cells that a law uses, in order."""
    if not isinstance(outputs, list | tuple):
        raise InvalidParameter("the outputs of a law must be a list of whole numbers")
    cells = _whole_numbers("the outputs of a law", outputs, len(outputs), 0, places - 1)
    if not cells or any(left >= right for left, right in itertools.pairwise(cells)):
        raise InvalidParameter("the outputs of a law must be distinct, in order, and at least one")
    return cells


def _whole_numbers(what: str, values: Any, count: int, low: int, high: int) -> tuple[int, ...]:
    fits = isinstance(values, list | tuple) and len(values) == count
    if not fits or not all(type(value) is int and low <= value <= high for value in values):
        raise InvalidParameter(f"{what} must be {count} whole numbers from {low} to {high}")
    return tuple(values)


def digest(rows: IntegerRows) -> str:
    """Return eight letters that identify a table at a glance."""
    return hashlib.sha256(repr(rows).encode()).hexdigest()[:8]


class DesignedMechanism(Mechanism):
    """The base class of designed laws: rows of integers as a public field, and a certificate."""

    outputs: tuple[int, ...]
    weights: IntegerRows
    certificate: Certificate | None
    designed: ClassVar[bool] = True
    summary: ClassVar[str] = "a table of integers made for one task by noisewright.design.optimal_law"

    def _read_rows(self, places: int, pairs: str) -> None:
        """Check the fields of the table, whose reports are among ``places`` places."""
        object.__setattr__(self, "outputs", read_outputs(self.outputs, places))
        object.__setattr__(self, "weights", read_rows(self.weights, len(self.outputs)))
        object.__setattr__(self, "certificate", Certificate.read(self.certificate))
        if len(self.weights) * places > MOST_ENTRIES:
            raise InvalidParameter(f"a law has at most {MOST_ENTRIES} pairs of {pairs}")

    def to_dict(self) -> dict[str, Any]:
        certificate = None if self.certificate is None else self.certificate.to_dict()
        return {**super().to_dict(), "certificate": certificate}

    @cached_property
    def table(self) -> Table:
        """The integers that are sampled."""
        return Table(np.array(self.weights, dtype=np.int64), BITS)

    @property
    def possible_reports(self) -> int:
        """Number of different reports; most places of the lattice are left out."""
        return len(self.outputs)

    @property
    def matrix(self) -> Floats:
        """The probability of every report for every row, zero for reports that are not outputs."""
        full = np.zeros((len(self.weights), self.reports.lattice))
        full[:, self.outputs] = self.table.masses
        return full

    def _prove(self) -> float:
        # dithering mixes rows, and a mixture of rows lies between them
        return prove_table(self.table, self.epsilon)

    @abstractmethod
    def _mixture(self, cell: int) -> list[tuple[int, int]]:
        """Return the rows of an input cell with whole numbers as shares."""

    def word_counts(self, cell: int) -> tuple[list[int], int]:
        counts = [0] * self.reports.lattice
        for row, share in self._mixture(cell):
            for output, weight in zip(self.outputs, self.weights[row], strict=True):
                counts[output] += share * weight
        return counts, sum(counts)


@dataclass(frozen=True)
class Knots:
    """``count`` knots from end to end of a domain of ``cells`` cells.

    A cell's centre lies between two knots; it is rounded up with the probability, a whole number of 2⁻⁴⁰,
    that makes its expectation the centre again.

    >>> Knots(cells=4, count=2).shares(0)   # the centre is one eighth of the way up
    [(0, 962072674304), (1, 137438953472)]
    """

    cells: int
    count: int

    def place(self, cells: Cells) -> tuple[Cells, Cells]:
        """Return the knot below each cell's centre, and how many of 2⁴⁰ positions round up from it."""
        below, rest = np.divmod((2 * np.asarray(cells) + 1) * (self.count - 1), 2 * self.cells)
        return below, (rest << ROUNDING_BITS) // (2 * self.cells)

    def shares(self, cell: int) -> list[tuple[int, int]]:
        """Return the two knots of a cell, each with its number of 2⁴⁰ positions."""
        below, up = (int(part) for part in self.place(np.array(cell)))
        return [(below, (1 << ROUNDING_BITS) - up), (below + 1, up)]

    def draw(self, cells: Cells, stream: Stream) -> Cells:
        """Draw one of its two knots for each cell."""
        below, up = self.place(cells)
        position = stream.draw(cells.size) >> np.uint64(64 - ROUNDING_BITS)
        return np.asarray(below + (position.astype(np.int64) < up))

    def mix(self, rows: Floats, cells: Cells) -> Floats:
        """Mix the rows of the knots for each cell as rounding mixes them."""
        below, up = self.place(cells)
        share = (up / 2.0**ROUNDING_BITS)[..., None]
        return np.asarray((1 - share) * rows[below] + share * rows[below + 1])


@dataclass(frozen=True, repr=False)
class DesignedLaw(DesignedMechanism, NumericMechanism):
    """A law for numbers with one row of integers for each input.

    Attributes:
        report_lattice: The lattice on which reports live.
        outputs: Its cells that are reported, by their centres.
        weights: Row i reports the k-th output for ``weights[i][k]`` of 2⁵² words.
        dithered: Whether inputs are *knots*, evenly spaced from end to end: a true value then takes the row
            of one of its two neighbours, at random and without bias, and mixing rows keeps ε. By default
            inputs are equal parts of the domain, and a true value takes the row of its part.
        certificate: What the law achieves and a bound for all laws, or None.

    >>> half = 1 << 51
    >>> coin = DesignedLaw(Interval(0, 1), 1.0, Interval(-0.5, 1.5, cells=2), (0, 1), ((half, half),) * 2)
    >>> coin.law(0.25).mean(), coin.epsilon_upper
    (0.5, 0.0)
    """

    report_lattice: NumericDomain
    outputs: tuple[int, ...]
    weights: IntegerRows
    dithered: bool = False
    certificate: Certificate | None = None
    title: ClassVar[str] = "Designed law"
    domains: ClassVar[tuple[type[NumericDomain], ...]] = (Interval, Circle)

    def _prepare(self) -> None:
        object.__setattr__(self, "report_lattice", self._read_reports(self.report_lattice))
        self._read_rows(self.report_lattice.lattice, "a row and a report cell")
        if not isinstance(self.dithered, bool) or (self.dithered and not isinstance(self.domain, Interval)):
            raise InvalidParameter("must be true or false, and false on a circle", field="dithered")
        if not 1 + self.dithered <= len(self.weights) <= self.domain.lattice:
            raise InvalidParameter(
                f"a law needs no more rows than {self.domain!r} has cells, got {len(self.weights)}"
            )

    @property
    def report_range(self) -> tuple[float, float]:
        """The ends between which reports lie: on an interval, the centres of the outermost outputs."""
        if not isinstance(self.reports, Interval):
            return super().report_range
        low, high = self.reports.centres([self.outputs[0], self.outputs[-1]]).tolist()
        return low, high

    def _read_reports(self, reports: Any) -> NumericDomain:
        lattice = Domain.from_dict(reports) if isinstance(reports, Mapping) else reports
        if not isinstance(lattice, NumericDomain) or type(lattice) is not type(self._own_cells):
            raise InvalidParameter(f"the reports of a law on {self.domain!r} must be of the same kind")
        if isinstance(lattice, Circle) and lattice.period != self.domain.length:
            raise InvalidParameter(f"the reports of a law on {self.domain!r} must have its period")
        return lattice

    def __repr__(self) -> str:
        size = f"{len(self.weights)} inputs × {len(self.outputs)} outputs"
        return (
            f"<{type(self).__name__} {self.domain!r}, epsilon={self.epsilon}, {size}, {digest(self.weights)}>"
        )

    def to_dict(self) -> dict[str, Any]:
        return {**super().to_dict(), "report_lattice": self.report_lattice.to_dict()}

    # -- the channel -------------------------------------------------------------------------------

    @property
    def reports(self) -> NumericDomain:
        return self.report_lattice

    @cached_property
    def knots(self) -> Knots:
        """The places of the rows if true values are dithered between them."""
        return Knots(self.domain.lattice, len(self.weights))

    def rows(self, cells: Cells) -> Cells:
        """Return the part of the domain that holds each cell of its lattice."""
        return np.asarray(cells) * len(self.weights) // self.domain.lattice

    def _mixture(self, cell: int) -> list[tuple[int, int]]:
        return self.knots.shares(cell) if self.dithered else [(int(self.rows(np.array(cell))), 1)]

    def _draw_cells(self, cells: Cells, stream: Stream) -> Cells:
        rows = self.knots.draw(cells, stream) if self.dithered else self.rows(cells)
        return np.array(self.outputs)[self.table.draw_rows(rows, stream.draw(cells.size))]

    def _law(self, cells: Cells, truth: Floats) -> Law:
        masses = self.table.masses
        chosen = self.knots.mix(masses, cells) if self.dithered else masses[self.rows(cells)]
        places = np.array(self.outputs, dtype=np.float64)
        return Law(truth, self.reports, self.domain, places, np.ones(1), chosen)

    # -- its errors --------------------------------------------------------------------------------

    def _search_cells(self) -> Cells:
        """Return cells where an error can be largest: the ends and the middle of every part, and a grid."""
        first = first_cells(self.domain, len(self.weights))
        middle = (first[:-1] + first[1:]) // 2
        near = np.concatenate([first[:-1], first[1:] - 1, middle - 1, middle, super()._search_cells()])
        return np.unique(np.clip(near, 0, self.domain.lattice - 1))

    def average_error(self, loss: Loss = "absolute") -> float:
        """Return the expected loss of a true value that is uniform over the domain; exact, part by part."""
        if self.dithered or isinstance(self.domain, Integers):
            return super().average_error(loss)
        edges = part_edges(self.domain, len(self.weights))
        places = self.reports.centres(np.array(self.outputs))
        integrals = losses_over(self.domain, edges[:-1], edges[1:], places, power(loss))
        return float((integrals * self.table.masses).sum() / self.domain.length)


@dataclass(frozen=True, repr=False)
class DesignedTable(DesignedMechanism, FiniteMechanism):
    """A law for labels with one row of integers for each of them.

    Attributes:
        outputs: Places in the list of reports.
        weights: Label i is reported as the k-th output for ``weights[i][k]`` of 2⁵² words.
        report_labels: The list of reports; by default the domain's own labels.
        certificate: What the law achieves and a bound for all laws, or None.

    >>> most, least = 3 << 50, 1 << 50
    >>> response = DesignedTable(Categories(["no", "yes"]), 1.2, (0, 1), ((most, least), (least, most)))
    >>> response.worst_error("zero-one")
    0.25
    """

    outputs: tuple[int, ...]
    weights: IntegerRows
    report_labels: tuple[Hashable, ...] | None = None
    certificate: Certificate | None = None
    title: ClassVar[str] = "Designed table"
    domains: ClassVar[tuple[type[FiniteDomain], ...]] = (Categories, MetricSpace)

    def _prepare(self) -> None:
        if self.report_labels is not None:
            object.__setattr__(self, "report_labels", Categories(self.report_labels).labels)
        self._read_rows(self.reports.lattice, "a label and a report")
        if len(self.weights) != self.domain.lattice:
            raise InvalidParameter(
                f"a law for {self.domain.lattice} labels needs as many rows, got {len(self.weights)}"
            )

    def __repr__(self) -> str:
        size = f"{len(self.weights)} labels × {len(self.outputs)} outputs"
        return f"<{type(self).__name__} epsilon={self.epsilon}, {size}, {digest(self.weights)}>"

    @cached_property
    def reports(self) -> FiniteDomain:
        return self.domain if self.report_labels is None else Categories(self.report_labels)

    def _mixture(self, cell: int) -> list[tuple[int, int]]:
        return [(cell, 1)]

    def _draw_cells(self, cells: Cells, stream: Stream) -> Cells:
        return np.array(self.outputs)[self.table.draw_rows(cells, stream.draw(cells.size))]

    def _probabilities(self, cells: Cells) -> Floats:
        return self.matrix[cells]
