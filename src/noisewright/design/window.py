"""The best window mechanism for a loss and an objective."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
from numpy.typing import ArrayLike

from noisewright.design.aims import Aim
from noisewright.design.window_loss import AtDistance, AtSeveral, UnderPrior, WindowLoss
from noisewright.domains import Circle, Integers, NumericDomain
from noisewright.errors import InvalidParameter
from noisewright.mechanisms.basics.losses import Loss, power
from noisewright.mechanisms.basics.window import COIN_BITS
from noisewright.mechanisms.piecewise import odd_near
from noisewright.mechanisms.tuned import TunedWindow
from noisewright.parameters import EPSILON

NEIGHBOURS = 8
"""Cells to each side of a width that are tried too."""


def best_window(
    domain: NumericDomain,
    epsilon: float,
    loss: Loss = "absolute",
    objective: str = "worst",
    *,
    prior: ArrayLike | None = None,
    point: float | None = None,
) -> TunedWindow:
    """Return the window mechanism with the least expected loss, by the width of its window.

    The formulas, and why the search finds the best width of all, are in ``window_loss.py``; on the
    mechanism's own lattice the widths around it are then compared by their exact laws.

    Args:
        domain: Where the true values live.
        epsilon: The budget of one report.
        loss: "absolute", "squared" or the power p of |report − truth|^p.
        objective: What to be best at: the "worst" true value, the "average" over a prior, or one "point". On
            a circle all three are the same.
        prior: Weights over equal parts of the domain, for "average"; even by default.
        point: A true value that many people are known to be near, for "point".

    >>> from noisewright import Interval
    >>> from noisewright.mechanisms import OGPM
    >>> best = best_window(Interval(0, 1), epsilon=4.0, loss="squared")
    >>> round(best.worst_error("squared"), 4), round(OGPM(Interval(0, 1), 4.0).worst_error("squared"), 4)
    (0.0406, 0.0492)
    """
    if not isinstance(domain, TunedWindow.domains):
        raise InvalidParameter(TunedWindow.misfit(domain))
    aim = Aim.read(domain, objective, prior=prior, point=point)
    budget = EPSILON.check(epsilon)
    if objective == "worst":  # the worst true value of a window is an end of the domain
        aim = Aim(domain, "point", point=float(domain.places(2)[0]))
    share = window_loss(aim, loss).best_share(budget)
    tried = (TunedWindow(domain, budget, width / domain.lattice) for width in _widths(domain, budget, share))
    return min(tried, key=lambda window: (aim.error(window, loss), window.share))


def window_loss(aim: Aim, loss: Loss) -> WindowLoss:
    """The closed form of an objective, for a domain of length one."""
    exponent = power(loss)
    if isinstance(aim.domain, Circle):
        return AtDistance(exponent, 0.5)
    if aim.objective == "average" and isinstance(aim.domain, Integers):
        numbers, weights = aim.values()
        places = (numbers - aim.domain.low) / aim.domain.length
        return AtSeveral(exponent, np.minimum(places, 1 - places), weights)
    if aim.objective == "average":
        return UnderPrior(exponent, aim.prior)
    place = 0.0 if aim.point is None else (aim.point - aim.domain.start) / aim.domain.length
    return AtDistance(exponent, min(place, 1 - place))


def _widths(domain: NumericDomain, epsilon: float, share: float) -> list[int]:
    """Numbers of cells worth trying: around the best share, and around those with the least rounding.

    The coin has 2²⁴ values. Where a report rarely ignores the true value, one of them more or less is a
    visible step, and the best width is the narrowest that a whole number of them allows.
    """
    cells = domain.lattice
    places = [share * cells, *(cells * even for even in _even_shares(epsilon, share))]
    steps = range(-NEIGHBOURS, NEIGHBOURS + 1, 2)
    return sorted({odd_near(place + step, cells) for place in places for step in steps})


def _even_shares(epsilon: float, share: float) -> Iterator[float]:
    """Shares near a given one for which a whole number of coin values is exactly what ε allows."""
    coins, gain = 1 << COIN_BITS, math.expm1(epsilon)
    wanted = int(coins / (1 + gain * share))
    for threshold in range(max(wanted - 1, 1), min(wanted + 3, coins)):
        even = (coins / threshold - 1) / gain
        if even < 1:
            yield even
