"""What a refusal may say of column names: without a header line, they are somebody's record."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from typing import Final

from noisewright.errors import BadTable

LIKENESS: Final = 0.6
"""How alike a name must be to the wanted one to be shown."""

OTHER_SEPARATORS: Final = {";": "semicolons", "\t": "tabs", "|": "vertical bars"}


def check_names(wanted: Sequence[str], present: Sequence[str], *, where: str) -> None:
    """Refuse a table that lacks a column or has two of one name; other names stay unsaid."""
    for name in wanted:
        if name not in present:
            raise BadTable(f"{where} has no column {name!r}; {absent(name, present)}")
        if present.count(name) > 1:
            raise BadTable(f"{where} has {present.count(name)} columns named {name!r}; rename all but one")


def absent(name: str, present: Sequence[str]) -> str:
    """Why a column may be missing; of the names there are, only close matches are shown.

    >>> absent("heart_rate", ["name", "heart_rate "])
    "did you mean 'heart_rate '?"
    >>> absent("heart_rate", ["Ada", "71", "6.5"])
    'it has 3 columns, none of that name; is the header line missing?'
    """
    if len(present) == 1 and (hint := separator_hint(present[0])):
        return hint
    close = difflib.get_close_matches(name, dict.fromkeys(present), n=3, cutoff=LIKENESS)
    if close:
        return f"did you mean {' or '.join(map(repr, close))}?"
    if not present:  # a pandas frame without a header has numbers for names
        return "none of its columns has a name; is the header line missing?"
    count = "1 column, not" if len(present) == 1 else f"{len(present)} columns, none"
    return f"it has {count} of that name; is the header line missing?"


def separator_hint(header: str) -> str | None:
    """What to say of a header that is one name and holds what others separate fields by.

    >>> separator_hint("name;pulse")
    'fields must be separated by commas; this file seems to use semicolons'
    """
    for sign, name in OTHER_SEPARATORS.items():
        if sign in header:
            return f"fields must be separated by commas; this file seems to use {name}"
    return None
