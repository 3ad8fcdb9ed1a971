"""Two independent p-values as one test: which pairs of them are still believed.

U and V are no smaller than uniform ones at the truth. A staircase is a set of boxes {U ≥ u_k+1, V ≥ v_k}, the
``falling`` levels u and the ``rising`` levels v; whoever is larger than somebody inside is inside as well. So
the truth is outside no more often than two uniform p-values are, and that is a sum over the steps, without
any approximation.

Two shapes are used. Fisher's, U·V = e^−c, serves every ε alike. The aimed one adds normal scores in
proportion to the uncertainty that each p-value brings into one wanted number, and is the sharper one for it.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache
from typing import Final

import numpy as np

from noisewright.domains import Floats

STEPS: Final = 32
AIMED_STEPS: Final = 128

HELD: Final = 0.05
"""The part of the failure probability that keeps each p-value from falling alone, where the aim is off."""

LEAST_LEAN: Final = 1e-4

Stairs = tuple[Floats, Floats]


def missed(stairs: Stairs) -> float:
    """How often uniform p-values lie outside of all boxes.

    >>> missed((np.array([1.0, 0.5]), np.array([0.5, 1.0])))  # the one box {U ≥ ½, V ≥ ½}
    0.75
    """
    falling, rising = stairs
    return float(np.sum((np.append(1.0, falling[1:-1]) - falling[1:]) * rising[:-1]) + falling[-1])


@lru_cache(maxsize=4096)
def fisher_stairs(failure: float, steps: int = STEPS) -> Stairs:
    """Stairs along U·V = e^−c that are missed with probability ``failure``.

    >>> round(missed(fisher_stairs(0.05)), 12)
    0.05
    """
    spent = np.linspace(0.0, 1.0, steps + 1) * fisher_reach(failure, steps)
    return np.exp(-spent), np.exp(spent - spent[-1])


def fisher_reach(failure: float, steps: int = STEPS) -> float:
    """The c of stairs along U·V = e^−c: e^−c·(1 + k·(1 − e^−c/k)) is ``failure`` with k equal steps of ln U.

    Without stairs it would be Fisher's e^−c·(1 + c), of which this is the lower sum.

    >>> round(fisher_reach(0.05), 3), round(fisher_reach(0.05, 10**9), 3)
    (4.672, 4.744)
    """
    log_failure = math.log(failure)

    def too_low(reach: float) -> bool:
        return math.log1p(-steps * math.expm1(-reach / steps)) - reach > log_failure

    return _halved(0.0, 50.0 - 2 * log_failure, too_low)


@lru_cache(maxsize=256)
def aimed_stairs(failure: float, lean: float, steps: int = AIMED_STEPS) -> Stairs:
    """Stairs along √lean·x + √(1 − lean)·y = z in the upper normal scores x of U and y of V.

    ``lean`` is the share of U in the variance of what is wanted. The line ends where one score alone would
    have to bear nearly everything, so that little is lost where the share was not quite right.

    >>> stairs = aimed_stairs(0.1, 0.5)
    >>> round(missed(stairs), 9)
    0.1
    """
    from scipy.special import ndtr, ndtri  # noqa: PLC0415  (scipy is slow to load)

    share = min(max(lean, LEAST_LEAN), 1 - LEAST_LEAN)
    first, second, score = math.sqrt(share), math.sqrt(1 - share), -float(ndtri(failure))
    lowest = (score - second * _end(score, second, first, failure)) / first
    x = np.linspace(lowest, _end(score, first, second, failure), steps + 1)
    y = (score - first * x) / second

    def moved(shift: float) -> Stairs:
        return np.asarray(ndtr(-x - shift * first)), np.asarray(ndtr(-y - shift * second))

    return moved(_halved(-3.0, 3.0, lambda shift: missed(moved(shift)) > failure))


def _end(score: float, own: float, other: float, failure: float) -> float:
    """Where a score is cut off: that it lies beyond, and the weighted sum does not, costs HELD · failure."""
    from scipy.special import ndtr, ndtri  # noqa: PLC0415  (scipy is slow to load)

    def costs(end: float) -> bool:
        return bool(ndtr(-end) * ndtr((score - own * end) / other) > HELD * failure)

    return _halved(score * own, -float(ndtri(HELD * failure)), costs)


def _halved(low: float, high: float, too_low: Callable[[float], bool]) -> float:
    """The least number between two that is not too low."""
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (middle, high) if too_low(middle) else (low, middle)
    return high
