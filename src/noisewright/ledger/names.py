"""Names of people and columns: the same name must always be the same account.

Two texts that look the same on a screen would be two accounts, with two budgets, of one person. So invisible
differences are refused, including a second dot on an "i" and an accent typed twice. Visible differences stay,
on purpose: "anna" and "Anna", the ligature "ﬁ" and "fi", a Cyrillic "а" and a Latin "a" are different names,
and whoever calls the ledger must know who is who.
"""

from __future__ import annotations

import unicodedata
from typing import Final

from noisewright.errors import InvalidParameter
from noisewright.text import INVISIBLE

BLANKS: Final = {"Zs", "Zl", "Zp"}
"""Categories of blank characters; of these a name has single spaces only."""

DOTTED: Final = frozenset("ij\u0249\u0268\u029d\u03f3\u0456\u0458\u1d96\U0001df1a\u0131\u0237")
"""Letters that look plain under a dot above: Soft_Dotted in PropList of Unicode, and dotless i and j."""


def check_name(what: str, name: object) -> str:
    r"""Return a name as it is filed, or refuse it; an accent may be typed in two ways, but is filed in one.

    >>> check_name("person", "Zoe\u0308") == check_name("person", "Zo\u00eb")
    True
    >>> check_name("person", "Zoe\u200b")
    Traceback (most recent call last):
    ...
    noisewright.errors.InvalidParameter: person holds an invisible character; remove it
    """
    if not isinstance(name, str):
        raise InvalidParameter(f"{what} must be a text, not {type(name).__name__}; str(...) makes one")
    if not name or name != name.strip():
        raise InvalidParameter(f"{what} must be a text that is not empty and has no blanks at its ends")
    kinds = {unicodedata.category(letter) for letter in name if letter != " "}
    if "Cs" in kinds:
        raise InvalidParameter(f"{what} holds half a character; read it with the right encoding")
    if kinds & {"Cc", "Cf"} or INVISIBLE.search(name):
        raise InvalidParameter(f"{what} holds an invisible character; remove it")
    if kinds & BLANKS or "  " in name:
        raise InvalidParameter(f"{what} holds a blank that is not a single space; write single spaces")
    if "Co" in kinds:
        raise InvalidParameter(f"{what} holds a private-use character, which means nothing; remove it")
    if "Cn" in kinds:  # another Python may know it, and file it differently
        raise InvalidParameter(
            f"{what} holds a character that Unicode {unicodedata.unidata_version} does not know; replace it"
        )
    if not name.isascii():
        _check_accents(what, name)
    return unicodedata.normalize("NFC", name)


def _check_accents(what: str, name: str) -> None:
    """Refuse accents that are invisible because the letter already has them."""
    carrier = before = ""  # what a dot above would stand on: marks below and through a letter do not count
    for letter in unicodedata.normalize("NFD", name):  # which puts equal marks of a letter side by side
        if letter == "\u0307" and unicodedata.normalize("NFKD", carrier) in DOTTED:
            raise InvalidParameter(
                f"{what} holds an i or j whose dot is a character of its own (U+0307); write the plain letter"
            )
        if letter == before and unicodedata.category(letter).startswith("M"):
            raise InvalidParameter(f"{what} holds the same accent twice on one letter; write it once")
        if unicodedata.combining(letter) in (0, 230):
            carrier = letter
        before = letter
