"""Split a budget among several error curves, without being trapped in a local minimum.

The total of several error curves is minimized, given the sum of their budgets. Near zero many curves are not
convex, and a descent would end in one of several valleys. But a sum of functions of one variable each can be
minimized exactly on a grid by dynamic programming: for every number of units, the least total of the first j
curves. Then the grid is refined around the minimum in the same way.

:func:`fit_shares` turns the wanted shares into doubles whose exact sum does not exceed the budget.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

import numpy as np

from noisewright.domains import Floats
from noisewright.errors import InvalidParameter
from noisewright.guarantees.base import round_down
from noisewright.parameters import EPSILON, real

Curve = Callable[[float], float]

UNITS = 256
"""Units of the first grid; at least :data:`UNITS_EACH` for every curve."""
UNITS_EACH = 32

REACH = 8
"""Finer units that a refinement tries to each side; each is a quarter of the unit before."""

FINEST = 1e-7
"""The last unit, as a part of the budget: near their minimum, errors do not distinguish finer ones."""


def allocate(curves: Sequence[Curve], budget: float, unused: Sequence[float]) -> list[float]:
    """Return the budget of each curve with the least total error; ``unused[j]`` is its error without any.

    A curve whose ``unused`` error is infinite gets at least half a unit of the first grid.

    >>> shares = allocate([lambda budget: 1 / budget, lambda budget: 4 / budget], 3.0, [np.inf, np.inf])
    >>> [round(share, 4) for share in shares]   # in proportion to the square roots of 1 and 4
    [1.0, 2.0]
    """
    units = max(UNITS, UNITS_EACH * len(curves))
    unit = budget / units
    tables = [
        np.array([blank, *(curve(step * unit) for step in range(1, units + 1))])
        for curve, blank in zip(curves, unused, strict=True)
    ]
    shares = unit * np.array(share_out(tables, units))
    used = np.flatnonzero(shares).tolist()
    if len(used) > 1:
        shares[used] = _refine([curves[place] for place in used], shares[used], unit)
    return [float(share) for share in shares]


def _refine(curves: Sequence[Curve], shares: Floats, unit: float) -> Floats:
    """Refine shares on finer and finer grids; their sum stays the same."""
    least, finest = unit / 2, FINEST * float(shares.sum())
    while unit > finest:
        unit /= 4
        steps = unit * np.arange(-REACH, REACH + 1)
        tables = [
            np.array([curve(float(near)) if near >= least else np.inf for near in share + steps])
            for curve, share in zip(curves, shares, strict=True)
        ]
        shares = shares + steps[share_out(tables, REACH * len(curves))]
    return shares


def share_out(tables: Sequence[Floats], units: int) -> list[int]:
    """Return how many of exactly ``units`` units each table gets for the least total entry.

    >>> share_out([np.array([5.0, 4.0, 0.0]), np.array([5.0, 3.0, 3.0])], units=2)
    [2, 0]
    """
    least = np.where(np.arange(units + 1) == 0, 0.0, np.inf)
    choices = []
    for table in tables:
        pairs = [table[: given + 1] + least[given::-1][: table.size] for given in range(units + 1)]
        choices.append([int(np.argmin(pair)) for pair in pairs])
        least = np.array([pair.min() for pair in pairs])
    given, taken = units, []
    for choice in reversed(choices):
        taken.append(choice[given])
        given -= choice[given]
    return taken[::-1]


def fit_shares(epsilon: float, wanted: Sequence[float]) -> list[float]:
    """Return shares in the proportions of ``wanted`` whose exact sum is at most ε, and no double below it.

    Three times the double next to 1/3 exceeds 1, so shares are rounded down and the largest gets the rest.

    >>> fit_shares(2.0, [1, 3])
    [0.5, 1.5]
    >>> sum(map(Fraction, fit_shares(1.0, [1, 1, 1]))) <= 1
    True
    """
    total = Fraction(EPSILON.check(epsilon))
    parts = [Fraction(real("a share", part)) for part in wanted]
    if not parts or min(parts) < 0 or (whole := sum(parts)) == 0:
        raise InvalidParameter("shares of a budget must be at least zero, and one of them above it")
    shares = [round_down(total * part / whole) for part in parts]
    largest = max(range(len(shares)), key=shares.__getitem__)
    others = sum(Fraction(share) for place, share in enumerate(shares) if place != largest)
    shares[largest] = round_down(total - others)
    return shares
