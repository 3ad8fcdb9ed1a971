"""Exact comparisons of integers with e^ε.

A sampler's probabilities are integers over a power of two, so a privacy claim is a statement about
integers: *a* ≤ e^ε·*b*. e^ε is irrational, but decimal arithmetic gives bounds for it with any number of
digits; a claim is only accepted against the lower bound.
"""

from __future__ import annotations

import math
from decimal import Context, Decimal
from fractions import Fraction
from functools import lru_cache

from noisewright.errors import GuaranteeBroken

_DIGITS = Context(prec=60)


@lru_cache(maxsize=256)
def exp_lower(epsilon: float) -> Fraction:
    """Return a rational just below e^ε (60 digits; ε is taken exactly as the float it is).

    >>> 0 < exp_upper(1.0) - exp_lower(1.0) < 1e-50
    True
    """
    decimal = Fraction(_DIGITS.exp(Decimal(epsilon)).next_minus(_DIGITS))
    return max(decimal, 1 + Fraction(epsilon))  # the latter where ε vanishes beside 1


@lru_cache(maxsize=256)
def exp_upper(epsilon: float) -> Fraction:
    """Return a rational just above e^ε."""
    return Fraction(_DIGITS.exp(Decimal(epsilon)).next_plus(_DIGITS))


def within(numerator: int, denominator: int, epsilon: float) -> bool:
    """Return whether numerator/denominator ≤ e^ε holds for certain.

    >>> within(271828, 100000, 1.0), within(271829, 100000, 1.0)
    (True, False)
    """
    bound = exp_lower(epsilon)
    return numerator * bound.denominator <= denominator * bound.numerator


def log_upper(ratio: Fraction) -> float:
    """Return a float at or above ln(ratio): the ε that a ratio of probabilities costs.

    >>> log_upper(Fraction(1)), log_upper(Fraction(3)) >= math.log(3)
    (0.0, True)
    """
    if ratio <= 1:
        return 0.0
    value = _DIGITS.divide(Decimal(ratio.numerator), Decimal(ratio.denominator)).next_plus(_DIGITS)
    log = _DIGITS.ln(value).next_plus(_DIGITS)
    number = float(log)
    return number if Decimal(number) >= log else math.nextafter(number, math.inf)


class Worst:
    """The largest of many ratios of integers, kept exactly.

    >>> worst = Worst()
    >>> worst.meet(3, 2)
    >>> worst.meet(4, 3)
    >>> worst.ratio
    Fraction(3, 2)
    """

    def __init__(self) -> None:
        self._numerator, self._denominator = 1, 1

    def meet(self, numerator: int, denominator: int) -> None:
        """Take one more ratio into account; a denominator of zero is an infinite ratio."""
        if denominator < 1:
            raise GuaranteeBroken("an outcome that one input can produce is impossible for another")
        if numerator * self._denominator > self._numerator * denominator:
            self._numerator, self._denominator = numerator, denominator

    @property
    def ratio(self) -> Fraction:
        """The largest ratio met so far, at least 1."""
        return Fraction(self._numerator, self._denominator)

    def prove(self, epsilon: float) -> float:
        """Check that no ratio exceeds e^ε, and return the ε that the largest one spends."""
        if not within(self._numerator, self._denominator, epsilon):
            raise GuaranteeBroken(f"the sampler's integers spend more than epsilon = {epsilon}")
        return log_upper(self.ratio)
