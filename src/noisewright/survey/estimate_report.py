"""The report of a collection: each column with its numbers, how intervals were made, what was promised.

Every number is rounded to the digits that its interval leaves it.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from noisewright.estimate import Histogram
from noisewright.report import (
    Block,
    Bullets,
    Details,
    Figure,
    Report,
    Section,
    Table,
    number,
    paragraphs,
)
from noisewright.report.terminal import align_columns
from noisewright.survey.estimate_rows import NO_ERROR, LabelRow, Row, bins, label_rows, rows
from noisewright.survey.estimates import UNKNOWN, ColumnEstimates, Estimates, LabelEstimates
from noisewright.survey.plots import drawn_labels, plot_columns
from noisewright.text import counted, epsilon_words, listed

NO_BINS = "How people are spread over bins cannot be estimated from these reports, so no histogram is shown."
UNEVEN = f"{NO_ERROR} stands where the interval is not symmetric; read its two ends instead of a ± error."
LEGEND = "█ to the low end, ▓ to the estimate, ░ to the high end"
BAR = 40
MOST_LINES = 64
"""The most bins that a terminal shows; a page has room for more."""

MOST_LISTED = 1000
"""Labels of the longest table on a page."""

MOST_ZONES = 4
"""The most stretches that are listed."""


def estimate_report(found: Estimates) -> Report:
    """Describe all estimates as a document."""
    files = found.files
    name = f"{len(files)} files" if len(files) > 1 else files[0]
    level = f"{100 * found.level:g} %"
    sections = [
        Section(column_heading(column), column_blocks(column, place, level))
        for place, column in enumerate(found.columns, 1)
    ]
    holds = f"They hold if {assumptions(found)}."
    made = [f"{what}: {how}." for what, how in methods(found)]
    read = f"Read from {', '.join(files)}; randomness: {found.tallies.randomness}."
    return Report(
        title=f"Estimates from {name}",
        lead="Estimated from randomized reports alone. Each interval holds the truth about the people in "
        f"{level} of all collections like this one.",
        cautions=remarks(found),
        sections=[
            *sections,
            Section(f"How the {level} intervals were made", [Bullets(made), holds]),
            Section("What was promised", [*promised(found), read]),
        ],
        verb="estimate",
        data=found.to_dict(),
    )


def column_heading(column: ColumnEstimates | LabelEstimates) -> str:
    """Name a column, its reports and its domain."""
    count, where = counted(column.tally.count, "report"), column.tally.domain.words
    return f"{column.name}: {count} on {where}"


def column_blocks(column: ColumnEstimates | LabelEstimates, place: int, level: str) -> list[Block]:
    """Describe everything about a column.

    Args:
        column: Its estimates.
        place: Which column of the report it is, for the anchors of its figures.
        level: The level of the intervals in per cent.
    """
    if isinstance(column, LabelEstimates):
        return [*through(column), *_labels(column, place, level)]
    return [*through(column), *_numbers(column, place, level)]


def _numbers(column: ColumnEstimates, place: int, level: str) -> list[Block]:
    """Return the numbers of a column, its histogram, and all bins at the end."""
    shown, all_bins = rows(column), bins(column)
    blocks: list[Block] = [
        Table(f"Estimates with {level} intervals", _header("number", level), list(map(_cells, shown))),
        *paragraphs([_uneven(shown), left_open(column), undivided(column)]),
    ]
    if column.only_mean:
        return [*blocks, NO_BINS]
    caption = f"Share of people in each bin of {column.name}"
    table = Table(caption, _header("bin", level), list(map(_cells, all_bins)))
    return [
        *blocks,
        _histogram(column, place, level),
        Details("All bins as a table", [table, *paragraphs([_uneven(all_bins)])]),
    ]


def _uneven(shown: Iterable[Row]) -> str | None:
    """Explain the dash in a table, if there is one."""
    dashes = any(row.stderr == NO_ERROR and row.value != UNKNOWN for row in shown)
    return UNEVEN if dashes else None


def _histogram(column: ColumnEstimates, place: int, level: str) -> Figure:
    count = column.histogram.edges.size - 1
    title = f"Histogram of the estimated distribution of {column.name} in {count} bins, with intervals."
    caption = f"The estimated share of people in each bin, as a bar, and its {level} interval, as a line."
    if column.undivided:
        caption += " Within a shaded stretch values cannot be told apart."
    panels = [(title, lambda: plot_columns([column]))]
    return Figure(f"histogram-{place}", panels, caption, lines=_bin_lines(column))


def _bin_lines(column: ColumnEstimates) -> list[str]:
    """Return the histogram for a terminal: a line and a bar of block characters for each bin."""
    if column.histogram.edges.size - 1 > MOST_LINES:
        return [
            f"The {column.histogram.edges.size - 1} bins are too many for a terminal; see --html or --json."
        ]
    cells = [(row.what, row.value, row.interval) for row in bins(column)]
    lines = align_columns(cells, [False, True, True])
    drawn = [f"{line}  {bar}" for line, bar in zip(lines, bars(column.histogram), strict=True)]
    return [f"Share of people in each bin ({LEGEND}):", *drawn]


def bars(histogram: Histogram, width: int = BAR) -> list[str]:
    """Return a bar for each bin: solid up to the low end of its interval, lighter to value and high end.

    >>> shares = np.array([0.5, 0.25])
    >>> found = Histogram(shares, shares / 10, shares - 0.25, shares + 0.25, edges=np.arange(3.0))
    >>> bars(found, width=9)
    ['███▓▓▓░░░', '▓▓▓░░░']
    """
    top = max(float(np.max(histogram.high)), float(np.nanmax(histogram.value, initial=0.0)), 1e-12)
    marks = np.nan_to_num(np.stack([histogram.low, histogram.value, histogram.high]))
    ends = np.rint(marks.clip(0) / top * width).astype(int).T.tolist()
    return ["█" * low + "▓" * (value - low) + "░" * (high - max(low, value)) for low, value, high in ends]


def _header(first: str, level: str) -> list[str]:
    return [first, "estimate", "± standard error", f"{level} interval"]


def _cells(row: Row) -> list[object]:
    return [row.what, number(row.value), number(row.stderr), number(row.interval)]


def _labels(column: LabelEstimates, place: int, level: str) -> list[Block]:
    """Return a bar for each label, the numbers, and all labels at the end."""
    shown = label_rows(column)
    rest = left_out(column, len(shown))
    return [
        _label_chart(column, place, level),
        _label_table(f"Shares and numbers of people with {level} intervals", shown, level, column.kind),
        *paragraphs([UNEVEN if any(row.stderr == NO_ERROR for row in shown) else None, rest]),
        *([_all_labels(column, level)] if rest else []),
        *paragraphs([left_open(column), outside(column)]),
    ]


def _label_chart(column: LabelEstimates, place: int, level: str) -> Figure:
    count = len(drawn_labels(column).labels)
    which = f"{count} most frequent labels" if column.kind == "label" else f"{count} {column.kind}s"
    title = f"Bars of the estimated shares of the {which} of {column.name}."
    with_each = f"{'in' if column.kind == 'bin' else 'with'} each {column.kind}"
    caption = f"The estimated share of people {with_each}, as a bar, and its {level} interval, as a line."
    return Figure(f"labels-{place}", [(title, lambda: plot_columns([column]))], caption)


def _label_table(caption: str, shown: Iterable[LabelRow], level: str, kind: str) -> Table:
    interval = f"{level} interval"
    header = [kind, "share", "± standard error", interval, "people", interval]
    return Table(caption, header, [[row.label, *map(number, row[1:])] for row in shown])


def _all_labels(column: LabelEstimates, level: str) -> Details:
    every = label_rows(column, MOST_LISTED)
    complete = len(every) == len(column.frequencies.labels)
    which = f"All {column.kind}s" if complete else f"The first {MOST_LISTED:,} {column.kind}s"
    caption = f"{column.kind.capitalize()}s of {column.name}"
    return Details(f"{which} as a table", [_label_table(caption, every, level, column.kind)])


# -- sentences -------------------------------------------------------------------------------------------


def through(column: ColumnEstimates | LabelEstimates) -> list[str]:
    """Return the mechanisms of a column with their ε, and with their reports if there are several."""
    groups = column.tally.groups
    names = [
        f"{type(group.mechanism).title}, ε = {epsilon_words(group.mechanism.epsilon)}" for group in groups
    ]
    if len(groups) == 1:
        return names
    return [f"{name}: {counted(group.count, 'report')}" for name, group in zip(names, groups, strict=True)]


def undivided(column: ColumnEstimates) -> str | None:
    """Say which values the mechanism cannot tell apart, if there are any."""
    zones = column.undivided
    if not zones:
        return None
    spans = listed(column.tally.domain.report_span(low, high) for low, high in zones[:MOST_ZONES])
    more = f", and {len(zones) - MOST_ZONES} stretches more" if len(zones) > MOST_ZONES else ""
    return (
        f"Some values cannot be told apart, however many reports there are: those {spans}{more}. All values "
        "of such a stretch have the same law of reports. The intervals allow for every way in which people "
        "may be spread there, so they can be far wider than the standard error suggests."
    )


def left_open(column: ColumnEstimates | LabelEstimates) -> str | None:
    """Say which numbers cannot be estimated from the reports of a column, if there are any."""
    spots = column.left_open
    return f"What these reports leave open: {'; and '.join(spots)}." if spots else None


def remarks(found: Estimates) -> list[str]:
    """Return what a reader must know before trusting any number."""
    said = []
    if not found.tallies.private:
        said.append(f"The reports were {found.tallies.randomness}.")
    if found.tallies.clipped:
        said.append(
            "True values outside their domain, if there were any, were moved into it before they were "
            "randomized, as perturb was asked to; the estimates are about the values after that. The reports "
            "do not say whether there were any."
        )
    return said


def methods(found: Estimates) -> list[tuple[str, str]]:
    """Return every method once, with the numbers that it was used for."""
    used: dict[str, dict[str, list[str]]] = {}
    for column in found.columns:
        for what, estimate in column.parts().items():
            used.setdefault(estimate.method, {}).setdefault(what, []).append(column.name)
    one = len(found.columns) == 1
    return [(_capital(listed(parts) if one else _by_columns(parts)), how) for how, parts in used.items()]


def _by_columns(parts: dict[str, list[str]]) -> str:
    """List numbers of the same columns together: "mean and quantiles of a, b; mean direction of c"."""
    together: dict[str, list[str]] = {}
    for what, names in parts.items():
        together.setdefault(", ".join(names), []).append(what)
    return "; ".join(f"{listed(whats)} of {names}" for names, whats in together.items())


def assumptions(found: Estimates) -> str:
    """Return what the intervals assume, each thing once."""
    parts = [
        part
        for column in found.columns
        for estimate in column.parts().values()
        for part in estimate.assumption.split("; ")
    ]
    return "; ".join(dict.fromkeys(parts))


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def promised(found: Estimates) -> list[str]:
    """Say what one row reveals, and what it means to be in several files."""
    if len(found.tallies.origins) == 1:
        return found.tallies.promises()
    again = (
        "This is for one row of one file; for somebody who is in several files the factors of all their rows "
        "multiply."
    )
    return [*found.tallies.promises(), again]


def left_out(column: LabelEstimates, shown: int) -> str | None:
    """Describe the labels that are not shown, and warn that the shown ones were picked for large shares."""
    rest = len(column.frequencies.labels) - shown
    if rest <= 0:
        return None
    return (
        f"The {shown} most frequent by their estimates; {rest:,} more are not shown. Each interval holds by "
        "itself; labels that are picked for large estimates tend to be a little too high."
    )


def outside(column: LabelEstimates) -> str | None:
    """Explain estimates below 0 or above 1, if there are any."""
    shares = column.frequencies.value
    if ((shares >= 0) & (shares <= 1)).all():
        return None
    return (
        "Unbiased shares may fall below 0 or above 100 % where the noise is larger than the share; their "
        "intervals do not. --consistency norm-sub makes them sum to one."
    )
