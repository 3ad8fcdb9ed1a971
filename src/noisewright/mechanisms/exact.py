"""Comparing integers with e^ε, exactly.

A sampler's probabilities are integers over a power of two, so a privacy claim is a statement about
integers: *a* ≤ e^ε·*b*. e^ε is irrational, but decimal arithmetic gives bounds for it with any number of
digits, rounded to the last one; a claim is only accepted against the lower bound.
"""

from __future__ import annotations

import math
from decimal import Context, Decimal
from fractions import Fraction
from functools import lru_cache

_DIGITS = Context(prec=60)


@lru_cache(maxsize=256)
def exp_lower(epsilon: float) -> Fraction:
    """A rational just below e^ε (60 digits; ε is taken exactly as the float it is).

    >>> 0 < math.e - exp_lower(1.0) < 1e-15
    True
    """
    return Fraction(_DIGITS.exp(Decimal(epsilon)).next_minus(_DIGITS))


@lru_cache(maxsize=256)
def exp_upper(epsilon: float) -> Fraction:
    """A rational just above e^ε."""
    return Fraction(_DIGITS.exp(Decimal(epsilon)).next_plus(_DIGITS))


def within(numerator: int, denominator: int, epsilon: float) -> bool:
    """Whether numerator/denominator ≤ e^ε holds for certain.

    >>> within(271828, 100000, 1.0), within(271829, 100000, 1.0)
    (True, False)
    """
    bound = exp_lower(epsilon)
    return numerator * bound.denominator <= denominator * bound.numerator


def log_upper(ratio: Fraction) -> float:
    """A float at or above ln(ratio): the ε that a ratio of probabilities costs.

    >>> log_upper(Fraction(1)) <= 5e-324, log_upper(Fraction(3)) >= math.log(3)
    (True, True)
    """
    value = _DIGITS.divide(Decimal(ratio.numerator), Decimal(ratio.denominator)).next_plus(_DIGITS)
    log = _DIGITS.ln(value).next_plus(_DIGITS)
    number = float(log)
    return number if Decimal(number) >= log else math.nextafter(number, math.inf)
