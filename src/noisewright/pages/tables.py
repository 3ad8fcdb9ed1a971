"""Tables for readers and for screen readers: a caption, scoped headers, numbers to the right."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from noisewright.pages.markup import Content, Html, escaped, tag

MOST_BESIDE = 4
"""Columns that a phone can show side by side."""


@dataclass(frozen=True)
class Cell:
    """One cell; ``best`` sets it off, in words too and not by colour alone."""

    content: Content
    number: bool = False
    best: bool = False

    def markup(self, label: Content | None = None) -> Html:
        """The cell as an element; ``label`` is said beside it where the table has no room for its header."""
        classes = " ".join(name for name, wanted in (("number", self.number), ("best", self.best)) if wanted)
        mark = tag("span", " ★ best", class_="mark") if self.best else Html("")
        return tag("td", self._unbroken(), mark, class_=classes or None, data_label=label)

    def _unbroken(self) -> Html:
        """The content; no line breaks between a number and its per cent sign."""
        content = escaped(self.content)
        return Html(content.replace(" %", "\u00a0%")) if self.number else content


def number(value: Content, *, best: bool = False) -> Cell:
    """A cell with a number in it."""
    return Cell(value, number=True, best=best)


def table(caption: Content, header: Sequence[Content], rows: Iterable[Sequence[Content | Cell]]) -> Html:
    """A table whose first column names the rows.

    Where a narrow screen has no room for its columns, each row of a wide one becomes a small list of its own.

    >>> table("Errors", ["name", "worst"], [["OGPM", number("0.27")]]).count("scope=")
    3
    """
    filled = [(first, [_cell(other) for other in rest]) for first, *rest in rows]
    numeric = [False, *(cell.number for cell in filled[0][1])] if filled else [False] * len(header)
    head = tag("tr", *(_heading(name, right) for name, right in zip(header, numeric, strict=True)))
    wide = len(header) > MOST_BESIDE
    labels = header[1:] if wide else [None] * len(header[1:])
    body = [
        tag(
            "tr",
            tag("th", first, scope="row"),
            *(cell.markup(label) for cell, label in zip(rest, labels, strict=True)),
        )
        for first, rest in filled
    ]
    inner = tag(
        "table", tag("caption", caption), tag("thead", head), tag("tbody", *body),
        class_="wide" if wide else None,
    )  # fmt: skip
    return tag("div", inner, class_="scroll", tabindex=0, role="region", aria_label=caption)


def _heading(name: Content, right: bool) -> Html:
    return tag("th", name, scope="col", class_="number" if right else None)


def _cell(content: Content | Cell) -> Cell:
    return content if isinstance(content, Cell) else Cell(content)
