"""Names of routes: text that every format can hold, and no name twice."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import Final

from noisewright.errors import BadTable

LONGEST: Final = 1000
"""Letters of a name; longer ones are documents in the wrong column."""


def check_names(names: Sequence[str]) -> None:
    """Refuse names that would not come back from a file as they are; names themselves stay unsaid."""
    for number, name in enumerate(names, 1):
        if not is_name(name):
            raise BadTable(f"the name of route {number} must be text of 1 to {LONGEST} letters")
    if len(set(names)) < len(names):
        raise BadTable("two routes have the same name, and a file would join them; give each its own name")


def is_name(value: Hashable) -> bool:
    r"""Whether a value is text that can be written down as UTF-8.

    >>> is_name("Śródmieście → home"), is_name(""), is_name("\ud800")
    (True, False, False)
    """
    if not isinstance(value, str) or not 0 < len(value) <= LONGEST:
        return False
    return not any("\ud800" <= letter <= "\udfff" for letter in value)  # halves of a letter, not text


def distinct(names: Iterable[str]) -> list[str]:
    """The same names with numbers behind repeated ones, as a track has one name for all its segments.

    >>> distinct(["ride", "walk", "ride", "ride (2)"])
    ['ride', 'walk', 'ride (3)', 'ride (2)']
    """
    wanted = list(names)
    given, seen, count = set(wanted), set[str](), dict[str, int]()
    return [_fresh(name, given, count) if name in seen else _first(name, seen) for name in wanted]


def _first(name: str, seen: set[str]) -> str:
    seen.add(name)
    return name


def _fresh(name: str, given: set[str], count: dict[str, int]) -> str:
    """A name with the next number that no route was given; numbers of one name only rise."""
    count[name] = count.get(name, 1) + 1
    while (numbered := f"{name} ({count[name]})") in given:
        count[name] += 1
    given.add(numbered)
    return numbered
