"""Estimates in the terminal."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence

import numpy as np

from noisewright.estimate import Histogram
from noisewright.pages.estimate_rows import NO_BINS, NO_ERROR, UNEVEN, UNKNOWN, Row, bins, rows
from noisewright.pages.estimate_words import (
    assumptions,
    left_open,
    methods,
    promised,
    remarks,
    reports,
    through,
    undivided,
)
from noisewright.pages.estimates import ColumnEstimates, Estimates
from noisewright.pages.label_estimates import LabelEstimates
from noisewright.pages.label_rows import LabelRow, label_rows, left_out, outside
from noisewright.pages.wording import domain_words
from noisewright.text import plain

WIDTH = 100
BAR = 40
MOST_LINES = 64
"""Bins that a terminal can show; a page has room for more."""

LEGEND = "█ to the low end, ▓ to the estimate, ░ to the high end"


def told(found: Estimates) -> str:
    """All estimates as text: each column, how the intervals were made, and what was promised."""
    level = f"{100 * found.level:g} %"
    parts = [(_wrapped(remark)[0], _wrapped(remark)[1:]) for remark in remarks(found)]
    parts += [(_heading(column), _column(column, level)) for column in found.columns]
    parts.append((f"How the {level} intervals were made", _how(found)))
    parts.append(("What was promised", [line for text in promised(found) for line in _wrapped(text)]))
    return "\n\n".join("\n".join([name, *(f"  {line}".rstrip() for line in lines)]) for name, lines in parts)


def bars(histogram: Histogram, width: int = BAR) -> list[str]:
    """A bar for each bin: solid up to the low end of its interval, lighter to the value and to the high end.

    >>> shares = np.array([0.5, 0.25])
    >>> found = Histogram(shares, shares / 10, shares - 0.25, shares + 0.25, edges=np.arange(3.0))
    >>> bars(found, width=9)
    ['███▓▓▓░░░', '▓▓▓░░░']
    """
    top = max(float(np.max(histogram.high)), float(np.nanmax(histogram.value, initial=0.0)), 1e-12)
    marks = np.nan_to_num(np.stack([histogram.low, histogram.value, histogram.high]))
    ends = np.rint(marks.clip(0) / top * width).astype(int).T.tolist()
    return ["█" * low + "▓" * (value - low) + "░" * (high - max(low, value)) for low, value, high in ends]


def _heading(column: ColumnEstimates | LabelEstimates) -> str:
    return f"{plain(column.name)}: {reports(column.tally.count)} on {domain_words(column.tally.domain)}"


def _column(column: ColumnEstimates | LabelEstimates, level: str) -> list[str]:
    lines = [line for name in through(column) for line in _wrapped(name)]
    said = left_open(column)
    if said:
        lines += ["", *_wrapped(said)]
    if isinstance(column, LabelEstimates):
        return [*lines, *_labels(column, level)]
    return [*lines, *_numbers(column, level)]


def _labels(column: LabelEstimates, level: str) -> list[str]:
    shown = label_rows(column)
    head = (
        column.kind,
        "share",
        "± standard error",
        f"{level} interval",
        "people",
        f"{level} interval",
    )
    uneven = any(row.stderr == NO_ERROR for row in shown)
    lines = ["", *_aligned([head, *shown]), *(["", UNEVEN] if uneven else [])]
    if rest := left_out(column, len(shown)):
        lines += ["", *_wrapped(f"{rest} --top N or --all shows more.")]
    if strange := outside(column):
        lines += ["", *_wrapped(strange)]
    return lines


def _numbers(column: ColumnEstimates, level: str) -> list[str]:
    head, shown = ("", "estimate", "± standard error", f"{level} interval"), rows(column)
    lines = ["", *_aligned([head, *shown])]
    if any(row.stderr == NO_ERROR and row.value != UNKNOWN for row in shown):
        lines += ["", UNEVEN]
    if zones := undivided(column):
        lines += ["", *_wrapped(zones)]
    return [*lines, "", *_histogram(column)]


def _histogram(column: ColumnEstimates) -> list[str]:
    if column.only_mean:
        return _wrapped(NO_BINS)
    if column.histogram.edges.size - 1 > MOST_LINES:
        return [
            f"The {column.histogram.edges.size - 1} bins are too many for a terminal; see --html or --json."
        ]
    table = _aligned([(row.what, row.value, row.interval) for row in bins(column)])
    drawn = [f"{line}  {bar}" for line, bar in zip(table, bars(column.histogram), strict=True)]
    return [f"Share of people in each bin ({LEGEND}):", *drawn]


def _how(found: Estimates) -> list[str]:
    said = [f"{what}: {how}." for what, how in methods(found)]
    said.append(f"They mean what they say if {assumptions(found)}.")
    return [line for sentence in said for line in _wrapped(sentence)]


def _aligned(table: Sequence[Row | LabelRow | tuple[str, ...]]) -> list[str]:
    """Rows with their names to the left and their numbers to the right."""
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    return [_line(row, widths) for row in table]


def _line(row: Iterable[str], widths: Sequence[int]) -> str:
    name, *numbers = row
    cells = [text.rjust(width) for text, width in zip(numbers, widths[1:], strict=True)]
    return "  ".join([name.ljust(widths[0]), *cells])


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, WIDTH, subsequent_indent="  ")
