"""Which values of ε of a long curve a table shows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from noisewright.domains import Floats
from noisewright.pages.predict_numbers import ROUND

MOST_COLUMNS: Final = 6
"""Values of ε that fit into a table."""


def shown_places(budgets: Floats) -> list[int]:
    """The places of a few ε: all of a few, otherwise the ends and the round ones between.

    >>> shown_places(np.linspace(0.5, 4, 64))
    [0, 9, 27, 63]
    """
    last = budgets.size - 1
    if last < MOST_COLUMNS:
        return list(range(budgets.size))
    inside = [value for value in ROUND if budgets[0] < value < budgets[-1]]
    wanted = [int(np.argmin(abs(budgets - value))) for value in inside]
    places = sorted({0, last, *wanted}) if len(wanted) > 1 else range(budgets.size)
    return thinned(places, MOST_COLUMNS)


def thinned(places: Sequence[int], most: int) -> list[int]:
    """At most so many of some places, the ends among them.

    >>> thinned(range(9), 3), thinned([0, 5], 6)
    ([0, 4, 8], [0, 5])
    """
    if len(places) <= most:
        return list(places)
    return [places[round(step * (len(places) - 1) / (most - 1))] for step in range(most)]
