"""What takes seconds to find and is asked for by several tests, found once a process."""

from __future__ import annotations

from functools import cache

from noisewright import Interval
from noisewright.design import lower_bound, optimal_law


@cache
def best_law(epsilon, loss):
    """The designed law of the unit interval with the least worst error, at full resolution."""
    return optimal_law(Interval(0, 1), epsilon, loss)


@cache
def best_bound(epsilon, loss):
    """What no mechanism on the unit interval gets below."""
    return lower_bound(Interval(0, 1), epsilon, loss)
