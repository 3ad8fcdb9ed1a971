"""A design in the terminal."""

from __future__ import annotations

from rich.table import Table

from noisewright.design.design_table import DesignTable, Row
from noisewright.guarantees.words import epsilon_words
from noisewright.pages.design_words import bound_words, error_words, notes, objective_words, where
from noisewright.pages.terminal import console
from noisewright.pages.wording import aligned, percent


def show(table: DesignTable) -> None:
    """Print the table, what no mechanism can do, and what each gives away."""
    out = console()
    out.print(_numbers(table))
    out.print(f"\n{bound_words(table)}\n")
    for row in table.rows:
        out.print(f"• {row.name}: {row.sentence}.")
    out.print()
    for note in notes(table):
        out.print(f"• {note}")


def _numbers(table: DesignTable) -> Table:
    task = table.task
    what = f"{error_words(task)} on {where(task.domain)}, ε = {epsilon_words(task.epsilon)}"
    title = f"{what},\nbest at {objective_words(task)}"
    grid = Table(title=title, box=None, pad_edge=False, padding=(0, 2, 0, 0))
    grid.add_column("mechanism", no_wrap=True)
    point = ["at point"] if task.objective == "point" else []
    for name in ("worst", "average", *point, "bits", "spent"):
        grid.add_column(name, justify="right")
    if not task.finite:
        grid.add_column("unbiased", no_wrap=True)
    for row in table.rows:
        style = "bold green" if row is table.best else None if row.admitted else "dim"
        grid.add_row(*_cells(row, table)[: len(grid.columns)], style=style)
    return grid


def _cells(row: Row, table: DesignTable) -> list[str]:
    point = [aligned(row.value)] if table.task.objective == "point" else []
    return [
        row.name + (" ★" if row is table.best else "" if row.admitted else " ✗"),
        aligned(row.worst),
        aligned(row.average),
        *point,
        f"{row.bits:.1f}",
        percent(row.mechanism.epsilon_upper / row.mechanism.epsilon),
        "yes" if row.unbiased else "no",
    ]
