"""What no mechanism whatsoever can do better than, whatever its reports.

Restricting true values to some knots only helps a mechanism, so the worst case at the knots bounds that of
the whole interval. The multipliers of the program with knots as inputs are then checked against *every* real
report y, not only those on a grid: with cᵢ(y) = λᵢ·|xᵢ − y|^p − μᵢ the slack (``certificate.py``)

    slack(y) = Σᵢ g(cᵢ(y)),      g(c) = max(c, 0) − e^ε·max(−c, 0), growing and concave,

must not be negative. Between two knots no cᵢ has a kink. For p ≤ 1 they are all concave there, hence the
slack is, and it is least at a knot. For p > 1 they are convex and lie above their tangents at the middle of
any stretch; with tangents in their place the slack is concave again, and the two ends of the stretch tell.
Reports outside the interval are further from all knots than its nearest end.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from noisewright.design.circle import circle_bound
from noisewright.design.program import Program
from noisewright.design.solver import solve
from noisewright.domains import Circle, Domain, Floats, Integers, Interval
from noisewright.errors import InvalidParameter
from noisewright.mechanisms.basics.losses import Loss, losses_at, power
from noisewright.parameters import EPSILON, whole

MOST_KNOTS = 255
FINER = 2
"""Outputs of the program for each gap between knots."""

HALVINGS = 16
"""Steps of the search for the least that prices must fall."""

STRETCHES = 64
"""Stretches of each gap in which tangents stand for the losses."""

ROUNDING = 1e-11
"""Of the largest loss: more than the sums of doubles below can lose."""


def lower_bound(domain: Domain, epsilon: float, loss: Loss = "absolute", *, knots: int = 129) -> float:
    """Return a worst expected loss that no ε-LDP mechanism on an interval or circle gets below.

    Args:
        domain: An interval or a circle.
        epsilon: The budget of one report.
        loss: "absolute", "squared" or the power of |report − truth|.
        knots: True values among which the bound is proved: more bring it closer to what is possible, and
            take longer. A circle needs none.

    >>> bound = lower_bound(Interval(0, 1), epsilon=1.0, knots=33)
    >>> round(bound, 3)   # OGPM has 0.378
    0.316
    """
    budget, exponent = EPSILON.check(epsilon), power(loss)
    if isinstance(domain, Circle):
        return circle_bound(domain, budget, exponent)
    if not isinstance(domain, Interval):
        raise InvalidParameter(
            f"lower_bound needs an Interval or a Circle, got {domain!r}; the certificate of "
            "optimal_law bounds all laws for labels"
        )
    count, length = whole("knots", knots, 2, MOST_KNOTS), domain.length
    if isinstance(domain, Integers):  # knots at whole numbers, equally far apart
        step = -(-(domain.size - 1) // (count - 1))
        count = (domain.size - 1) // step + 1
        length = float(step * (count - 1))
    return _unit_bound(np.linspace(0, 1, count), budget, exponent) * float(length**exponent)


def _unit_bound(knots: Floats, epsilon: float, exponent: float) -> float:
    """The bound for the interval from 0 to 1."""
    outputs = np.linspace(0, 1, FINER * (knots.size - 1) + 1)
    losses = losses_at(Interval(0, 1), knots[:, None], outputs, exponent)
    prices = solve(Program(epsilon, losses)).multipliers
    weights, levels = prices.situations[:, 0], prices.inputs
    if not weights.sum() > 0:  # at a very large budget the program has nothing left to weigh
        return 0.0
    lower = _lowered(lambda fall: _least_slack(knots, weights, levels - fall / knots.size, epsilon, exponent))
    return max(float((levels.sum() - lower) / weights.sum()) - ROUNDING, 0.0)


def _lowered(least_slack: Callable[[float], float]) -> float:
    """How much the prices must fall, all together, until no slack is negative: the worst slack is enough."""
    low, high = 0.0, max(0.0, -least_slack(0.0))
    for _ in range(HALVINGS if high > 0 else 0):
        middle = (low + high) / 2
        low, high = (low, middle) if least_slack(middle) >= 0 else (middle, high)
    return high


def _least_slack(knots: Floats, weights: Floats, levels: Floats, epsilon: float, exponent: float) -> float:
    """A number that the slack of no report gets below."""
    if exponent <= 1:
        ends = weights[:, None] * np.abs(knots[:, None] - knots) ** exponent - levels[:, None]
        return float(_slack(ends, epsilon).min())
    stretches = (knots.size - 1) * STRETCHES
    half = 0.5 / stretches
    away = half * (2 * np.arange(stretches) + 1) - knots[:, None]
    charges = weights[:, None] * np.abs(away) ** exponent - levels[:, None]
    slopes = weights[:, None] * exponent * np.abs(away) ** (exponent - 1) * np.sign(away)
    return min(float(_slack(charges + side * half * slopes, epsilon).min()) for side in (-1, 1))


def _slack(charges: Floats, epsilon: float) -> Floats:
    return np.asarray((np.maximum(charges, 0) + math.exp(epsilon) * np.minimum(charges, 0)).sum(axis=0))
