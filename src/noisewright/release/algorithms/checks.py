"""Checks of the numbers that algorithms are tuned with."""

from __future__ import annotations

from noisewright.errors import InvalidParameter
from noisewright.parameters import real, shown


def positive(what: str, value: object) -> float:
    """A finite number above 0, or a refusal.

    >>> positive("C", 0)
    Traceback (most recent call last):
    ...
    noisewright.errors.InvalidParameter: C must be above 0, got 0
    """
    if real(what, value) <= 0:
        raise InvalidParameter(f"{what} must be above 0, got {shown(value)}")
    return real(what, value)


def between(what: str, value: object, low: float, high: float) -> float:
    """A number from ``low`` to ``high``, or a refusal."""
    if not low <= real(what, value) <= high:
        raise InvalidParameter(f"{what} must lie between {low:g} and {high:g}, got {shown(value)}")
    return real(what, value)
