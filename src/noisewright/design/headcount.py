"""How many people it takes for an interval of a wanted width."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final

MOST_PEOPLE: Final = 10**10
MOST_TRIED: Final = 12
"""Numbers of people whose width is computed: the estimator takes a moment for each."""

GUESSES: Final = 5
"""How many of these are guessed; the others halve the remaining range."""

NEAR: Final = 1.02
"""Two numbers of people within this ratio count as the same."""

DIGITS: Final = 3
FLATTEST, STEEPEST = -0.05, -1.0
"""Range of plausible slopes of log width against log people."""


def people_for(width_of: Callable[[int], float], wanted: float, people: int, here: float) -> int | None:
    """Return the fewest people whose interval is as narrow as wanted; ``None`` if ten billion are too few.

    Widths fall about like 1/√n, but those of whole numbers in steps, so nothing is extrapolated: the number
    returned was tried. It is the fewest to within 2 %, or the best of twelve tries.

    Args:
        width_of: from a number of people to the width of their interval.
        wanted: the width that is wanted.
        people: a number of people whose width is known.
        here: that width.

    >>> people_for(lambda people: 3 / people**0.5, 0.03, 100, 0.3)
    10000
    >>> people_for(lambda people: 1 + 3 / people**0.5, 0.5, 100, 1.3) is None
    True
    """
    few, enough = (people, MOST_PEOPLE + 1) if here > wanted else (1, people)
    place, width, slope = people, here, -0.5
    for step in range(MOST_TRIED):
        if enough <= max(few * NEAR, few + 1):
            break
        if step == GUESSES - 1 and enough > MOST_PEOPLE:
            aim = float(MOST_PEOPLE)
        elif step < GUESSES:
            aim = _guess(place, width, slope, wanted, NEAR ** (4 ** max(step - 1, 0)))
        else:
            aim = math.sqrt(few * enough)
        trial = _inside(aim, few, enough)
        found = width_of(trial)
        slope = _slope(place, width, trial, found)
        place, width = trial, found
        few, enough = (few, trial) if found <= wanted else (trial, enough)
    return enough if enough <= MOST_PEOPLE else None


def _guess(place: int, width: float, slope: float, wanted: float, push: float) -> float:
    """Return where a line in logarithms meets the wanted width, at least ``push`` away from its start."""
    steps = math.log(wanted / max(width, 1e-300)) / slope
    aim = place * math.exp(min(steps, math.log(MOST_PEOPLE)))
    return max(aim, place * push) if width > wanted else min(aim, place / push)


def _inside(aim: float, few: int, enough: int) -> int:
    """Return a three-digit number of people near the aim and strictly between two others, if there is one."""
    near = NEAR if enough > few * NEAR**2 else math.sqrt(enough / few)
    kept = min(max(aim, few * near), enough / near if enough <= MOST_PEOPLE else MOST_PEOPLE)
    return min(max(_round_people(kept), few + 1), enough - 1)


def _slope(place: int, width: float, other: int, its_width: float) -> float:
    rise = math.log(max(its_width, 1e-300) / max(width, 1e-300))
    return min(max(rise / math.log(other / place), STEEPEST), FLATTEST) if other != place else -0.5


def _round_people(people: float) -> int:
    """Return the nearest number of people with three digits.

    >>> _round_people(43521.3), _round_people(217.0)
    (43500, 217)
    """
    unit = 10 ** max(math.floor(math.log10(max(people, 1.0))) + 1 - DIGITS, 0)
    return int(round(people / unit) * unit)
