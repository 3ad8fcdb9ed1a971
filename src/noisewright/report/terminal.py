"""A report as text: headings, and below them everything indented by two blanks, in lines of some width."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Sequence
from functools import singledispatch
from itertools import zip_longest
from typing import Final

from noisewright.report.document import (
    Block,
    Bullets,
    Caution,
    Cell,
    Details,
    Facts,
    Figure,
    Link,
    Listing,
    Report,
    Section,
    Strong,
    Table,
    as_cell,
)
from noisewright.text import plain, wrapped

WIDTH: Final = 100
"""Letters of a line, unless a terminal is narrower."""

INDENT: Final = "  "
ROOM: Final = WIDTH - len(INDENT)
LEAST_VALUE: Final = 20
"""Letters of a value beside its name, however long names are."""

NARROWEST_LINE: Final = 40
NARROWEST: Final = 6
"""Fewest letters to which a column is folded."""


def render_text(report: Report, width: int = WIDTH) -> str:
    """Return a report as it is printed in a terminal; sections that only a page can show are left out.

    Args:
        report: The report.
        width: Letters of a line; no less than 40.
    """
    lead = f"{report.mark}: {report.lead}" if report.mark else report.lead
    opening: list[Block] = [*([lead] if lead else []), *map(Caution, report.cautions)]
    room = max(width, NARROWEST_LINE) - len(INDENT)
    found = [section_lines(part, room) for part in (Section(report.title, opening), *report.sections)]
    return "\n\n".join("\n".join(lines) for lines in found if len(lines) > 1)


def section_lines(section: Section, room: int = ROOM) -> list[str]:
    """Return the lines of a section: its heading, then its blocks with an empty line between tables."""
    lines = [plain(section.heading)]
    former: object = None
    for block in section.blocks:
        found = block_lines(block, room)
        if found and former is not None and (_stands_apart(block) or _stands_apart(former)):
            lines.append("")
        lines += [f"{INDENT}{line}".rstrip() for line in found]
        former = block if found else former
    return lines


def _stands_apart(block: object) -> bool:
    return isinstance(block, Table | Facts | Listing | Figure | Caution)


@singledispatch
def block_lines(block: object, room: int = ROOM) -> list[str]:
    """Return the lines of one block, not indented, each of at most ``room`` letters if that is possible."""
    return wrapped(plain(block), room)


@block_lines.register
def _(block: Caution, room: int = ROOM) -> list[str]:
    return wrapped(f"! {plain(block.text)}", room)


@block_lines.register
def _(block: Strong, room: int = ROOM) -> list[str]:
    return wrapped(plain(block.text), room)


@block_lines.register
def _(block: Facts, room: int = ROOM) -> list[str]:
    names = [plain(name) for name, _ in block.pairs]
    width = max(map(len, names), default=0)
    lines: list[str] = []
    for name, (_, value) in zip(names, block.pairs, strict=True):
        first, *others = textwrap.wrap(plain(value), max(room - width - 2, LEAST_VALUE)) or [""]
        lines += [f"{name:<{width}}  {first}", *(f"{'':<{width}}  {line}" for line in others)]
    return lines


@block_lines.register
def _(block: Bullets, room: int = ROOM) -> list[str]:
    return [
        line
        for item in block.items
        for line in textwrap.wrap(plain(item), room, initial_indent="• ", subsequent_indent="  ")
    ]


@block_lines.register
def _(block: Listing, room: int = ROOM) -> list[str]:
    return [line for long in block.text.splitlines() for line in command_lines(long, room)]


def command_lines(command: str, room: int = ROOM) -> list[str]:
    """Return a command in lines that are not too long, to be pasted into a shell; other text as it is.

    Args:
        command: A line; only one that begins with ``noisewright`` is broken, before its options.
        room: Letters of a line.
    """
    if len(command) <= room or not command.startswith("noisewright "):
        return [command]
    lines = [""]
    for part in re.split(r" (?=-)", command):
        if lines[-1] and len(f"{lines[-1]} {part} \\") > room:
            lines[-1] += " \\"
            lines.append(f"  {part}")
        else:
            lines[-1] = f"{lines[-1]} {part}" if lines[-1] else part
    return lines


@block_lines.register
def _(block: Figure, room: int = ROOM) -> list[str]:
    return _shorten_bars(block.lines, room)


def _shorten_bars(lines: Sequence[str], room: int) -> list[str]:
    """Return lines that fit: bars at their ends are shortened to one scale, and sentences are wrapped.

    >>> _shorten_bars(["a  ████░░", "b  ██"], 6), _shorten_bars(["a  ████"], 9)
    (['a  ██░', 'b  █'], ['a  ████'])
    """
    bars = [found.group() if (found := _BAR.search(line)) else "" for line in lines]
    longest = max(map(len, bars), default=0)
    over = max((len(line) for line, bar in zip(lines, bars, strict=True) if bar), default=0) - room
    scale = max(longest - over, 1) / longest if over > 0 else 1.0
    fitting: list[str] = []
    for line, bar in zip(lines, bars, strict=True):
        shorter = re.sub(r"(.)\1*", lambda run: run[1] * int(scale * len(run[0])), bar)
        text = line.removesuffix(bar) + shorter
        fitting += [text] if len(text) <= room else wrapped(text, room)
    return fitting


_BAR: Final = re.compile("[█▓░]+$")


@block_lines.register
def _(block: Link, room: int = ROOM) -> list[str]:
    return [f"{plain(block.text)}: {plain(block.target)}"]


@block_lines.register
def _(block: Details, room: int = ROOM) -> list[str]:
    return []


@block_lines.register
def _(block: Table, room: int = ROOM) -> list[str]:
    caption = wrapped(f"{block.caption}:", room) if block.captioned else []
    rows = [[as_cell(cell) for cell in row] for row in block.rows]
    right = [any(cell.number for cell in column) for column in zip(*rows, strict=True)]
    table = [list(map(plain, block.header)), *([_cell_text(cell) for cell in row] for row in rows)]
    sides = right or [False] * len(block.header)
    lines = align_columns(table, sides)
    if max(map(len, lines)) > room:
        lines = align_columns(_fold_cells(table, room), sides)
    return [*caption, *lines]


def align_columns(table: Sequence[Sequence[str]], right: Iterable[bool]) -> list[str]:
    """Return rows with aligned columns; columns of numbers are aligned to the right.

    >>> align_columns([["a", "b"], ["xx", "1.5"]], [False, True])
    ['a     b', 'xx  1.5']
    """
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    sides = list(right)
    return [
        "  ".join(
            text.rjust(width) if side else text.ljust(width)
            for text, width, side in zip(row, widths, sides, strict=True)
        ).rstrip()
        for row in table
    ]


def _fold_cells(table: Sequence[Sequence[str]], room: int) -> list[list[str]]:
    """Return a table whose widest columns are folded, each row into several, until it is narrow enough."""
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    while sum(widths) + 2 * (len(widths) - 1) > room and max(widths) > NARROWEST:
        widths[widths.index(max(widths))] -= 1
    folded = (
        [textwrap.wrap(text, width) or [""] for text, width in zip(row, widths, strict=True)] for row in table
    )
    return [list(line) for row in folded for line in zip_longest(*row, fillvalue="")]


def _cell_text(cell: Cell) -> str:
    return f"{plain(cell.content)} ★" if cell.best else plain(cell.content)
