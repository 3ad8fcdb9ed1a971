"""Tables for readers and for screen readers: a caption, scoped headers, numbers to the right."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from noisewright.pages.markup import Content, Html, escaped, tag


@dataclass(frozen=True)
class Cell:
    """One cell; ``best`` sets it off, in words too and not by colour alone."""

    content: Content
    number: bool = False
    best: bool = False

    def markup(self) -> Html:
        """The cell as an element."""
        classes = " ".join(name for name, wanted in (("number", self.number), ("best", self.best)) if wanted)
        mark = tag("span", " ★ best", class_="mark") if self.best else Html("")
        return tag("td", escaped(self.content), mark, class_=classes or None)


def number(value: Content, *, best: bool = False) -> Cell:
    """A cell with a number in it."""
    return Cell(value, number=True, best=best)


def table(caption: Content, header: Sequence[Content], rows: Iterable[Sequence[Content | Cell]]) -> Html:
    """A table whose first column names the rows.

    >>> table("Errors", ["name", "worst"], [["OGPM", number("0.27")]]).count("scope=")
    3
    """
    filled = [(first, [_cell(other) for other in rest]) for first, *rest in rows]
    numeric = [False, *(cell.number for cell in filled[0][1])] if filled else [False] * len(header)
    head = tag("tr", *(_heading(name, right) for name, right in zip(header, numeric, strict=True)))
    body = [
        tag("tr", tag("th", first, scope="row"), *(cell.markup() for cell in rest)) for first, rest in filled
    ]
    inner = tag("table", tag("caption", caption), tag("thead", head), tag("tbody", *body))
    return tag("div", inner, class_="scroll", tabindex=0, role="region", aria_label=caption)


def _heading(name: Content, right: bool) -> Html:
    return tag("th", name, scope="col", class_="number" if right else None)


def _cell(content: Content | Cell) -> Cell:
    return content if isinstance(content, Cell) else Cell(content)
