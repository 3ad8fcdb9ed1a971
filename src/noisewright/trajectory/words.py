"""Distances in words."""

from __future__ import annotations


def distance_words(distance: float, units: str) -> str:
    """A distance for a reader.

    >>> distance_words(8312.4, "metres"), distance_words(412.3, "metres"), distance_words(0.279, "units")
    ('8.31 km', '412 m', '0.279')
    """
    if units != "metres":
        return f"{distance:.3g}"
    return f"{distance / 1000:.3g} km" if distance >= 1000 else f"{distance:.3g} m"
