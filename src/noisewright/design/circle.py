"""On a circle the best window is the best law of all: the proof, and the number it proves.

Turning the circle changes neither ε nor the loss, so a law may be averaged over all turns, and a true value
uniform over the circle is as hard as any. Choose a radius r and charge c(x, y) = d(x, y)^p − r^p. A report y
keeps ε, so its probabilities lie between a floor and e^ε times the floor, and with H half the period

    slack(r) = ∫ max(c, 0) − e^ε·∫ max(−c, 0),        over distances from 0 to H, divided by H,

every law is charged r^p + min(slack(r), 0) at least (``certificate.py`` has the argument for matrices). The
slack vanishes where r^p is the expected loss of the best window, r its half width: nothing does better.
OGPM's width is that one for |error|, and for no other loss.
"""

from __future__ import annotations

import math

from noisewright.design.window_loss import AtDistance
from noisewright.domains import Circle
from noisewright.errors import InvalidParameter
from noisewright.mechanisms.basics.losses import Loss, power
from noisewright.mechanisms.certificate import Certificate
from noisewright.mechanisms.tuned import OptimalWindow, TunedWindow

ROUNDING = 1e-13
"""Of the bound: more than a dozen operations on doubles can lose."""


def circle_bound(circle: Circle, epsilon: float, loss: Loss) -> float:
    """A number that no ε-LDP law on a circle gets below, whatever its reports.

    >>> round(circle_bound(Circle(2 * math.pi), 2.0, "absolute") / math.pi, 6)   # 1/(e + 1)
    0.268941
    """
    exponent = power(loss)
    radius = AtDistance(exponent, 0.5).best_share(epsilon)  # in half periods, H = 1
    level = radius**exponent
    bound = level + min(_slack(radius, exponent, epsilon), 0.0)
    return float(bound * (circle.period / 2) ** exponent * (1 - ROUNDING))


def _slack(radius: float, exponent: float, epsilon: float) -> float:
    level, power_next = radius**exponent, exponent + 1
    beyond = (1 - radius**power_next) / power_next - level * (1 - radius)
    within = level * radius - radius**power_next / power_next
    return float(beyond - math.exp(epsilon) * within)


def certified_window(window: TunedWindow, loss: Loss, objective: str) -> OptimalWindow:
    """The best window on a circle, with the proof that nothing does better."""
    if not isinstance(window.domain, Circle):
        raise InvalidParameter("a window is known to be the best law on a circle only")
    certificate = Certificate(
        loss=power(loss),
        objective=objective,
        value=window.worst_error(loss),
        bound=circle_bound(window.domain, window.epsilon, loss),
    )
    return OptimalWindow(window.domain, window.epsilon, window.share, certificate)
