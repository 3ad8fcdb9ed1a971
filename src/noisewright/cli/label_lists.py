"""Lists of labels as they are given on the command line: typed out, or in a file with one label a line.

A list is public and says what may be counted; it never comes from the private data. Nothing in it is guessed
or tidied up: a doubtful line is refused by its number.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from typing import Annotated, Final

import typer

from noisewright.cli.options import file_of
from noisewright.domains import Categories
from noisewright.errors import InvalidParameter

LARGEST: Final = 1 << 22
"""Bytes of the largest file of labels: as much as a table of reports may say of itself."""

CategoriesOption = Annotated[
    str | None,
    typer.Option("--categories", metavar="A,B,... | @FILE", help="True values are labels of a public list."),
]


def read_labels(text: str) -> Categories:
    """The labels of an option: separated by commas, or after an @ the name of a file.

    >>> read_labels("asthma,diabetes,none")
    Categories(['asthma', 'diabetes', 'none'])
    """
    file = file_of(text)
    return Categories(_typed(text) if file is None else _in_file(file))


def one_list(text: str) -> Categories:
    """The labels of an option that names no column, as ``perturb`` would want it."""
    if "=@" in text:
        raise InvalidParameter(f"--categories names no column here; write @{text.split('=@', 1)[1]}")
    return read_labels(text)


def _typed(text: str) -> list[str]:
    return _checked((f"label {place}", label) for place, label in enumerate(text.split(","), 1))


def _in_file(file: str) -> list[str]:
    from noisewright.io.file_errors import small_text  # noqa: PLC0415  (Arrow is slow to load)

    if not file:
        raise InvalidParameter("an @ wants the name of a file after it, for example @codes.txt")
    text = small_text(file, LARGEST, "list of labels")
    lines = text.replace("\r\n", "\n").removesuffix("\n").split("\n")
    return _checked((f"line {place} of {file}", label) for place, label in enumerate(lines, 1))


def _checked(labels: Iterable[tuple[str, str]]) -> list[str]:
    """The labels, or a refusal that says where a doubtful one stands."""
    found: dict[str, str] = {}
    for where, label in labels:
        if not label.strip():
            raise InvalidParameter(f"{where} is blank; a label needs at least one letter")
        if label != label.strip():
            raise InvalidParameter(f"{where} has blanks around its label; remove them, for labels are exact")
        if any(unicodedata.category(letter) == "Cc" for letter in label):
            raise InvalidParameter(
                f"{where} holds a control character; write one label a line, as plain text"
            )
        if label in found:
            raise InvalidParameter(f"{where} repeats the label of {found[label]}; name each label once")
        found[label] = where
    return list(found)
