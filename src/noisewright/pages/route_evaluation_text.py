"""An evaluation of private routes in the terminal."""

from __future__ import annotations

import numpy as np
from rich.table import Table

from noisewright.pages.route_evaluation import WARNING, RouteEvaluation
from noisewright.pages.terminal import console


def show(found: RouteEvaluation) -> None:
    """Print the metrics of all files, the best of each marked if there are several."""
    out = console()
    table = Table(title=title(found), box=None, pad_edge=False, padding=(0, 2, 0, 0), title_justify="left")
    table.add_column("metric", no_wrap=True)
    for judged in found.files:
        table.add_column(judged.entry.title, justify="right", overflow="fold")
    for name, words, numbers in found.rows():
        marked = best_places(numbers)
        cells = [f"{word} ★" if place in marked else word for place, word in enumerate(words)]
        table.add_row(name, *cells)
    out.print(table)
    out.print(f"• {WARNING}")


def best_places(numbers: list[float]) -> set[int]:
    """The places of the least numbers, where several files differ.

    >>> best_places([3.0, 1.0]), best_places([3.0]), best_places([2.0, 2.0])
    ({1}, set(), set())
    """
    known = [number for number in numbers if not np.isnan(number)]
    if len(known) < 2 or min(known) == max(known):
        return set()
    return {place for place, number in enumerate(numbers) if number == min(known)}


def title(found: RouteEvaluation) -> str:
    """What is measured against what."""
    return f"{len(found.true):,} routes of {len(found.true.points):,} points against {found.name}"
