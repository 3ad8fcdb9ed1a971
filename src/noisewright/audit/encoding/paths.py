"""One output parsed into its parts: every number and every text in it, by its place."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Self

from noisewright.audit.basics.outputs import LARGEST_WHOLE


@dataclass(frozen=True, slots=True)
class Digits:
    """A text of zeros and ones, or a whole number that no double holds: each binary digit is a place.

    They stay together because an output may have many thousands of them, of which few are looked at.
    ``number`` is the nearest double of a whole number, whose digits count from the lowest, so that numbers of
    any length are lined up; a text has none, and its digits count from its beginning.

    >>> Digits("0110").at(1), Digits("0110").at(4)
    (1.0, None)
    >>> Digits.of_whole(2**60 + 1).at(0), Digits.of_whole(2**60 + 1).size
    (1.0, 1)
    """

    text: str
    number: float | None = None

    @classmethod
    def of_whole(cls, number: int) -> Self:
        """Return a whole number as a double; those beyond all doubles become the largest one."""
        try:
            double = float(number)
        except OverflowError:
            double = 1e300 if number > 0 else -1e300
        return cls(f"{abs(number):b}"[::-1], double)

    @property
    def size(self) -> int:
        """What it adds to the length of an output; a number adds one, however many digits it has."""
        return len(self.text) if self.number is None else 1

    def at(self, digit: int) -> float | None:
        """Return one of the digits; None if there are fewer."""
        if digit >= len(self.text):
            return None
        return 1.0 if self.text[digit] == "1" else 0.0


# -- places of one output ------------------------------------------------------------------------------


Leaf = float | str | Digits

Parts = Sequence[dict[str, Leaf]]
"""Outputs parsed into parts, one after another."""

BITS = re.compile(r"[01]{2,}")

NUMBERS = re.compile(r"(?<![\w.])[-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?(?!\w)")
"""Matches numbers in a text that are separate words, not the digits of a code such as 4f7a."""

MOST_NUMBERS = 64
"""The most numbers of one text that have places."""

WITHIN = "#"
"""Separates the place of a text from the count of a number in it."""


def leaves(output: Any) -> dict[str, Leaf]:
    """Return numbers and texts of an output (parsed JSON) by place; zeros and ones in a row stay together.

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
    """Return how many things stand in an output, every digit of a text of zeros and ones being one.

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
            found[place] = name  # infinities and NaN are categories of their own
        case {"hex": str(digits)} if len(output) == 1:
            found[place] = Digits(f"{int(digits, 16):0{4 * len(digits)}b}") if digits else ""
        case {"dict": list(pairs)} if len(output) == 1:
            named = {key if isinstance(key, str) else json.dumps(key): part for key, part in pairs}
            _inside(found, place, named)
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


def _words(found: dict[str, Leaf], place: str, text: str) -> None:
    found[place] = Digits(text) if BITS.fullmatch(text) else text
    if found[place] is text:
        for count, match in enumerate(islice(NUMBERS.finditer(text), MOST_NUMBERS)):
            number = float(match[0])
            if math.isfinite(number):
                found[f"{place}{WITHIN}{count}"] = number


# -- one place over many outputs -----------------------------------------------------------------------


Found = list[float | str | None]
"""The content of one place in each output: a number, a text, or nothing."""


@dataclass(frozen=True)
class Place:
    """One place of parsed outputs; with ``digit``, one binary digit of its content.

    >>> Place("0").found([{"0": 2.5}, {"0": "null"}, {"1": 2.5}, {"0": Digits("01")}])
    [2.5, 'null', None, None]
    >>> Place("0", 1).title, Place("0", 1).found([{"0": 2.5}, {"0": Digits("01")}])
    ('bit 1 of place 0', [None, 1.0])
    >>> Place("0#2").title
    'number 2 in place 0'
    """

    name: str
    digit: int | None = None

    @property
    def title(self) -> str:
        """The place in words."""
        name, _, count = self.name.partition(WITHIN)
        whole = f"place {name}" if name else "the output"
        if count:
            whole = f"number {count} in {whole}"
        return whole if self.digit is None else f"bit {self.digit} of {whole}"

    def found(self, parts: Parts) -> Found:
        """Return the content of the place in each output."""
        return self.read([part.get(self.name) for part in parts])

    def read(self, leaves: Sequence[Leaf | None]) -> Found:
        """Return the content of the place, from the content under its name."""
        if self.digit is None:
            return [leaf.number if isinstance(leaf, Digits) else leaf for leaf in leaves]
        return [leaf.at(self.digit) if isinstance(leaf, Digits) else None for leaf in leaves]


LETTERS = 2_000_000
"""Characters of outputs that are parsed at a time: parsed, they need tens of times their memory."""


def parse_words(words: Sequence[str]) -> list[Any]:
    """Return every text parsed, as one list: several times faster than one by one."""
    return list(json.loads(f"[{','.join(words)}]"))


def split_outputs(words: Sequence[str]) -> Iterator[Parts]:
    """Yield what stands in each output, some outputs at a time, so that little of it is in memory at once.

    >>> list(split_outputs(["[1.5]", "null"]))
    [[{'0': 1.5}, {'': 'null'}]]
    """
    start = letters = 0
    for end, word in enumerate(words, start=1):
        letters += len(word)
        if letters >= LETTERS or end == len(words):
            yield [leaves(output) for output in parse_words(words[start:end])]
            start, letters = end, 0
