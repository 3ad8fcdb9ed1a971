"""One output taken apart: every number and every text in it, by the place where it stands."""

from __future__ import annotations

import re
from collections.abc import Iterator
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
    return dict(_walk("", output))


def _walk(place: str, output: Any) -> Iterator[tuple[str, Leaf]]:
    match output:
        case None:
            yield place, "null"
        case bool() | int() | float():
            yield place, as_number(output)
        case str():
            yield from _text(place, output)
        case {"float": str(name)} if len(output) == 1:
            yield place, name  # what is not finite is a category of its own
        case {"hex": str(digits)} if len(output) == 1:
            yield from _text(place, f"{int(digits, 16):0{4 * len(digits)}b}" if digits else "")
        case dict():
            for key, part in output.items():
                yield from _walk(_inner(place, key), part)
        case _:
            for position, part in enumerate(output):
                yield from _walk(_inner(place, position), part)


def as_number(output: float) -> float:
    """A number of JSON as a double; whole numbers beyond all doubles stand at the end."""
    try:
        return float(output)
    except OverflowError:
        return 1e300 if output > 0 else -1e300


def _text(place: str, text: str) -> Iterator[tuple[str, Leaf]]:
    if not BITS.fullmatch(text):
        yield place, text
        return
    for position, bit in enumerate(text[:WIDEST]):
        yield _inner(place, position), float(bit == "1")


def _inner(place: str, position: object) -> str:
    return f"{place}.{position}" if place else str(position)
