"""How the machine writes a number, beside what the number is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from noisewright.audit.floating import exponents, grains
from noisewright.audit.floating.anatomy import Places
from noisewright.domains import Floats

LOOKS: Final[dict[str, Callable[[Floats], Places]]] = {"grain": grains, "exponent": exponents}
"""What is seen of each number: the lowest and the highest binary digit that is set."""


def look_name(look: str, title: str) -> str:
    """The name of a column, for a number that has a title of its own.

    >>> look_name("grain", "the output")
    'grain of the output'
    """
    return f"{look} of {title}"
