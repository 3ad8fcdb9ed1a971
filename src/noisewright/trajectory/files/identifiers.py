"""Columns that look like identifiers: a file that has one is hardly one route.

A table of ``device_id,timestamp,lat,lon`` whose identifiers nobody reads would become a single way that
jumps from device to device. Such a column is assigned by its usual name (``columns.py``) or by the user, and
a file in which one is left over is refused.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


WHO: Final = _words(
    "user person people participant subject customer client member driver rider passenger patient employee "
    "student visitor subscriber owner device phone handset sensor tracker tag badge card account "
    "vehicle car taxi cab bus truck bike bicycle scooter vessel ship boat animal individual bird collar "
    "trip route track journey ride tour trajectory session flight"
)
"""Nouns for what moves, and for one of its ways."""

MARKS: Final = _words("id ids uid uuid guid key hash ref")
NUMBERS: Final = _words("no nr num number code")
"""What follows a noun where something is told apart; numbers alone also tell other things."""

CODES: Final = _words("mmsi imei imsi msisdn mac icao24 callsign plate maid idfa gaid pseudonym")
PLACES: Final = _words(
    "venue place stop station poi category location point country region area zone city cell grid street "
    "road node edge link segment map row record event osm"
)
"""What has identifiers, too, but does not move."""

NO_IDENTIFIERS: Final = _words("valid invalid humid solid paid void rapid fluid liquid covid hybrid centroid")

PART: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")


def plain(name: str) -> str:
    """A name without what programs write differently: capitals, blanks and signs.

    >>> plain("Device ID"), plain("deviceId"), plain("device-id")
    ('deviceid', 'deviceid', 'deviceid')
    """
    return "".join(letter for letter in name.casefold() if letter.isalnum())


def unassigned_identifier(names: Sequence[str]) -> str | None:
    """The first name that looks like the identifier of people, devices or trips.

    >>> unassigned_identifier(["venue_id", "badgeNumber", "lat"])
    'badgeNumber'
    >>> unassigned_identifier(["category_id", "vehicle type", "speed", "valid"])
    """
    return next((name for name in names if _identifies(name)), None)


def _identifies(name: str) -> bool:
    words = [word.casefold() for word in PART.findall(name)]
    if not words or any(word in PLACES or word.removesuffix("id") in PLACES for word in words):
        return False
    last = words[-1]
    if last in NUMBERS:
        return words[-2:-1] != [] and words[-2] in WHO
    return (
        last in WHO | MARKS | CODES
        or plain(name) in CODES
        or (last.endswith("id") and last not in NO_IDENTIFIERS)
    )


def mixed_up(name: str, what: str) -> str:
    """The refusal of a file that would become one route in spite of an identifier."""
    return (
        f"{what} {name!r} looks like the identifier of people, devices or trips, and without it all points "
        f'would be one route; assign it by columns={{"route": "{name}"}}, or say one_route=True'
    )
