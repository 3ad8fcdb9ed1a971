"""Best of a few runs, and the table that the results are printed in."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass


def rate(work: Callable[[], object], items: int, repeats: int = 5) -> float:
    """Items a second in the best of a few runs, after one run to warm up."""
    work()
    best = float("inf")
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - start)
    return items / best


@dataclass(frozen=True)
class Row:
    """One line of the table: what, how fast, against what, the ratio, and what was asked for."""

    what: str
    rate: float | None
    against: str = ""
    ratio: float | None = None
    asked: str = ""
    kept: bool | None = None
    note: str = ""

    def cells(self) -> tuple[str, ...]:
        """The line as text."""
        verdict = "" if self.kept is None else ("yes" if self.kept else "NO")
        speed = "" if self.rate is None else f"{self.rate / 1e6:,.2f} M/s"
        return (self.what, speed, self.against, "" if self.ratio is None else f"{self.ratio:,.2f}×",
                self.asked, verdict, self.note)  # fmt: skip


def show(rows: list[Row]) -> None:
    """Print all lines as one table."""
    from rich.console import Console
    from rich.table import Table

    table = Table(title="Noisewright: one thread, cryptographic randomness, ratios within this run")
    for name in ("what", "rate", "against", "ratio", "asked", "kept", "note"):
        table.add_column(
            name, justify="right" if name in ("rate", "ratio") else "left", no_wrap=name != "note"
        )
    for row in rows:
        table.add_row(*row.cells())
    Console(width=150).print(table)
