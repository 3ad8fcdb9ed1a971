"""One output taken apart: every number and every text in it, by the place where it stands."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Sequence
from itertools import islice
from typing import Any

from noisewright.audit.encoding.digits import Digits
from noisewright.audit.outputs import LARGEST_WHOLE

Leaf = float | str | Digits
Parts = Sequence[dict[str, Leaf]]
"""Outputs taken apart, one after another."""

BITS = re.compile(r"[01]{2,}")
NUMBERS = re.compile(r"(?<![\w.])[-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?(?!\w)")
"""Numbers in a text that are words of their own: not the digits of a code such as 4f7a."""

MOST_NUMBERS = 64
"""Numbers of one text that have places."""

WITHIN = "#"
"""Stands between the place of a text and the count of a number in it."""


def leaves(output: Any) -> dict[str, Leaf]:
    """Numbers and texts of an output (parsed JSON) by place; zeros and ones in a row stay together.

    Numbers inside of a text have places, too.

    >>> leaves([1.5, None, "abc", ["01", True]])
    {'0': 1.5, '1': 'null', '2': 'abc', '3.0': Digits(text='01', number=None), '3.1': 1.0}
    >>> leaves("mean: 52.1, of 200")
    {'': 'mean: 52.1, of 200', '#0': 52.1, '#1': 200.0}
    """
    found: dict[str, Leaf] = {}
    _walk(found, "", output)
    return found


def length(part: dict[str, Leaf]) -> int:
    """How many things stand in an output, every digit of a text of zeros and ones being one.

    >>> length(leaves([1.5, None, "abc", ["01", True]]))
    6
    """
    return len(part) + sum(leaf.size - 1 for leaf in part.values() if isinstance(leaf, Digits))


def _walk(found: dict[str, Leaf], place: str, output: Any) -> None:
    match output:
        case float():
            found[place] = output
        case None:
            found[place] = "null"
        case int():
            found[place] = float(output) if abs(output) <= LARGEST_WHOLE else Digits.of_whole(output)
        case str():
            _words(found, place, output)
        case {"float": str(name)} if len(output) == 1:
            found[place] = name  # what is not finite is a category of its own
        case {"hex": str(digits)} if len(output) == 1:
            found[place] = _text(f"{int(digits, 16):0{4 * len(digits)}b}" if digits else "")
        case {"dict": list(pairs)} if len(output) == 1:
            _inside(found, place, {_key(key): part for key, part in pairs})
        case {"set": list(members)} if len(output) == 1:
            _inside(found, place, dict.fromkeys(members, "present"))
        case _:
            _inside(found, place, output)


def _inside(found: dict[str, Leaf], place: str, output: dict[str, Any] | list[Any]) -> None:
    parts = output.items() if isinstance(output, dict) else enumerate(output)
    start = f"{place}." if place else ""
    for position, part in parts:
        inner = f"{start}{position}"
        if isinstance(part, float):  # by far the most frequent
            found[inner] = part
        else:
            _walk(found, inner, part)


def _key(key: Any) -> str:
    return key if isinstance(key, str) else json.dumps(key)


def _words(found: dict[str, Leaf], place: str, text: str) -> None:
    found[place] = _text(text)
    if not isinstance(found[place], Digits):
        for count, match in enumerate(islice(NUMBERS.finditer(text), MOST_NUMBERS)):
            number = float(match[0])
            if math.isfinite(number):
                found[f"{place}{WITHIN}{count}"] = number


def _text(text: str) -> str | Digits:
    return Digits(text) if BITS.fullmatch(text) else text
