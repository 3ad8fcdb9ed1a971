"""Columns that look like identifiers: a file that has one is hardly one route.

If the identifiers of a table ``device_id,timestamp,lat,lon`` were ignored, it would become a single way that
jumps from device to device. Such a column is assigned by its usual name (``columns.py``) or by the user, and
a file in which one is left over is refused. So is a file with a column of texts that repeat: whatever its
name is, it may tell people, devices or trips apart.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from noisewright.errors import BadTable
from noisewright.text import comparison_key


def vocabulary(text: str) -> frozenset[str]:
    """Return a set of words from a text of them."""
    return frozenset(text.split())


WHO: Final = vocabulary(
    "user person people participant subject customer client member driver rider passenger patient employee "
    "student visitor subscriber owner agent courier household device phone handset sensor tracker badge card "
    "account vehicle veh car taxi cab bus truck bike bicycle scooter vessel ship boat animal individual bird "
    "collar "
    "trip route track journey ride tour trajectory session flight"
)
"""Nouns for what moves, and for one of its ways."""

IDS: Final = vocabulary("id ids uid uuid guid")
MARKS: Final = IDS | vocabulary("key hash ref tag")
NUMBERS: Final = vocabulary("no nr num number code")
"""Words before or after a noun that make it an identifier; numbers alone may also mean other things."""

NUMBERED: Final = WHO | vocabulary("serial tail unit fleet tag plate registration license licence")
NAMED: Final = WHO | vocabulary("first last full middle given family sur nick screen display")
ADDRESSED: Final = vocabulary("mac ip email mail e bluetooth")
"""Nouns that have a number, a name or an address of their own."""

CODES: Final = vocabulary(
    "mmsi imei imsi msisdn mac icao24 callsign plate maid idfa gaid pseudonym who email mail login ssn ip "
    "alias passport"
)
PLACES: Final = vocabulary(
    "venue place stop station poi category location point country region area zone city cell grid street "
    "road way node edge link segment map row record event osm"
)
"""Nouns that have identifiers, too, but do not move."""

NO_IDENTIFIERS: Final = vocabulary(
    "valid invalid humid solid paid void rapid fluid liquid covid hybrid centroid"
)

PART: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")


def unassigned_identifier(names: Sequence[str]) -> str | None:
    """Return the first name that looks like the identifier of people, devices or trips.

    >>> unassigned_identifier(["venue_id", "badgeNumber", "lat"])
    'badgeNumber'
    >>> unassigned_identifier(["place_name", "id_station", "map_user_id"])
    'map_user_id'
    >>> unassigned_identifier(["category_id", "vehicle type", "speed", "valid"])
    """
    return next((name for name in names if _identifies(name)), None)


def words_of(name: str) -> list[str]:
    """Return the words of a name, however they are written together.

    >>> words_of("mapUser_ID")
    ['map', 'user', 'id']
    """
    return [word.casefold() for word in PART.findall(name)]


def _identifies(name: str) -> bool:
    words = words_of(name)
    if not words or words[-2:] == ["user", "agent"]:
        return False
    return comparison_key(name) in CODES or _by_last(words) or _by_first(words)


def _by_last(words: list[str]) -> bool:
    """Return whether the last word tells people or things that move apart; a place before it may veto."""
    last, before = words[-1], words[-2] if len(words) > 1 else ""
    if last in NUMBERS:
        return before in NUMBERED
    if last.endswith("name"):  # a name by itself is somebody's
        return (last.removesuffix("name") or before or "user") in NAMED
    if last.endswith("address"):
        return (last.removesuffix("address") or before) in ADDRESSED
    if last in WHO | CODES:
        return True
    if last in MARKS:
        return before not in PLACES
    stem = last.removesuffix("id")
    return stem != last and last not in NO_IDENTIFIERS | PLACES and stem not in PLACES


def _by_first(words: list[str]) -> bool:
    """Return whether a mark leads, as in ``id_veh``; a place behind it vetoes."""
    first, behind = words[0], words[1] if len(words) > 1 else ""
    if first in IDS:
        return behind not in PLACES
    return (first in MARKS | NUMBERS and behind in WHO) or first.removeprefix("id") in WHO - {first}


def identifier_refusal(
    name: str, what: str, why: str = "looks like the identifier of people, devices or trips"
) -> str:
    """Return the refusal of a file that would become one route in spite of an identifier."""
    return (
        f"{what} {name!r} {why}, and without it all points "
        f'would be one route; assign it by columns={{"route": "{name}"}}, or say one_route=True'
    )


# -- texts that repeat -----------------------------------------------------------------------------

MANY: Final = 3
"""A value in at least this many rows repeats."""

MOST_VALUES: Final = 100_000
"""Different values of a column that are counted; a column of more is hardly one of identifiers."""

STATES: Final = PLACES | vocabulary(
    "mode activity transport purpose weekday day date month time type kind class status state provider "
    "source weather direction fix quality"
)
"""Nouns for things that change along one way."""

MEASURED: Final = re.compile(
    r"""[-+]?(\d+[.,]?\d*|[.,]\d+)(e[-+]?\d+)?|nan|[-+]?inf|none|null|n/?a|true|false|yes|no
    |\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}([T ].*)?|\d{1,2}:\d\d(:\d\d.*)?""",
    re.IGNORECASE | re.VERBOSE,
)
"""Numbers, answers of yes and no, dates and times of day."""

REPEATS: Final = "has several texts that each appear in many rows, like names of people or devices"


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
        """Add how often values appear in a column; columns named after places and states are skipped."""
        if name in self._dropped:
            return
        changes = any(
            word in STATES for word in words_of(name)[-2:]
        )  # a place or a state, perhaps with a mark
        if name not in self._counts and changes:
            self._dropped.add(name)
            return
        found = self._counts.setdefault(name, Counter())
        found.update(counts)
        if len(found) > MOST_VALUES:
            self._dropped.add(name)
            del self._counts[name]

    def first(self, rows: int) -> str | None:
        """Return the first column in which texts that repeat fill most of ``rows`` rows."""
        for name, counts in self._counts.items():
            often = [count for text, count in counts.items() if count >= MANY and _is_label(text.strip())]
            if len(often) > 1 and 2 * sum(often) > rows:
                return name
        return None

    def refuse(self, rows: int, what: str) -> None:
        """Refuse a file of one route that has such a column."""
        if (name := self.first(rows)) is not None:
            raise BadTable(identifier_refusal(name, what, REPEATS))


def count_texts(values: Iterable[object]) -> Counter[str]:
    """Return how often each text is among values; anything else is left out."""
    return Counter(value for value in values if isinstance(value, str))


def _is_label(text: str) -> bool:
    return bool(text) and MEASURED.fullmatch(text) is None
