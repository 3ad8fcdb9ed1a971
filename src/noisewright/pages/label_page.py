"""The section of a page that is about a column of labels."""

from __future__ import annotations

from collections.abc import Iterable

from noisewright.pages.estimate_rows import NO_ERROR, UNEVEN
from noisewright.pages.estimate_words import left_open, through
from noisewright.pages.figures import figure
from noisewright.pages.label_charts import bars_of, label_chart
from noisewright.pages.label_estimates import LabelEstimates
from noisewright.pages.label_rows import LabelRow, label_rows, left_out, outside
from noisewright.pages.markup import Content, Html, facts, tag
from noisewright.pages.tables import number, table
from noisewright.pages.wording import domain_words

MOST_LISTED = 1000
"""Labels of the longest table on a page."""


def label_content(column: LabelEstimates, place: int, level: str) -> list[Content]:
    """A column of labels: where it comes from, a bar for each label, the numbers, all labels at the end."""
    shown = label_rows(column)
    content: list[Content] = [
        facts([
            ("Reports", f"{column.tally.count:,}"),
            ("Domain", domain_words(column.tally.domain)),
            ("Mechanism", "; ".join(through(column))),
        ]),
        _chart(column, place, level),
        _table(f"Shares and numbers of people with {level} intervals", shown, level, column.kind),
    ]  # fmt: skip
    if any(row.stderr == NO_ERROR for row in shown):
        content.append(UNEVEN)
    if said := left_out(column, len(shown)):
        content += [said, _all_labels(column, level)]
    if open_questions := left_open(column):
        content.append(open_questions)
    if strange := outside(column):
        content.append(strange)
    return content


def _chart(column: LabelEstimates, place: int, level: str) -> Html:
    bars = bars_of(column)
    which = f"{bars} most frequent labels" if column.kind == "label" else f"{bars} {column.kind}s"
    title = f"Bars of the estimated shares of the {which} of {column.name}."
    with_each = f"{'in' if column.kind == 'bin' else 'with'} each {column.kind}"
    caption = f"The estimated share of people {with_each}, as a bar, and its {level} interval, as a line."
    return figure(f"labels-{place}", label_chart(column), title=title, caption=caption)


def _table(caption: str, rows: Iterable[LabelRow], level: str, kind: str) -> Html:
    header = [
        kind.capitalize(),
        "share",
        "standard error",
        f"{level} interval",
        "people",
        f"{level} interval",
    ]
    return table(caption, header, ([row.label, *map(number, row[1:])] for row in rows))


def _all_labels(column: LabelEstimates, level: str) -> Html:
    listed = label_rows(column, MOST_LISTED)
    every = len(listed) == len(column.frequencies.labels)
    which = f"All {column.kind}s" if every else f"The first {MOST_LISTED:,} {column.kind}s"
    caption = f"{column.kind.capitalize()}s of {column.name}"
    return tag("details", tag("summary", f"{which} as a table"), _table(caption, listed, level, column.kind))
