"""Explanations and comparisons of protocols for labels in the terminal."""

from __future__ import annotations

import textwrap

from rich.table import Table

from noisewright.guarantees.words import epsilon_words
from noisewright.pages.oracle_comparison import OracleComparison, OracleEntry
from noisewright.pages.oracle_explanation import PEOPLE, OracleExplanation
from noisewright.pages.oracle_words import label_law_words
from noisewright.pages.proof_words import proof
from noisewright.pages.terminal import console
from noisewright.pages.wording import aligned, labels_words, percent

WIDTH = 100


def told(explanation: OracleExplanation) -> str:
    """The whole explanation as text."""
    made = explanation.mechanism
    heading = f"{type(made).title}: {labels_words(made.domain)}, ε = {epsilon_words(made.epsilon)}"
    why = [f"auto chose {explanation.reason}"] if explanation.reason else []
    parts = [
        (heading, [explanation.purpose, *why]),
        ("What it does", label_law_words(made)),
        ("How long a report is", [explanation.report_words]),
        ("What it promises", [made.guarantee.explain(), proof(made)]),
    ]
    texts = [(name, [line for text in lines for line in _wrapped(text)]) for name, lines in parts]
    texts.insert(
        2, ("How far an estimated share is off, if all labels are equally frequent", _errors(explanation))
    )
    return "\n\n".join("\n".join([name, *("  " + line.rstrip() for line in lines)]) for name, lines in texts)


def _errors(explanation: OracleExplanation) -> list[str]:
    rows = [("people", "standard error", "without any noise")]
    rows += [
        (f"{n:,}", percent(explanation.standard_error(n)), percent(explanation.without_noise(n)))
        for n in PEOPLE
    ]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(text.rjust(width) for text, width in zip(row, widths, strict=True)) for row in rows]


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, WIDTH, subsequent_indent="  ")


def show(comparison: OracleComparison) -> None:
    """Print the table, the choice for each ε marked, and why."""
    out = console()
    out.print(_table(comparison))
    for sentence in comparison.sentences():
        out.print(f"• {sentence}")


def _table(comparison: OracleComparison) -> Table:
    title = f"Protocols for {labels_words(comparison.domain)}"
    table = Table(title=title, box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for name in ("ε", "protocol"):
        table.add_column(name, no_wrap=True)
    for name in ("variance", "÷ least", "error, 10,000 people", "bits", "spent"):
        table.add_column(name, justify="right")
    for epsilon in comparison.epsilons:
        for entry in comparison.at(epsilon):
            table.add_row(*_row(entry), style="bold green" if entry.chosen else None)
        table.add_row()
    return table


def _row(entry: OracleEntry) -> list[str]:
    return [
        epsilon_words(entry.mechanism.epsilon),
        entry.name + (" ★" if entry.chosen else ""),
        aligned(entry.variance),
        f"{entry.ratio:.3f}",
        percent(entry.standard_error(10_000)),
        f"{entry.bits:.1f}",
        percent(entry.spent),
    ]
