"""Lower bounds on the error of any mechanism whatsoever, whatever its reports.

Restricting true values to some knots only helps a mechanism, so the worst case at the knots bounds that of
the whole interval. The multipliers of the program with knots as inputs are then checked against *every* real
report y, not only those on a grid: with cᵢ(y) = λᵢ·|xᵢ − y|^p − μᵢ the slack (``certificate.py``)

    slack(y) = Σᵢ g(cᵢ(y)),      g(c) = max(c, 0) − e^ε·max(−c, 0), growing and concave,

must not be negative. Between two knots no cᵢ has a kink. For p ≤ 1 they are all concave there, hence the
slack is, and it is least at a knot. For p > 1 they are convex and lie above their tangents at the middle of
any stretch; with tangents in their place the slack is concave again, so its two ends decide.
Reports outside the interval are further from all knots than its nearest end.

*On a circle* the best window is the best law of all. Turning the circle changes neither ε nor the loss, so a
law may be averaged over all turns, and a true value uniform over the circle is as hard as any. Choose a
radius r and charge c(x, y) = d(x, y)^p − r^p. A report y keeps ε, so its probabilities lie between a floor
and e^ε times the floor, and with H half the period

    slack(r) = ∫ max(c, 0) − e^ε·∫ max(−c, 0),        over distances from 0 to H, divided by H,

every law is charged r^p + min(slack(r), 0) at least (``certificate.py`` has the argument for matrices). The
slack vanishes where r^p is the expected loss of the best window and r its half width: nothing does better.
For |error|, and for no other loss, that is OGPM's width.
"""

from __future__ import annotations

import math

import numpy as np

from noisewright.design.program import Program
from noisewright.design.solver import solve
from noisewright.design.window import AtDistance
from noisewright.domains import Circle, Domain, Floats, Integers, Interval
from noisewright.errors import InvalidParameter
from noisewright.mechanisms.basics.losses import Loss, losses_at, power
from noisewright.mechanisms.certificate import Certificate
from noisewright.mechanisms.tuned import OptimalWindow, TunedWindow
from noisewright.parameters import EPSILON, whole
from noisewright.statistics import bisect

MOST_KNOTS = 255
FINER = 2
"""Outputs of the program for each gap between knots."""

HALVINGS = 16
"""Steps of the search for the least amount by which prices must fall."""

STRETCHES = 64
"""Stretches of each gap in which tangents replace the losses."""

ROUNDING = 1e-11
"""Share of the largest loss that bounds the rounding of the sums below."""

CIRCLE_ROUNDING = 1e-13
"""Share of a circle's bound that is more than the rounding of a dozen operations."""


def lower_bound(domain: Domain, epsilon: float, loss: Loss = "absolute", *, knots: int = 129) -> float:
    """Return a lower bound on the worst expected loss of every ε-LDP mechanism on an interval or circle.

    Args:
        domain: An interval or a circle.
        epsilon: The budget of one report.
        loss: "absolute", "squared" or the power of |report − truth|.
        knots: True values for which the bound is proved: more make it tighter and slower. Circles need none.

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
    """Return the bound for the interval from 0 to 1."""
    outputs = np.linspace(0, 1, FINER * (knots.size - 1) + 1)
    losses = losses_at(Interval(0, 1), knots[:, None], outputs, exponent)
    prices = solve(Program(epsilon, losses)).multipliers
    weights, levels = prices.situations[:, 0], prices.inputs
    if not weights.sum() > 0:  # at a very large budget the program has no weights left
        return 0.0

    def pays(fall: Floats) -> bool:
        """Return whether no slack is negative after all prices have fallen by ``fall`` in total."""
        return _least_slack(knots, weights, levels - fall / knots.size, epsilon, exponent) >= 0

    lower = max(0.0, -_least_slack(knots, weights, levels, epsilon, exponent))  # the worst slack is enough
    if lower > 0:
        lower = float(bisect(pays, lower, 0.0, HALVINGS)[0])
    return max(float((levels.sum() - lower) / weights.sum()) - ROUNDING, 0.0)


def _least_slack(knots: Floats, weights: Floats, levels: Floats, epsilon: float, exponent: float) -> float:
    """Return a lower bound on the slack of every report."""
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


# -- circles ----------------------------------------------------------------------------------------------


def circle_bound(circle: Circle, epsilon: float, loss: Loss) -> float:
    """Return a lower bound for every ε-LDP law on a circle, whatever its reports.

    >>> round(circle_bound(Circle(2 * math.pi), 2.0, "absolute") / math.pi, 6)   # 1/(e + 1)
    0.268941
    """
    exponent = power(loss)
    radius = AtDistance(exponent, 0.5).best_share(epsilon)  # in half periods, H = 1
    level, power_next = radius**exponent, exponent + 1
    beyond = (1 - radius**power_next) / power_next - level * (1 - radius)
    within = level * radius - radius**power_next / power_next
    bound = level + min(beyond - math.exp(epsilon) * within, 0.0)
    return float(bound * (circle.period / 2) ** exponent * (1 - CIRCLE_ROUNDING))


def certified_window(window: TunedWindow, loss: Loss, objective: str) -> OptimalWindow:
    """Return the best window on a circle, with the proof that nothing does better."""
    if not isinstance(window.domain, Circle):
        raise InvalidParameter("a window is known to be the best law on a circle only")
    certificate = Certificate(
        loss=power(loss),
        objective=objective,
        value=window.worst_error(loss),
        bound=circle_bound(window.domain, window.epsilon, loss),
    )
    return OptimalWindow(window.domain, window.epsilon, window.share, certificate)
