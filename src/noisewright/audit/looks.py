"""Facts about the outputs that came, for people: no bound rests on them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Looks:
    """What the outputs of both inputs looked like, over all runs that were read."""

    identified: bool = False
    """Each input gave one output only, and not the same."""

    same: bool = False
    """Every run, with either input, gave one and the same output."""

    empty: bool = False
    """Every output was empty: no text, nothing in a list, null, or no number (NaN)."""

    unrepeated: bool = False
    """No output came twice among those that were compared, so they cannot be counted one by one."""

    fractions: bool = False
    """Some output has a number in it that is not whole, and so has bits worth a look."""

    nan: bool = False
    """Some output that was taken as one number was none, and stands below all others."""
