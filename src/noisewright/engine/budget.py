"""Sharing the budget of one row among its columns."""

from __future__ import annotations

import math
from fractions import Fraction

from noisewright.guarantees.rules import round_down
from noisewright.parameters import EPSILON, whole


def split_evenly(epsilon: float, parts: int) -> list[float]:
    """Equal shares of ε whose exact sum never exceeds it, and rounds up to it and not beyond.

    Three times the float next to 1/3 is more than 1, so the shares are rounded down, and as many of them are
    raised by one unit in the last place as there is room for.

    >>> split_evenly(2.0, 2), split_evenly(0.3, 3)
    ([1.0, 1.0], [0.09999999999999999, 0.09999999999999999, 0.1])
    >>> sum(map(Fraction, split_evenly(1.0, 3))) <= 1
    True
    """
    total = Fraction(EPSILON.check(epsilon))
    count = whole("the number of columns", parts, 1, 1 << 20)
    share = round_down(total / count)
    more = math.nextafter(share, math.inf)
    raised = int((total - count * Fraction(share)) / (Fraction(more) - Fraction(share)))
    return [share] * (count - raised) + [more] * raised
