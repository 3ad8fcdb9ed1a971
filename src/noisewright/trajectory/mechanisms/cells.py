"""Locations as cells of a public grid, sent through a frequency oracle: the reports to count with.

A window around a location blurs every edge, so counts of a box from it are uncertain however many people
report (``aggregates/brackets.py``). Where the cells that will be counted are known beforehand, the cell
itself is a label, and its share has an unbiased estimate with a known variance, wherever people are. The
price is that the reports reveal nothing else: neither finer places nor routes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from noisewright import __version__
from noisewright.domains import Categories, Cells, Floats
from noisewright.errors import BadTable, InvalidParameter
from noisewright.guarantees import PureLDP
from noisewright.mechanisms.categorical import FrequencyOracle, best_oracle
from noisewright.mechanisms.categorical.choice import AUTO, oracle
from noisewright.mechanisms.categorical.krr import LabelOracle
from noisewright.parameters import EPSILON
from noisewright.randomness import SIMULATED, SecureSource, Source, label
from noisewright.trajectory.mechanisms.sparse_reports import reported_rows
from noisewright.trajectory.routes import Budget, CellGrid, Routes
from noisewright.trajectory.routes.grids import cell_names, check_cells
from noisewright.trajectory.routes.table import digest_of
from noisewright.trajectory.spaces import Chart, Space

FORMAT: Final = 1
KIND: Final = "cells"
MOST: Final = 256
"""Columns or rows of a grid, as many as a map shows."""

PRIVATE: Final = label(SecureSource())


@dataclass(frozen=True)
class CellOracle:
    """The cell of a grid that a location lies in, as a label of a frequency oracle with budget ε.

    Args:
        space: Where locations lie. It is public and must not come from the data.
        epsilon: The budget of one location.
        cells: Columns and rows of the grid, equal along the axes of the space; together 2 or more.
        protocol: The oracle by name (see ``mechanisms.categorical``), or "auto" for the one with the least
            variance at this ε and number of cells.

    >>> from noisewright.trajectory import Rectangle
    >>> counting = CellOracle(Rectangle(0, 0, 1, 1), epsilon=1.0, cells=(8, 8))
    >>> counting.protocol, counting.cell_of([(0.9, 0.1)]).tolist(), counting.names[56]
    ('SubsetSelection', [56], 'H8')
    """

    space: Space
    epsilon: float
    cells: tuple[int, int]
    protocol: str = AUTO
    title: ClassVar[str] = "cells of a grid through a frequency oracle"

    def __post_init__(self) -> None:
        if not isinstance(self.space, Space):
            raise InvalidParameter(f"cells need a space, got {self.space!r}")
        object.__setattr__(self, "epsilon", EPSILON.check(self.epsilon))
        object.__setattr__(self, "cells", check_cells("cells", self.cells, MOST))
        if self.cells == (1, 1):
            raise InvalidParameter("needs two cells or more, for example 8 x 8", field="cells")
        if not Chart(self.space, flat=False).whole:  # cells of its axes are not boxes
            raise InvalidParameter(
                f"cells are counted in boxes, not in a space of kind {self.space.kind}; take a Rectangle or "
                "LonLatBox around it"
            )
        object.__setattr__(self, "protocol", type(self.oracle).__name__)

    @cached_property
    def oracle(self) -> FrequencyOracle:
        """The oracle that a cell's name goes through, with its guarantee proved."""
        return oracle(self.protocol, Categories(self.names), self.epsilon)

    @property
    def reason(self) -> str:
        """Why this oracle: the variances that decided."""
        return best_oracle(Categories(self.names), self.epsilon).reason

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the cells, column by column from the low ends; A1 is the first column's top cell."""
        return cell_names(*self.cells)

    @property
    def guarantee(self) -> PureLDP:
        """What one location costs."""
        return PureLDP(self.epsilon)

    @property
    def epsilon_upper(self) -> float:
        """The ε that the oracle's integers spend on a location, rounded up: never above ``epsilon``."""
        return self.oracle.epsilon_upper

    def half_width(self, reports: int) -> float:
        """Return about how far a 95 % interval of a cell's share will reach to either side.

        Args:
            reports: The number of reports.
        """
        even = 1 / len(self.names)  # the spread includes the variance of sampling people, who are fixed here
        return 1.96 * float(np.sqrt(max(self.oracle.spread() - even * (1 - even), 0.0) / reports))

    def cell_of(self, points: ArrayLike) -> Cells:
        """Return the number of the cell of each location, column by column."""
        column, row = CellGrid(self.space, *self.cells).places(self.space.two_columns(points))
        return np.asarray(column * self.cells[1] + row)

    def perturb(self, points: ArrayLike, source: Source | None = None) -> NDArray[Any]:
        """Return one report for each location: what the oracle makes of the name of its cell.

        Args:
            points: The locations (n × 2), all in the space.
            source: The randomness; default: a fresh secure stream. Seeded streams are for tests.
        """
        drawn = self.oracle.perturb_cells(self.cell_of(self.space.admit(points)), source)
        return self.oracle.reports.centres(drawn) if isinstance(self.oracle, LabelOracle) else drawn

    def to_dict(self) -> dict[str, Any]:
        """Describe the mechanism in plain JSON values: everything an analyst of its reports needs."""
        plain = {"epsilon": self.epsilon, "cells": list(self.cells), "protocol": self.protocol}
        return {"mechanism": type(self).__name__, **plain, "space": self.space.to_dict()}

    @classmethod
    def from_dict(cls, description: Mapping[str, Any]) -> CellOracle:
        """Rebuild a mechanism from :meth:`to_dict`, proving it again."""
        parts = dict(description) if isinstance(description, Mapping) else {}
        if parts.pop("mechanism", None) != cls.__name__ or parts.get("protocol") == AUTO:
            raise InvalidParameter("the description is not that of cells and their oracle")
        try:
            columns, rows = parts.pop("cells")
            return cls(Space.from_dict(parts.pop("space")), cells=(columns, rows), **parts)
        except (TypeError, KeyError, ValueError) as broken:
            raise InvalidParameter(f"the description of cells is broken: {broken}") from None


