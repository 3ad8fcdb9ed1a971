"""The document that a result becomes: one description for the terminal, the page and JSON.

The ``report.py`` of a room turns its result into a :class:`Report`, which says *what* a reader should see.
This room decides how it looks: ``terminal.py`` and ``html.py`` lay a report out, and ``--json`` prints its
``data``.

    >>> from noisewright.report.terminal import render_text
    >>> table = Table("Shares", ["label", "share"], [["no", number("80 %")], ["yes", number("20 %")]])
    >>> report = Report("Estimates", "Two labels.", [Section("smokes", [table])], verb="estimate", data={})
    >>> print(render_text(report))
    Estimates
      Two labels.
    <BLANKLINE>
    smokes
      label  share
      no      80 %
      yes     20 %
"""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from noisewright.report.provenance import Provenance
from noisewright.text import plain

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Drawing


@dataclass(frozen=True)
class Code:
    """A command or a digest as a value, shown character by character.

    Attributes:
        text: The characters.
    """

    text: str

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Caution:
    """A paragraph that must not be overlooked.

    Attributes:
        text: The paragraph.
    """

    text: str


@dataclass(frozen=True)
class Strong:
    """A paragraph that carries the result.

    Attributes:
        text: The paragraph.
    """

    text: str


@dataclass(frozen=True)
class Facts:
    """Names with their values.

    Attributes:
        pairs: Each name and the value beside it.
    """

    pairs: Sequence[tuple[str, object]]


@dataclass(frozen=True)
class Bullets:
    """A list of points.

    Attributes:
        items: The points, a sentence each.
    """

    items: Sequence[str]


@dataclass(frozen=True)
class Listing:
    """Text that is shown character by character, such as commands or a description.

    Attributes:
        text: The lines.
        label: A description for readers who cannot see them.
    """

    text: str
    label: str


@dataclass(frozen=True)
class Link:
    """A link to another file, by its name beside the page.

    Attributes:
        text: The text of the link.
        target: The name of the file.
    """

    text: str
    target: str


@dataclass(frozen=True)
class Cell:
    """One cell of a table.

    Attributes:
        content: The content.
        number: Whether it is right-aligned, like all numbers of its column.
        best: Whether it is marked as the best of its kind, in words and not by colour alone.
        exact: The number that ``content`` rounds or words; None for the number as it is shown.
    """

    content: object
    number: bool = False
    best: bool = False
    exact: float | None = None

    @property
    def value(self) -> float | None:
        """The number in the cell, by which a page sorts; None where the cell shows text or no number.

        >>> number("36.8 %").value, number("1,204").value, number("0.37", exact=0.3688).value, Cell("a").value
        (0.368, 1204, 0.3688, None)
        """
        if self.exact is not None:
            return None if math.isnan(self.exact) else self.exact
        shown = _shown_number(plain(self.content))
        if shown is None:
            return None
        found = Decimal(shown["number"]) / (100 if shown["share"] else 1)
        return int(found) if found == found.to_integral_value() and abs(found) < 1e15 else float(found)


_NUMBER: Final = re.compile(
    r"(?P<number>-?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:e[+-]?[0-9]{1,3})?)(?P<share> %)?"
)


def _shown_number(text: str) -> re.Match[str] | None:
    return _NUMBER.fullmatch(text.replace("−", "-").replace(",", ""))


def number(content: object, *, best: bool = False, exact: float | None = None) -> Cell:
    """Return a cell with a number in it.

    Args:
        content: The number as text.
        best: Whether it is marked as the best of its kind.
        exact: The number before it was rounded or worded, for sorting and for the CSV of the table.
    """
    return Cell(content, number=True, best=best, exact=exact)


def as_cell(content: object) -> Cell:
    """Return a cell as it is, and anything else as a cell of text."""
    return content if isinstance(content, Cell) else Cell(content)


