"""A comparison of methods for routes in the terminal."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table

from noisewright.pages.route_comparison import MethodRow, RouteComparison
from noisewright.trajectory.words import distance_words

HEADER = ("nominal ε", "real ε", "mean error", "keeps its ε")


def show(found: RouteComparison, console: Console | None = None) -> None:
    """Print the table, the best honest method marked, and what a reader must know to be fair."""
    console = console or Console(highlight=False)
    table = Table(title=found.title, box=None, pad_edge=False, padding=(0, 2, 0, 0), title_justify="left")
    table.add_column("method", no_wrap=True)
    for name in HEADER:
        table.add_column(name, justify="right", no_wrap=True)
    for row in found.rows:
        best = row is found.best
        name = f"{row.name} ★" if best else row.name
        table.add_row(name, *cells(found, row), style="bold green" if best else None)
    console.print(table)
    for note in found.notes:
        console.print(f"• {note}", markup=False)


def cells(found: RouteComparison, row: MethodRow) -> list[str]:
    """The numbers of a row for a reader, in the order of :data:`HEADER`."""
    error = distance_words(row.error, found.space.units)
    return [f"{row.nominal:g}", row.real_words, error, "yes" if row.honest else "NO"]
