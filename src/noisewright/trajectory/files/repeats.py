"""Columns of texts that repeat: whatever their names are, they may tell people, devices or trips apart."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final

from noisewright.errors import BadTable
from noisewright.trajectory.files.identifiers import PLACES, mixed_up, vocabulary, words_of

MANY: Final = 3
"""Rows of one value from which on it repeats."""

MOST_VALUES: Final = 100_000
"""Different values of a column that are counted; a column of more is hardly one of identifiers."""

STATES: Final = PLACES | vocabulary(
    "mode activity transport purpose weekday day date month time type kind class status state provider "
    "source weather direction fix quality"
)
"""Nouns for what changes along one way."""

MEASURED: Final = re.compile(
    r"""[-+]?(\d+[.,]?\d*|[.,]\d+)(e[-+]?\d+)?|nan|[-+]?inf|none|null|n/?a|true|false|yes|no
    |\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}([T ].*)?|\d{1,2}:\d\d(:\d\d.*)?""",
    re.IGNORECASE | re.VERBOSE,
)
"""Numbers, answers of yes and no, dates and times of day."""

REPEATS: Final = "has several texts that each stand in many rows, as if they told people or devices apart"


class Repeats:
    """Counts the texts of columns that nobody assigned.

    >>> seen = Repeats()
    >>> seen.add("colour", {"red": 10, "green": 12})
    >>> seen.add("speed", {"12.5": 10, "13": 12})
    >>> seen.add("weather", {"rain": 10, "sun": 12})
    >>> seen.first(rows=22)
    'colour'
    """

    def __init__(self) -> None:
        self._counts: dict[str, Counter[str]] = {}
        self._dropped: set[str] = set()

    def add(self, name: str, counts: Mapping[str, int]) -> None:
        """Add how often values stand in a column; names of places and of states are passed over."""
        if name in self._dropped:
            return
        if name not in self._counts and _changes(name):
            self._dropped.add(name)
            return
        found = self._counts.setdefault(name, Counter())
        found.update(counts)
        if len(found) > MOST_VALUES:
            self._dropped.add(name)
            del self._counts[name]

    def first(self, rows: int) -> str | None:
        """The first column in which texts that repeat fill most of so many rows."""
        return next((name for name, counts in self._counts.items() if _repeat(counts, rows)), None)

    def refuse(self, rows: int, what: str) -> None:
        """Refuse a file of one route that has such a column."""
        if (name := self.first(rows)) is not None:
            raise BadTable(mixed_up(name, what, REPEATS))


def texts_of(values: Iterable[object]) -> Counter[str]:
    """How often each text is among values; all else is left out."""
    return Counter(value for value in values if isinstance(value, str))


def _changes(name: str) -> bool:
    """Whether a name ends with a place or a state, or with such a word and a mark."""
    return any(word in STATES for word in words_of(name)[-2:])


def _repeat(counts: Counter[str], rows: int) -> bool:
    often = {text: count for text, count in counts.items() if count >= MANY and _tells(text.strip())}
    return len(often) > 1 and 2 * sum(often.values()) > rows


def _tells(text: str) -> bool:
    return bool(text) and MEASURED.fullmatch(text) is None
