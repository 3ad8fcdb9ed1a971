"""One output taken apart: every number and every text in it, by the place where it stands."""

from __future__ import annotations

import json
import re
from typing import Any

Leaf = float | str

BITS = re.compile(r"[01]{2,}")
WIDEST = 256
"""Bits of one text that are told apart; the rest of a longer one is seen in its length only."""


def leaves(output: Any) -> dict[str, Leaf]:
    """Numbers and texts of an output (parsed JSON) by place; texts of zeros and ones come bit by bit.

    >>> leaves([1.5, None, "abc", ["01", True]])
    {'0': 1.5, '1': 'null', '2': 'abc', '3.0.0': 0.0, '3.0.1': 1.0, '3.1': 1.0}
    """
    found: dict[str, Leaf] = {}
    _walk(found, "", output)
    return found


def _walk(found: dict[str, Leaf], place: str, output: Any) -> None:
    if isinstance(output, float):  # by far the most frequent
        found[place] = output
        return
    match output:
        case None:
            found[place] = "null"
        case int():
            found[place] = as_number(output)
        case str():
            _text(found, place, output)
        case {"float": str(name)} if len(output) == 1:
            found[place] = name  # what is not finite is a category of its own
        case {"hex": str(digits)} if len(output) == 1:
            _text(found, place, f"{int(digits, 16):0{4 * len(digits)}b}" if digits else "")
        case {"dict": list(pairs)} if len(output) == 1:
            _inside(found, place, {_key(key): part for key, part in pairs})
        case {"set": list(members)} if len(output) == 1:
            _inside(found, place, dict.fromkeys(members, 1.0))
        case _:
            _inside(found, place, output)


def _inside(found: dict[str, Leaf], place: str, output: dict[str, Any] | list[Any]) -> None:
    parts = output.items() if isinstance(output, dict) else enumerate(output)
    start = f"{place}." if place else ""
    for position, part in parts:
        _walk(found, f"{start}{position}", part)


def _key(key: Any) -> str:
    return key if isinstance(key, str) else json.dumps(key)


def as_number(output: float) -> float:
    """A number of JSON as a double; whole numbers beyond all doubles stand at the end."""
    try:
        return float(output)
    except OverflowError:
        return 1e300 if output > 0 else -1e300


def _text(found: dict[str, Leaf], place: str, text: str) -> None:
    if not BITS.fullmatch(text):
        found[place] = text
        return
    _inside(found, place, [float(bit == "1") for bit in text[:WIDEST]])
