"""What of the outputs no column tells."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class LeftOut:
    """How many of the places that were met while learning nothing looks at, and how many are seen in part."""

    places: int = 0
    partly: int = 0
    met: int = 0
