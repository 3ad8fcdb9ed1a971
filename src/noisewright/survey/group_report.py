"""The report of groups of people: each column group by group, and then, if they are few, each group.

An interval holds for its own group. Among many groups some intervals miss, and the groups that stand out are
often those; the report says so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

import numpy as np

from noisewright.report import Block, Bullets, Report, Section, Strong, Table, number, paragraphs
from noisewright.survey.estimate_report import (
    assumptions,
    column_blocks,
    column_heading,
    methods,
    promised,
    remarks,
    through,
)
from noisewright.survey.estimate_rows import rows, to_width
from noisewright.survey.estimates import ColumnEstimates, Estimates, LabelEstimates
from noisewright.survey.groups import GroupEstimates
from noisewright.text import counted, listed, shortened

FEW: int = 12
"""Groups that have a section of their own."""

MOST_SHARES: int = 3
"""Labels that the table of a column has room for."""

MOST_FILES: int = 20
"""Names of files that are listed."""

T = TypeVar("T")
Column = ColumnEstimates | LabelEstimates


def group_report(found: GroupEstimates) -> Report:
    """Describe the estimates of all groups as a document."""
    each = list(found.groups.values())
    level = f"{100 * each[0].level:g} %"
    files = _once(each, lambda group: group.files)
    names = _once(each, lambda group: [column.name for column in group.columns])
    tables = [_by_group(found, name, level) for name in names]
    made = [f"{what}: {how}." for what, how in _once(each, methods)]
    holds = "; ".join(_once(each, lambda group: assumptions(group).split("; ")))
    read = f"Read from {listed(files, MOST_FILES)}; randomness: {each[0].tallies.randomness}."
    return Report(
        title=f"Estimates of {counted(len(each), 'group')} by {found.by} from "
        f"{files[0] if len(files) == 1 else f'{len(files):,} files'}",
        lead=f"Estimated from randomized reports alone, apart for each {found.by}. Each interval holds the "
        f"truth about its group in {level} of all collections like this one.",
        cautions=[*_once(each, remarks), *_misses(found)],
        sections=[
            *tables,
            *_sections(found, level),
            Section(f"How the {level} intervals were made", [Bullets(made), f"They hold if {holds}."]),
            Section("What was promised", [*_once(each, promised), read]),
        ],
        verb="estimate",
        data=found.to_dict(),
    )


def _once(groups: Iterable[Estimates], ask: Callable[[Estimates], Iterable[T]]) -> list[T]:
    """Return what is to be said of any of the groups, each thing once."""
    return list(dict.fromkeys(said for group in groups for said in ask(group)))


# -- one column, group by group --------------------------------------------------------------------------


def _by_group(found: GroupEstimates, name: str, level: str) -> Section:
    columns = {
        group: column for group, of in found.groups.items() for column in of.columns if column.name == name
    }
    labels = [column for column in columns.values() if isinstance(column, LabelEstimates)]
    table = _shares(found.by, columns, labels, level) if labels else _means(found.by, columns, level)
    mechanisms = dict.fromkeys(
        line.partition(": ")[0] for column in columns.values() for line in through(column)
    )
    return Section(f"{name} by {found.by}", [*mechanisms, table, *paragraphs([_fewer(labels)])])


def _means(by: str, columns: dict[str, Column], level: str) -> Table:
    """Return the mean of a column of numbers in each group."""
    shown = {
        group: rows(column)[0] for group, column in columns.items() if isinstance(column, ColumnEstimates)
    }
    what = next(iter(shown.values())).what
    return Table(
        f"The {what} of each group with its {level} interval",
        [by, "reports", what, "± standard error", f"{level} interval"],
        [
            [group, _reports(columns[group]), *map(number, (row.value, row.stderr, row.interval))]
            for group, row in shown.items()
        ],
    )


def _shares(by: str, columns: dict[str, Column], labels: Sequence[LabelEstimates], level: str) -> Table:
    """Return the shares of the most frequent labels in each group."""
    chosen = most_frequent(labels)
    kind = labels[0].kind
    return Table(
        f"The shares of {kind}s in each group, each with its {level} interval",
        [by, "reports", *(shortened(label) for label in chosen)],
        [
            [group, _reports(column), *(number(_share(column, label)) for label in chosen)]
            for group, column in columns.items()
            if isinstance(column, LabelEstimates)
        ],
    )


def most_frequent(columns: Sequence[LabelEstimates], most: int = MOST_SHARES) -> list[object]:
    """Return the labels that most people of all groups together have; bins stay in their order."""
    people = sum(column.tally.count * column.frequencies.value for column in columns)
    places = np.argsort(-np.asarray(people), kind="stable")[:most]
    ordered = np.sort(places) if columns[0].kind == "bin" else places
    return [columns[0].frequencies.labels[place] for place in ordered.tolist()]


def _share(column: LabelEstimates, label: object) -> str:
    found = column.frequencies[label]
    width = 100 * float(found.high - found.low)
    value, low, high = (to_width(100 * float(each), width) for each in (found.value, found.low, found.high))
    return f"{value} % ({low} to {high})"


def _reports(column: Column) -> object:
    return number(f"{column.tally.count:,}")


def _fewer(labels: Sequence[LabelEstimates]) -> str | None:
    """Say how many labels are not in the table of a column, if there are any."""
    rest = len(labels[0].frequencies.labels) - MOST_SHARES if labels else 0
    if rest <= 0:
        return None
    return f"The most frequent of all people; {rest:,} more {labels[0].kind}s are not in this table."


# -- all groups ------------------------------------------------------------------------------------------


def _misses(found: GroupEstimates) -> list[str]:
    """Say how many intervals of the tables are expected to miss, if that is one or more."""
    columns = [column for group in found.groups.values() for column in group.columns]
    intervals = sum(
        min(len(column.frequencies.labels), MOST_SHARES) if isinstance(column, LabelEstimates) else 1
        for column in columns
    )
    chance = 1 - columns[0].level
    if round(intervals * chance) < 1:
        return []
    return [
        f"Intervals hold for each group separately: about 1 in {1 / chance:.0f} misses the truth, so about "
        f"{round(intervals * chance):,} of the {intervals:,} in the tables by {found.by}. Groups that stand "
        "out are the likeliest to."
    ]


def _sections(found: GroupEstimates, level: str) -> list[Section]:
    """Describe each group in a section of its own, or say how to see one."""
    if len(found) > FEW:
        sentence = (
            f"These are {len(found):,} groups, too many to show each. --json prints everything about each of "
            "them; in Python, estimates[name] is one group with its report."
        )
        return [Section("One group", [sentence])]
    sections, place = [], 0
    for group, of in found.groups.items():
        blocks: list[Block] = []
        for column in of.columns:
            place += 1
            blocks += [Strong(column_heading(column)), *column_blocks(column, place, level)]
        sections.append(Section(f"{found.by}: {group}", blocks))
    return sections
