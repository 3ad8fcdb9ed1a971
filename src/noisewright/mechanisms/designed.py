"""Laws for numbers that are designed rather than named: an integer law for every input, given as a table.

``noisewright.design.optimal_law`` makes them. The table is a public field, so a file carries the whole
mechanism; whoever loads it has every integer checked and the guarantee proved again.

A dithered law has rows for evenly spaced knots, and true values between them are rounded to one at random,
without bias.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from noisewright.domains import Cells, Circle, Domain, Floats, Integers, Interval, NumericDomain
from noisewright.errors import InvalidParameter
from noisewright.mechanisms.basics.losses import Loss, first_cells, losses_over, part_edges, power
from noisewright.mechanisms.basics.tables import Table, prove_table
from noisewright.mechanisms.certificate import Certificate
from noisewright.mechanisms.integer_rows import (
    MOST_ENTRIES,
    IntegerRows,
    digest,
    full_matrix,
    read_outputs,
    read_rows,
    table_of,
)
from noisewright.mechanisms.law import Law
from noisewright.mechanisms.numeric import NumericMechanism
from noisewright.randomness import Stream

ROUNDING_BITS = 40


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
        """The knot below each cell's centre, and how many of 2⁴⁰ positions round up from it."""
        below, rest = np.divmod((2 * np.asarray(cells) + 1) * (self.count - 1), 2 * self.cells)
        return below, (rest << ROUNDING_BITS) // (2 * self.cells)

    def shares(self, cell: int) -> list[tuple[int, int]]:
        """The two knots of a cell, each with its number of 2⁴⁰ positions."""
        below, up = (int(part) for part in self.place(np.array(cell)))
        return [(below, (1 << ROUNDING_BITS) - up), (below + 1, up)]

    def draw(self, cells: Cells, stream: Stream) -> Cells:
        """One of its two knots for each cell."""
        below, up = self.place(cells)
        position = stream.draw(cells.size) >> np.uint64(64 - ROUNDING_BITS)
        return np.asarray(below + (position.astype(np.int64) < up))

    def mix(self, rows: Floats, cells: Cells) -> Floats:
        """Rows that belong to the knots, mixed for each cell as rounding mixes them."""
        below, up = self.place(cells)
        share = (up / 2.0**ROUNDING_BITS)[..., None]
        return np.asarray((1 - share) * rows[below] + share * rows[below + 1])


@dataclass(frozen=True, repr=False)
class DesignedLaw(NumericMechanism):
    """A law for numbers with one row of integers for each input.

    Attributes:
        report_lattice: The lattice on which reports live.
        outputs: Its cells that are reported, by their centres.
        weights: Row i reports the k-th output for ``weights[i][k]`` of 2⁵² words.
        dithered: Whether inputs are *knots*, evenly spaced from end to end: a true value then takes the row
            of one of its two neighbours, at random and without bias, and mixing rows keeps ε. By default
            inputs are equal parts of the domain, and a true value takes the row of its part.
        certificate: What the law achieves and what no law can, or None.

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
    summary: ClassVar[str] = "a table of integers made for one task by noisewright.design.optimal_law"
    domains: ClassVar[tuple[type[NumericDomain], ...]] = (Interval, Circle)
    designed: ClassVar[bool] = True

    def _prepare(self) -> None:
        set_field = object.__setattr__
        set_field(self, "report_lattice", self._read_reports(self.report_lattice))
        set_field(self, "outputs", read_outputs(self.outputs, self.report_lattice.lattice))
        set_field(self, "weights", read_rows(self.weights, len(self.outputs)))
        set_field(self, "certificate", Certificate.read(self.certificate))
        if not isinstance(self.dithered, bool) or (self.dithered and not isinstance(self.domain, Interval)):
            raise InvalidParameter("dithered must be true or false, and false on a circle")
        if len(self.weights) * self.reports.lattice > MOST_ENTRIES:
            raise InvalidParameter(f"a law has at most {MOST_ENTRIES} pairs of a row and a report cell")
        if not 1 + self.dithered <= len(self.weights) <= self.domain.lattice:
            raise InvalidParameter(
                f"a law needs no more rows than {self.domain!r} has cells, got {len(self.weights)}"
            )

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
        certificate = None if self.certificate is None else self.certificate.to_dict()
        return {
            **super().to_dict(),
            "report_lattice": self.report_lattice.to_dict(),
            "certificate": certificate,
        }

    # -- the channel -------------------------------------------------------------------------------

    @property
    def reports(self) -> NumericDomain:
        return self.report_lattice

    @cached_property
    def table(self) -> Table:
        """The integers that are sampled."""
        return table_of(self.weights)

    @cached_property
    def knots(self) -> Knots:
        """Where the rows stand if true values are dithered between them."""
        return Knots(self.domain.lattice, len(self.weights))

    @property
    def matrix(self) -> Floats:
        """The probability of every cell of the report lattice, zero for those that are no outputs."""
        return full_matrix(self.table, self.outputs, self.reports.lattice)

    def _prove(self) -> float:
        # dithering mixes rows, and a mixture of rows lies between them
        return prove_table(self.table, self.epsilon)

    def rows(self, cells: Cells) -> Cells:
        """The part of the domain that holds each cell of its lattice."""
        return np.asarray(cells) * len(self.weights) // self.domain.lattice

    def word_counts(self, cell: int) -> tuple[list[int], int]:
        counts = [0] * self.reports.lattice
        for row, share in self._mixture(cell):
            for output, weight in zip(self.outputs, self.weights[row], strict=True):
                counts[output] += share * weight
        return counts, sum(counts)

    def _mixture(self, cell: int) -> list[tuple[int, int]]:
        """The rows of an input cell with whole numbers as shares."""
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
        """Cells where an error can be largest: the ends and the middle of every part, and a grid."""
        first = first_cells(self.domain, len(self.weights))
        middle = (first[:-1] + first[1:]) // 2
        near = np.concatenate([first[:-1], first[1:] - 1, middle - 1, middle, super()._search_cells()])
        return np.unique(np.clip(near, 0, self.domain.lattice - 1))

    def average_error(self, loss: Loss = "absolute") -> float:
        """The expected loss of a true value that is uniform over the domain; exact, part by part."""
        if self.dithered or isinstance(self.domain, Integers):
            return super().average_error(loss)
        edges = part_edges(self.domain, len(self.weights))
        places = self.reports.centres(np.array(self.outputs))
        integrals = losses_over(self.domain, edges[:-1], edges[1:], places, power(loss))
        return float((integrals * self.table.masses).sum() / self.domain.length)
