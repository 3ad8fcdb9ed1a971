"""Distances and budgets in words."""

from __future__ import annotations

from noisewright.guarantees.words import epsilon_words

__all__ = ["distance_words", "epsilon_words"]


def distance_words(distance: float, units: str) -> str:
    """A distance for a reader, to three digits.

    >>> distance_words(8312.4, "metres"), distance_words(412.3, "metres"), distance_words(0.279, "units")
    ('8.31 km', '412 m', '0.279')
    >>> distance_words(5_613_000, "metres")
    '5,613 km'
    """
    if units != "metres":
        return _short(distance)
    return f"{_short(distance / 1000)} km" if distance >= 1000 else f"{_short(distance)} m"


def _short(number: float) -> str:
    return f"{number:,.0f}" if abs(number) >= 1000 else f"{number:.3g}"
