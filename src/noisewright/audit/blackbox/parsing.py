"""What a program prints or a server answers, as a value.

A text is read by itself alone, and different codes stay different outputs: bounds rest on what is told apart.
Notations of one value (1, 1.0 and 1e0, yes and "yes", spaces around numbers and JSON) are one output, and
decimals are rounded to doubles.
"""

from __future__ import annotations

import json
import math
import re
from typing import Any, Final

CODE: Final = re.compile(r"[+-]?0[0-9]|[01]{8,}\Z")
"""Texts of digits that are no numbers: a zero stands before another digit, or bits follow each other.

A counter that arrives at 10000000 has one of its very many outputs kept as text. That is another name for the
same output, so bounds hold as before.
"""

WHOLE: Final = re.compile(r"[+-]?[0-9]+")


def parse_output(content: bytes) -> Any:
    """The value of a JSON text; otherwise a number, if it is one; otherwise the text itself, a category.

    >>> [parse_output(text) for text in (b"[1, null]", b" +.5 ", b"inf", b"yes", b"", b"007", b"1e999")]
    [[1, None], 0.5, inf, 'yes', '', '007', '1e999']
    """
    text = content.decode("utf-8", "surrogateescape")  # other bytes stay different texts
    text = text.removesuffix("\n").removesuffix("\r")
    bare = text.strip()
    if CODE.match(bare):
        return text
    try:
        return _JSON.decode(bare)
    except (ValueError, RecursionError):
        found = _number(bare)
        return text if found is None else found


def _number(text: str) -> float | str | None:
    """A number in a notation that JSON lacks, or None; digits of other scripts are none."""
    if WHOLE.fullmatch(text):
        return _whole(text)
    try:
        return None if "_" in text or not text.isascii() else _decimal(text)
    except ValueError:
        return None


def _whole(text: str) -> int | str:
    """Exactly the number, or its text if Python refuses to read so many digits."""
    try:
        return int(text)
    except ValueError:
        return text


def _decimal(text: str) -> float | str:
    """The nearest double; what is finite beyond all doubles stays text, lest all of it be one infinity."""
    number = float(text)
    return text if math.isinf(number) and "inf" not in text.lower() else number


def _members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object; one that has a name twice is refused, and stays text, lest one value hide another."""
    if len(dict(pairs)) < len(pairs):
        raise ValueError
    return dict(pairs)


_JSON: Final = json.JSONDecoder(parse_float=_decimal, parse_int=_whole, object_pairs_hook=_members)
