"""Options of the form ``name=value``.

A name ends at the *last* ``=`` of its option, or at the last ``=@`` where a file may be meant, so the names
of columns may hold one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from noisewright.cli.at_files import MARK
from noisewright.errors import InvalidParameter

T = TypeVar("T")


def assignment(text: str, wanted: str) -> tuple[str, str]:
    """A name and its value; a refusal says what the option wants.

    >>> assignment("a=b=24", "--circle wants name=period")
    ('a=b', '24')
    """
    name, _, value = text.rpartition("=")
    if not (name and value):
        raise InvalidParameter(f"{wanted}; got {text!r}")
    return name, value


def in_file_or(text: str, wanted: str) -> tuple[str, str]:
    """A name and its value, which may be a file, whose own name may hold a ``=``.

    >>> in_file_or("code=@lists/icd=10.txt", "--categories wants name=@file")
    ('code', '@lists/icd=10.txt')
    """
    name, _, file = text.rpartition(f"={MARK}")
    return (name, MARK + file) if name and file else assignment(text, wanted)


def once(pairs: Sequence[tuple[str, T]], option: str) -> dict[str, T]:
    """Names with their values; a name that is given twice is refused."""
    found: dict[str, T] = {}
    for name, value in pairs:
        if name in found:
            raise InvalidParameter(f"column {name!r} is named twice by {option}")
        found[name] = value
    return found


def named(
    pairs: Sequence[tuple[str, str]], columns: Sequence[str], option: str, needed: str
) -> dict[str, str]:
    """Values for some of the columns; a name that is no such column is refused."""
    given = once(pairs, option)
    for name in given:
        if name not in columns:
            raise InvalidParameter(f"{option} names column {name!r}, which has no {needed}")
    return given


def about(name: str, build: Callable[..., T], *parts: object) -> T:
    """Build something for a column; a refusal names the column."""
    try:
        return build(*parts)
    except InvalidParameter as refusal:
        raise InvalidParameter(f"column {name!r}: {refusal}") from None
