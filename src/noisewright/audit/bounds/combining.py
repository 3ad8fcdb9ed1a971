"""Two independent p-values as one test: which pairs of them are still believed.

U and V are no smaller than uniform ones at the truth. A staircase is a set of boxes {U ≥ u_k+1, V ≥ v_k}, the
``falling`` levels u and the ``rising`` levels v; whoever is larger than somebody inside is inside as well. So
the truth is outside no more often than two uniform p-values are, and that is a sum over the steps, without
any approximation.

The stairs run along a line of normal scores, weighted in proportion to the uncertainty that each p-value
brings into the number that is wanted: the sharpest rule for that number, and little worse for those near it.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache
from typing import Final

import numpy as np
from scipy.special import ndtr, ndtri

from noisewright.domains import Floats

STEPS: Final = 32
FINENESS: Final = 200
"""Shares are rounded to so many parts, so that the same stairs serve many events."""

HELD: Final = 0.05
"""The part of the failure probability that keeps each p-value from falling alone, where the aim is off."""

LEAST_SHARE: Final = 1e-3

Stairs = tuple[Floats, Floats]


def missed(stairs: Stairs) -> float:
    """How often uniform p-values lie outside of all boxes.

    >>> missed((np.array([1.0, 0.5]), np.array([0.5, 1.0])))  # the one box {U ≥ ½, V ≥ ½}
    0.75
    """
    falling, rising = stairs
    return float(np.sum((np.append(1.0, falling[1:-1]) - falling[1:]) * rising[:-1]) + falling[-1])


def aimed_stairs(failure: float, lean: float) -> Stairs:
    """Stairs that uniform p-values miss with probability ``failure``, U having the share ``lean``.

    >>> round(missed(aimed_stairs(0.1, 0.5)), 9)
    0.1
    """
    share = round(lean * FINENESS) / FINENESS
    return _stairs(failure, min(max(share, LEAST_SHARE), 1 - LEAST_SHARE))


@lru_cache(maxsize=4096)
def _stairs(failure: float, share: float) -> Stairs:
    """Steps along √share·x + √(1 − share)·y = z in the upper normal scores x of U and y of V.

    The line ends where one score alone would have to bear nearly everything, so that little is lost where the
    share was not quite right. Then it is moved until the stairs are missed as often as they may be.
    """
    first, second, score = math.sqrt(share), math.sqrt(1 - share), -float(ndtri(failure))
    lowest = (score - second * _end(score, second, first, failure)) / first
    x = np.linspace(lowest, _end(score, first, second, failure), STEPS + 1)
    y = (score - first * x) / second

    def moved(shift: float) -> Stairs:
        return np.asarray(ndtr(-x - shift * first)), np.asarray(ndtr(-y - shift * second))

    return moved(_halved(-3.0, 3.0, lambda shift: missed(moved(shift)) > failure))


def _end(score: float, own: float, other: float, failure: float) -> float:
    """Where a score is cut off: that it lies beyond, and the weighted sum does not, costs HELD · failure."""

    def costs(end: float) -> bool:
        return bool(ndtr(-end) * ndtr((score - own * end) / other) > HELD * failure)

    return _halved(score * own, -float(ndtri(HELD * failure)), costs)


def _halved(low: float, high: float, too_low: Callable[[float], bool]) -> float:
    """The least number between two that is not too low."""
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (middle, high) if too_low(middle) else (low, middle)
    return high
