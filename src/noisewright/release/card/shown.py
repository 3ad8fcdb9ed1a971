"""Numbers and names as a card shows them: bounds rounded up, and names of others made harmless."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from typing import Final

from noisewright.text import plain

SHOWN: Final = 8
"""Names that a card lists before it counts the rest."""


def listed(names: Sequence[object]) -> str:
    """Some names, and how many more there are.

    >>> listed("abcdefghijk")
    'a, b, c, d, e, f, g, h and 3 more'
    """
    more = f" and {len(names) - SHOWN:,} more" if len(names) > SHOWN else ""
    return ", ".join(map(plain, names[:SHOWN])) + more


def percent_up(share: float) -> str:
    """A share in per cent with two digits after the point, rounded up.

    >>> percent_up(0.5881578), percent_up(1.0), percent_up(1e-12)
    ('58.82 %', '100 %', '0.01 %')
    """
    shown = (100 * Decimal(repr(min(float(share), 1.0)))).quantize(Decimal("0.01"), rounding=ROUND_CEILING)
    return f"{shown.normalize():f} %"


def percent_down(share: float) -> str:
    """A share in per cent with four digits after the point, rounded down: what is nearly sure is not sure.

    >>> percent_down(0.999), percent_down(1 - 1e-12)
    ('99.9 %', '99.9999 %')
    """
    shown = (100 * Decimal(repr(float(share)))).quantize(Decimal("0.0001"), rounding=ROUND_FLOOR)
    return f"{shown.normalize():f} %"


def number_up(value: float) -> str:
    """A bound with four digits, rounded up.

    >>> number_up(0.25), number_up(0.356242), number_up(1e-6)
    ('0.25', '0.3563', '0.000001')
    """
    return f"{Context(prec=4, rounding=ROUND_CEILING).create_decimal(repr(float(value))).normalize():f}"


def nats_up(value: float) -> str:
    """An amount of information, rounded up.

    >>> nats_up(1.0), nats_up(0.25)
    ('1 nat', '0.25 nats')
    """
    return f"{number_up(value)} {'nat' if value == 1 else 'nats'}"


def counted(count: int, one: str) -> str:
    """So many things.

    >>> counted(1, "feature"), counted(1500, "record")
    ('1 feature', '1,500 records')
    """
    return f"{count:,} {one}{'' if count == 1 else 's'}"
