"""Numbers of an audit as a reader may take them: lower bounds rounded down, upper bounds rounded up."""

from __future__ import annotations

import math
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Decimal
from typing import Final

DIGITS: Final = 3
TOO_LONG: Final = 1e12
"""From here on a number is written with an exponent."""

SMALL_PERCENT: Final = Decimal("1e-4")
"""Below it per cents are written with an exponent."""

NOTHING: Final = 1e-12
"""An estimate no larger is what rounding left of a zero."""


def at_least(value: float, digits: int = DIGITS) -> str:
    """A lower bound with a few significant digits, never more than it is.

    >>> at_least(0.98765), at_least(2.0), at_least(0.0), at_least(math.inf)
    ('0.987', '2', '0', '∞')
    """
    return _shown(value, digits, ROUND_FLOOR)


def at_most(value: float, digits: int = DIGITS) -> str:
    """An upper bound with a few significant digits, never less than it is.

    >>> at_most(0.98765), at_most(1e-7)
    ('0.988', '1e-07')
    """
    return _shown(value, digits, ROUND_CEILING)


def about(value: float, digits: int = DIGITS) -> str:
    """An estimate with a few significant digits.

    >>> about(0.98765), about(12345.6), about(771.0, 2), about(3e-18)
    ('0.988', '12,300', '770', '0')
    """
    return _shown(value if abs(value) > NOTHING else 0.0, digits, ROUND_HALF_EVEN)


def percent(share: float, rounding: str = ROUND_HALF_EVEN) -> str:
    """A share in per cent with three digits, or with more where they tell it from 0 % and 100 %.

    >>> percent(0.36788), percent(0.99994), percent(1.0), percent(0.969699, ROUND_FLOOR)
    ('36.8 %', '99.994 %', '100 %', '96.9 %')
    """
    exact = 100 * Decimal(repr(float(share)))
    if exact in (0, 100):
        return f"{exact:.0f} %"
    place = min(exact.adjusted() - 2, (100 - exact).adjusted() - 1)  # two digits of what is left to 100 %
    rounded = exact.quantize(Decimal(1).scaleb(place), rounding=rounding).normalize()
    return f"{rounded:f} %" if rounded >= SMALL_PERCENT else f"{float(rounded):.3g} %"


def confidence_words(confidence: float) -> str:
    """How sure bounds are, in per cent, never more than they are.

    >>> confidence_words(0.95), confidence_words(0.969699)
    ('95 %', '96.9 %')
    """
    return percent(confidence, ROUND_FLOOR)


def _shown(value: float, digits: int, rounding: str) -> str:
    if math.isnan(value):
        return "–"
    if value == 0 or math.isinf(value):
        return "0" if value == 0 else "∞" if value > 0 else "−∞"
    exact = Decimal(repr(float(value)))  # its shortest decimal, so that 0.31 stays 0.31
    step = Decimal(1).scaleb(exact.adjusted() - digits + 1)
    rounded = float(exact.quantize(step, rounding=rounding))
    whole = abs(rounded) >= 10 ** (digits - 1) and abs(rounded) < TOO_LONG
    return f"{rounded:,.0f}" if whole else f"{rounded:.{digits}g}"
