"""A comparison of methods for routes in the terminal."""

from __future__ import annotations

from rich.table import Table

from noisewright.pages.route_comparison import MethodRow, RouteComparison
from noisewright.pages.terminal import console
from noisewright.trajectory.words import distance_words

HEADER = ("nominal ε", "real ε", "mean error", "keeps its ε")


def show(found: RouteComparison) -> None:
    """Print the table, the best honest method marked, and what a reader must know to be fair."""
    out = console()
    table = Table(title=found.title, box=None, pad_edge=False, padding=(0, 2, 0, 0), title_justify="left")
    table.add_column("method", no_wrap=True)
    for name in HEADER:
        table.add_column(name, justify="right", no_wrap=True)
    for row in found.rows:
        best = row is found.best
        name = f"{row.name} ★" if best else row.name
        table.add_row(name, *cells(found, row), style="bold green" if best else None)
    out.print(table)
    for note in found.notes:
        out.print(f"• {note}")


def cells(found: RouteComparison, row: MethodRow) -> list[str]:
    """The numbers of a row for a reader, in the order of :data:`HEADER`."""
    error = distance_words(row.error, found.space.units)
    return [f"{row.nominal:g}", row.real_words, error, "yes" if row.honest else "NO"]
