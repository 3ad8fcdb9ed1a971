"""Names of people and columns: the same name must always be the same account.

Two texts that nobody can tell apart on a screen would be two accounts, with two budgets, of one person. So
what is not seen is refused. What *is* seen stays apart, on purpose: "anna" and "Anna", the ligature "ﬁ" and
"fi", a Cyrillic "а" and a Latin "a" are different names, and whoever calls the ledger must know who is who.
"""

from __future__ import annotations

import unicodedata
from typing import Final

from noisewright.errors import InvalidParameter
from noisewright.text import INVISIBLE

BLANKS: Final = {"Zs", "Zl", "Zp"}
"""Kinds of characters that stand for a gap: a name has single spaces only."""


def check_name(what: str, name: object) -> str:
    r"""A name as it is filed, or a refusal; an accent may be typed in two ways and is filed in one.

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
        raise InvalidParameter(f"{what} holds a blank that is no single space; write single spaces")
    if "Co" in kinds:
        raise InvalidParameter(f"{what} holds a private-use character, which means nothing; remove it")
    if "Cn" in kinds:  # another Python may know it, and file it differently
        raise InvalidParameter(
            f"{what} holds a character that Unicode {unicodedata.unidata_version} does not know; replace it"
        )
    return unicodedata.normalize("NFC", name)
