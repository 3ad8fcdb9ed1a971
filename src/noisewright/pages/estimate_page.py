"""The page of estimates."""

from __future__ import annotations

from collections.abc import Iterable

from noisewright import __version__
from noisewright.pages.estimate_charts import panels
from noisewright.pages.estimate_rows import NO_BINS, NO_ERROR, UNEVEN, UNKNOWN, Row, bins, rows
from noisewright.pages.estimate_words import (
    assumptions,
    left_open,
    methods,
    promised,
    remarks,
    through,
    undivided,
)
from noisewright.pages.estimates import ColumnEstimates, Estimates
from noisewright.pages.figures import figure
from noisewright.pages.label_estimates import LabelEstimates
from noisewright.pages.label_page import label_content
from noisewright.pages.markup import Content, Html, bullets, facts, tag
from noisewright.pages.tables import Cell, number, table
from noisewright.pages.template import Section, page
from noisewright.pages.wording import domain_words


def estimate_page(found: Estimates) -> str:
    """The whole document."""
    level = f"{100 * found.level:g} %"
    lead = (
        f"Estimated from randomized reports alone. Each interval holds the truth about the people in {level} "
        "of all collections like this one."
    )
    warnings = [tag("p", remark, class_="warning") for remark in remarks(found)]
    sections = [
        Section(column.name, _content(column, place, level)) for place, column in enumerate(found.columns, 1)
    ]
    first = Section(sections[0].heading, [*warnings, *sections[0].content])
    footer = f"Written by noisewright estimate, version {__version__}."
    return page(_title(found), lead, [first, *sections[1:], _how(found, level), _promised(found)], footer)


def _content(column: ColumnEstimates | LabelEstimates, place: int, level: str) -> list[Content]:
    if isinstance(column, LabelEstimates):
        return label_content(column, place, level)
    return column_content(column, place, level)


def column_content(column: ColumnEstimates, place: int, level: str) -> list[Content]:
    """A column of numbers: where it comes from, its numbers, its histogram, and all bins at the end."""
    shown, listed = rows(column), bins(column)
    content: list[Content] = [
        facts([
            ("Reports", f"{column.tally.count:,}"),
            ("Domain", domain_words(column.tally.domain)),
            ("Mechanism", "; ".join(through(column))),
        ]),
        table(f"Estimates with {level} intervals", _header("Number", level), map(_cells, shown)),
    ]  # fmt: skip
    if any(row.stderr == NO_ERROR and row.value != UNKNOWN for row in (*shown, *listed)):
        content.append(UNEVEN)
    if said := left_open(column):
        content.append(said)
    if zones := undivided(column):
        content.append(zones)
    if column.only_mean:
        return [*content, NO_BINS]
    return [*content, _histogram(column, place, level), _all_bins(column, listed, level)]


def _title(found: Estimates) -> str:
    files = found.tallies.origins
    names = f"{len(files)} files" if len(files) > 1 else files[0].replace("\\", "/").rsplit("/", 1)[-1]
    return f"Estimates from {names}"


def _histogram(column: ColumnEstimates, place: int, level: str) -> Html:
    count = column.histogram.edges.size - 1
    title = f"Histogram of the estimated distribution of {column.name} in {count} bins, with intervals."
    caption = f"The estimated share of people in each bin, as a bar, and its {level} interval, as a line."
    if column.undivided:
        caption += " Within a shaded stretch values cannot be told apart."
    return figure(f"histogram-{place}", panels([column]), title=title, caption=caption)


def _all_bins(column: ColumnEstimates, rows: Iterable[Row], level: str) -> Html:
    caption = f"Share of people in each bin of {column.name}"
    listed = table(caption, _header("Bin", level), map(_cells, rows))
    return tag("details", tag("summary", "All bins as a table"), listed)


def _header(first: str, level: str) -> list[str]:
    return [first, "estimate", "standard error", f"{level} interval"]


def _cells(row: Row) -> list[Content | Cell]:
    return [row.what, number(row.value), number(row.stderr), number(row.interval)]


def _how(found: Estimates, level: str) -> Section:
    said = [f"{what}: {how}." for what, how in methods(found)]
    holds = f"They mean what they say if {assumptions(found)}."
    return Section(f"How the {level} intervals were made", [bullets(said), holds])


def _promised(found: Estimates) -> Section:
    files = found.tallies.origins
    read = f"Read from {', '.join(files)}; randomness: {found.tallies.randomness}."
    return Section("What was promised", [*promised(found), read])
