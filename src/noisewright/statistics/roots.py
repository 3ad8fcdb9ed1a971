"""Where a condition that changes once along a line stops being true.

SciPy finds roots of smooth functions; these searches are for the rest: conditions on whole numbers, bounds
that must err on a known side, and arrays of conditions that change at different places.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from noisewright.domains import Floats


def bisect(
    holds: Callable[[Floats], ArrayLike], true: ArrayLike, false: ArrayLike, steps: int = 60
) -> tuple[Floats, Floats]:
    """Halve the distance between a point where a condition holds and one where it does not.

    The condition must change only once between the two points. The first result always satisfies it, the
    second never does, so that a caller takes the end on which an error is safe.

    Args:
        holds: Whether the condition holds at each of an array of points.
        true: Points at which it holds; they may lie on either side of ``false``.
        false: Points at which it does not hold.
        steps: Number of halvings; each one adds a binary digit.

    >>> low, high = bisect(lambda x: x * x < 2, 1.0, 2.0)
    >>> float(low), bool(low**2 < 2 <= high**2)
    (1.414213562373095, True)
    """
    inside, outside = np.broadcast_arrays(np.asarray(true, float), np.asarray(false, float))
    for _ in range(steps):
        middle = (inside + outside) / 2
        yes = np.asarray(holds(middle), dtype=bool)
        inside, outside = np.where(yes, middle, inside), np.where(yes, outside, middle)
    return np.asarray(inside), np.asarray(outside)


def last_true(holds: Callable[[int], bool], true: int, false: int) -> int:
    """Return the last whole number at which a condition holds, counted from ``true`` towards ``false``.

    Args:
        holds: A condition that changes only once between the two numbers.
        true: A number at which it holds.
        false: A number at which it does not hold; smaller or larger than ``true``.

    >>> last_true(lambda n: n * n <= 50, 0, 100), last_true(lambda n: n * n >= 50, 100, 0)
    (7, 8)
    """
    while abs(false - true) > 1:
        middle = (true + false) // 2
        if holds(middle):
            true = middle
        else:
            false = middle
    return true