@dataclass(frozen=True)
class Table:
    """A table whose first column names the rows.

    Attributes:
        caption: A description of the numbers; the terminal leaves it out unless ``captioned``.
        header: The names of the columns.
        rows: A name and cells; a cell that is not a :class:`Cell` is text.
        captioned: Whether the terminal, too, shows the caption above the table.
    """

    caption: str
    header: Sequence[str]
    rows: Sequence[Sequence[object]]
    captioned: bool = False

    def to_csv(self) -> str:
        r"""Return the table as CSV: exact numbers, and texts as the page shows them.

        An apostrophe stands before a text that a spreadsheet would run as a formula. Texts are quoted, so
        that no semicolon in them separates cells, as it does in spreadsheets of some countries.

        >>> Table("Shares", ["label", "share"], [["=no", number("80 %")], ["yes", number("20 %")]]).to_csv()
        '"label","share"\r\n"\'=no",0.8\r\n"yes",0.2\r\n'
        """
        written = io.StringIO()
        csv.writer(written, quoting=csv.QUOTE_NONNUMERIC).writerows(
            [_csv_field(as_cell(cell)) for cell in row] for row in [self.header, *self.rows]
        )
        return written.getvalue()


def _csv_field(cell: Cell) -> object:
    """Return the exact number where the cell shows nothing else; labels, units and intervals stay text."""
    text = plain(cell.content)
    if cell.number and cell.value is not None and (text == "∞" or _shown_number(text)):
        return cell.value
    return f"'{text}" if text.startswith(FORMULA_SIGNS) and cell.value is None else text


FORMULA_SIGNS: Final = ("=", "+", "-", "@", "＝", "＋", "－", "＠", "\t", "\r", "\n")
"""How cells begin that spreadsheets run; they read the wide signs of East Asian keyboards, too."""


@dataclass(frozen=True)
class Figure:
    """Drawings under one caption, side by side if there is room; they are drawn only for a page.

    Attributes:
        name: The prefix of its anchors on the page, unique in a report.
        panels: The title of each drawing, for readers who cannot see it, and the function that draws it.
        caption: A description of the drawings.
        lines: Lines of text that the terminal shows in their place.
    """

    name: str
    panels: Sequence[tuple[str, Callable[[], Drawing]]]
    caption: str
    lines: Sequence[str] = ()


@dataclass(frozen=True)
class Details:
    """Blocks that a page folds away, and that the terminal leaves out.

    Attributes:
        summary: The text that is shown while they are folded away.
        blocks: The blocks.
    """

    summary: str
    blocks: Sequence[Block]


Block: TypeAlias = str | Caution | Strong | Facts | Bullets | Listing | Link | Table | Figure | Details
"""A part of a section; a plain text is a paragraph."""


@dataclass(frozen=True)
class Section:
    """Blocks under a heading of their own.

    Attributes:
        heading: The heading.
        blocks: Its content in reading order.
        confidential: Whether only the owner of the data may see it; pages leave it out.
    """

    heading: str
    blocks: Sequence[Block]
    confidential: bool = False


@dataclass(frozen=True)
class Mark:
    """A verdict with a sign, so that nobody needs colours to see it.

    Attributes:
        shape: A sign before the word.
        word: The verdict in a word or two.
    """

    shape: str
    word: str

    def __str__(self) -> str:
        return f"{self.shape} {self.word}"


@dataclass(frozen=True)
class Report:
    """A result as a document.

    Attributes:
        title: The name of the result.
        lead: The one thing that every reader should know.
        sections: The rest, in reading order.
        verb: The verb of the command line that makes such a report.
        data: The result in JSON values.
        mark: The verdict in a word, if there is one.
        cautions: Warnings to read before trusting any number.
        note: A last sentence, such as how confidential the report is.
        provenance: Time, inputs and command of the result, if they are known.
    """

    title: str
    lead: str
    sections: Sequence[Section]
    verb: str
    data: Mapping[str, Any] = field(repr=False)
    mark: Mark | None = None
    cautions: Sequence[str] = ()
    note: str = ""
    provenance: Provenance | None = None


def paragraphs(sentences: Iterable[str | None]) -> list[Block]:
    """Return sentences as paragraphs.

    Args:
        sentences: Texts; None and empty ones are left out.
    """
    return [sentence for sentence in sentences if sentence]


class Reportable:
    """A result that has a report, which notebooks show and ``str`` prints."""

    def report(self) -> Report:
        """Describe the result as a document."""
        raise TypeError(f"{type(self).__name__} has no report")

    def __str__(self) -> str:
        from noisewright.report.terminal import render_text  # noqa: PLC0415  (only readers need it)

        return render_text(self.report())

    def _repr_html_(self) -> str:
        from noisewright.report.html import render_fragment  # noqa: PLC0415  (only notebooks need it)

        return render_fragment(self.report())
