"""Names of people and columns: the same name must always be the same account."""

from __future__ import annotations

import unicodedata

from noisewright.errors import InvalidParameter


def check_name(what: str, name: object) -> str:
    r"""A name as it is filed, or a refusal; an accent may be typed in two ways and is filed in one.

    >>> check_name("person", "Zoe\u0308") == check_name("person", "Zo\u00eb")
    True
    """
    if not isinstance(name, str):
        raise InvalidParameter(f"{what} must be a text, not {type(name).__name__}; str(...) makes one")
    # A stray blank would open a second account, with a second budget, for the same person.
    if not name or name != name.strip():
        raise InvalidParameter(f"{what} must be a text that is not empty and has no blanks at its ends")
    kinds = {unicodedata.category(letter) for letter in name}
    if "Cs" in kinds:
        raise InvalidParameter(f"{what} holds half a character; read it with the right encoding")
    if kinds & {"Cc", "Cf"}:  # nobody sees them, and each would be another account
        raise InvalidParameter(f"{what} holds an invisible character; remove it")
    return unicodedata.normalize("NFC", name)
