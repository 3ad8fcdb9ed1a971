"""Spaces of routes in words; the same on pages and in the terminal."""

from __future__ import annotations

from noisewright.trajectory.spaces import Space
from noisewright.trajectory.words import distance_words

KINDS = {
    "rectangle": ("a rectangle", ""),
    "disk": ("a disk", ""),
    "polygon": ("a polygon", ""),
    "lonlat_polygon": ("a polygon on Earth", ", randomized in the box around it"),
    "lonlat": ("a box in degrees", ", randomized by longitude and latitude"),
    "localmap": ("a box in degrees", ", randomized on a local map in metres"),
    "sphere": ("the whole Earth", ""),
}
"""How each kind of space is called, and what is to be said of it."""


def space_words(space: Space, *, remark: bool = True) -> str:
    """A space for a reader, with its bounds and its size, and a remark on how it is randomized.

    >>> from noisewright.trajectory import Rectangle
    >>> space_words(Rectangle(0, 0, 3, 4))
    'a rectangle from 0, 0 to 3, 4, 5 across'
    """
    name, randomized = KINDS.get(space.kind, (f"a {space.kind}", ""))
    left, bottom, right, top = space.bounds
    across = distance_words(space.diameter, space.units)
    return f"{name} from {left:.10g}, {bottom:.10g} to {right:.10g}, {top:.10g}, {across} across" + (
        randomized if remark else ""
    )