@dataclass(frozen=True, eq=False)
class CellReports:
    """Reports of cells, route after route, and everything an analyst must know about their making.

    Names and times of routes are passed on as they are.

    Attributes:
        reports: What the oracle drew, one for each location that was reported.
        starts: The first report of every route, and at the end their number.
        names: The names of the routes.
        times: Seconds since 1970 (UTC) of the reports, if they are known.
        mechanism: The mechanism that drew them.
        budget: The budget behind them.
        randomness: Where the randomness came from, in words.
    """

    reports: NDArray[Any]
    starts: Cells
    names: tuple[str, ...]
    times: Floats | None
    mechanism: CellOracle
    budget: Budget
    randomness: str
    processed: ClassVar[None] = None

    @classmethod
    def draw(
        cls, mechanism: CellOracle, budget: Budget, routes: Routes, source: Source | None = None
    ) -> CellReports:
        """Report the cells of true routes within a budget; points that it does not pay for are left out.

        Args:
            mechanism: The mechanism for one location.
            budget: The budget; it must pay for the mechanism.
            routes: The true routes.
            source: The randomness; default: a fresh secure stream. Seeded streams are for tests.

        >>> from noisewright.trajectory import Rectangle
        >>> counting = CellOracle(Rectangle(0, 0, 1, 1), 2.0, cells=(4, 4))
        >>> drawn = CellReports.draw(counting, Budget(2.0, "route", 1), Routes.of([[(0.1, 0.2), (0.2, 0.2)]]))
        >>> drawn.private, drawn.lengths.tolist()
        (True, [1])
        """
        budget.check(mechanism.epsilon)
        source = source or SecureSource()
        mechanism.space.admit(routes.points, place=routes.place)
        some = routes.select(reported_rows(routes.lengths, budget.reports))
        drawn = mechanism.perturb(some.points, source)
        return cls(drawn, some.starts, some.names, some.times, mechanism, budget, label(source))

    def __len__(self) -> int:
        return self.starts.size - 1

    @property
    def lengths(self) -> Cells:
        """The number of reports of each route."""
        return np.diff(self.starts)

    @property
    def private(self) -> bool:
        """Whether the guarantee holds: the randomness cannot be predicted."""
        return self.randomness == PRIVATE

    @property
    def guarantee(self) -> str:
        """What the reports promise, in words; they promise nothing if the randomness was simulated."""
        return self.budget.sentence(self.lengths) if self.private else SIMULATED

    def to_dict(self) -> dict[str, Any]:
        """Describe the reports in plain JSON values, without the reports themselves."""
        about = {
            "format": FORMAT,
            "package": f"noisewright {__version__}",
            "kind": KIND,
            "randomness": self.randomness,
            "mechanism": self.mechanism.to_dict(),
            "budget": vars(self.budget),
            "guarantee": self.guarantee,
        }
        return {**about, "fingerprint": self._fingerprint(about)}

    def _fingerprint(self, about: Mapping[str, Any]) -> str:
        """Return a digest that ties a description to the reports that it was written for."""
        oracle = self.mechanism.oracle
        drawn: NDArray[Any]
        if isinstance(oracle, LabelOracle):
            drawn = oracle.domain.snap(self.reports, name="report").astype("<i8")
        else:
            drawn = oracle.reports.to_bytes(self.reports)
        return digest_of(about, drawn, self.starts.astype("<i8"))

    def check(self, about: Mapping[str, Any]) -> CellReports:
        """Return the reports if the description matches them; refuse them otherwise.

        Args:
            about: The description, as :meth:`to_dict` wrote it.
        """
        if about["fingerprint"] != self._fingerprint(about):
            raise BadTable("the file's reports are not those that its description was written for")
        if self.mechanism.epsilon > self.budget.of_location:
            raise BadTable("the mechanism that the file describes spends more than its budget")
        if self.randomness not in (PRIVATE, SIMULATED):
            raise BadTable("the file does not say where its randomness came from")
        if self.budget.reports is not None and self.lengths.max() > self.budget.reports:
            raise BadTable("a route of the file has more reports than the budget that it describes")
        return self

    def select(self, rows: Cells, starts: Cells) -> CellReports:
        """Return some of the reports as routes of their own, numbered from 1.

        Args:
            rows: The numbers of the reports.
            starts: The first of every new route, and at the end their number.
        """
        names = tuple(str(number) for number in range(1, starts.size))
        return replace(self, reports=self.reports[rows], starts=starts, names=names, times=None)
