"""Cells of a grid instead of locations: ``routes perturb --for counts --grid CxR``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from noisewright.cli.routes_rounding import read_cells
from noisewright.errors import InvalidParameter

if TYPE_CHECKING:
    from noisewright.trajectory.budgets import Budget
    from noisewright.trajectory.cells import CellOracle
    from noisewright.trajectory.spaces import Space

NO_GRID: Final = (
    "With --grid CxR the cells that matter are counted far more precisely; without it, boxes that are chosen "
    "afterwards can be counted, with wide intervals."
)


@dataclass(frozen=True)
class CellRequest:
    """The cells that are to be counted, checked before any data is read."""

    cells: tuple[int, int]

    @classmethod
    def of(
        cls, grid: str | None, purpose: str | None, output: Path, others: Mapping[str, bool]
    ) -> CellRequest | None:
        """What the options ask for, or nothing; ``others`` are options that speak of locations."""
        if grid is None:
            return None
        if purpose != "counts":
            raise InvalidParameter("--grid names the cells that will be counted; give --for counts with it")
        for option, given in others.items():
            if given:
                raise InvalidParameter(f"{option} is for reports that are locations; leave it out, or --grid")
        from noisewright.trajectory.cell_files import check_cell_file  # noqa: PLC0415  (slow to load)

        check_cell_file(output)
        return cls(read_cells(grid, "--grid"))

    def build(self, space: Space, budget: Budget, reports: int) -> tuple[CellOracle, str]:
        """The mechanism and why, with what so many reports will be able to tell and what not."""
        from noisewright.trajectory.cells import CellOracle  # noqa: PLC0415  (slow to load)

        mechanism = CellOracle(space, budget.of_location, self.cells)
        columns, rows = self.cells
        width = 100 * mechanism.half_width(reports)
        return mechanism, (
            f"{mechanism.reason} From {reports:,} reports the share of each of the {columns} × {rows} cells "
            f"will be known to about ±{width:.2g} points (95 %); other places, and routes, will not."
        )
