"""A comparison in the terminal."""

from __future__ import annotations

from rich.table import Table

from noisewright.domains import Circle
from noisewright.guarantees.words import epsilon_words
from noisewright.pages.comparison import Comparison, Entry
from noisewright.pages.fairness import sentences
from noisewright.pages.terminal import console
from noisewright.pages.wording import aligned, domain_words, loss_words, percent


def show(comparison: Comparison) -> None:
    """Print the table, the best of each ε marked, and what a reader must know to be fair."""
    out = console()
    out.print(_table(comparison))
    for sentence in sentences(comparison):
        out.print(f"• {sentence}")


def _table(comparison: Comparison) -> Table:
    around = isinstance(comparison.domain, Circle)
    title = f"{loss_words(comparison.loss)} on {domain_words(comparison.domain)}"
    table = Table(title=title, box=None, pad_edge=False, padding=(0, 1 if around else 2, 0, 0))
    table.add_column("ε", no_wrap=True)
    table.add_column("mechanism", no_wrap=True)
    flat = ["flat worst", "flat avg"] if around else []
    for name in ("worst", "average", *flat, "÷ OGPM", "bits", "spent"):
        table.add_column(name, justify="right")
    table.add_column("unbiased", no_wrap=True)
    if not all(entry.pure for entry in comparison.entries):
        table.add_column("promise", no_wrap=True)
    for epsilon in comparison.epsilons:
        for entry in comparison.at(epsilon):
            cells = _row(entry, around=around)[: len(table.columns)]
            table.add_row(*cells, style="bold green" if entry.best else None)
        table.add_row()
    return table


def _row(entry: Entry, *, around: bool) -> list[str]:
    flat = [entry.worst_flat, entry.average_flat] if around else []
    return [
        epsilon_words(entry.mechanism.epsilon),
        type(entry.mechanism).__name__ + (" ★" if entry.best else ""),
        aligned(entry.worst),
        aligned(entry.average),
        *("–" if value is None else aligned(value) for value in flat),
        f"{entry.ratio:.3f}",
        f"{entry.bits:.1f}",
        percent(entry.spent),
        "yes" if entry.unbiased else "no",
        "pure" if entry.pure else "weaker",
    ]
