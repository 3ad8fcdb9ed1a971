"""The best window mechanism for a loss and an objective.

Its expected loss is a function of its width in closed form.

Take a domain of length one and a window that covers a share w of it, placed as near to the true value as
possible. Inside the window a report is e^ε times as likely as outside, so with E = e^ε − 1

    expected loss(w) = (I(1) + E·I(w)) / (1 + E·w),        I(w) = ∫ loss over the window.

Only the distance d of the true value from the nearest end matters: the window reaches w/2 to both sides
where it fits (w ≤ 2d), and otherwise d to one side and w − d to the other. An average over true values
averages I. A circle has no ends: it is an interval seen from its middle, d = ½.

*The search finds the global minimum.* The window holds the smallest losses, so I′(w) is the loss at its far
edge, which grows with w: I is convex, and convex over affine has only one valley. The derivative vanishes if

    I′(w) = expected loss(w):

a place belongs in the window if and only if its loss is below the expected loss. The difference of the two
sides, times 1 + E·w, grows with w, and a bisection finds its root.

*The worst true value* is an end of the interval, for every ℓp loss: for d < w/2 the integral over the window
is d^(p+1) + (w − d)^(p+1) up to a factor, which falls with d; so does the integral over the whole domain
(w = 1), and from d = w/2 on only the latter changes. There the condition reads

    (p + 1)·w^p + p·E·w^(p+1) = 1,

for p = 1 the width 1/(e^(ε/2) + 1) of OGPM (Zheng 2026, thm 7), for p = 2 another one: the theorem's second
claim, that the same width is best for the squared error, does not hold.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from noisewright.design.aims import Aim
from noisewright.domains import Circle, Floats, Integers, NumericDomain
from noisewright.errors import InvalidParameter
from noisewright.mechanisms.basics.losses import Loss, power
from noisewright.mechanisms.basics.window import COIN_BITS
from noisewright.mechanisms.piecewise import odd_near
from noisewright.mechanisms.tuned import TunedWindow
from noisewright.parameters import EPSILON

NEIGHBOURS = 8
"""Further widths, in cells to each side, that are tried."""


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

    The formulas, and why the search finds the best width, are at the top of this file. On the mechanism's own
    lattice the widths around it are then compared by their exact laws.

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
    """Return the closed form of an objective, for a domain of length one."""
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
    """Return numbers of cells worth trying: around the best share, and around those with the least rounding.

    The coin has 2²⁴ values. Where a report rarely ignores the true value, one value more or less makes a
    visible difference, and the best width is the narrowest that a whole number of them allows.
    """
    cells = domain.lattice
    places = [share * cells, *(cells * even for even in _even_shares(epsilon, share))]
    steps = range(-NEIGHBOURS, NEIGHBOURS + 1, 2)
    return sorted({odd_near(place + step, cells) for place in places for step in steps})


def _even_shares(epsilon: float, share: float) -> Iterator[float]:
    """Return shares near a given one for which a whole number of coin values is exactly what ε allows."""
    coins, gain = 1 << COIN_BITS, math.expm1(epsilon)
    wanted = int(coins / (1 + gain * share))
    for threshold in range(max(wanted - 1, 1), min(wanted + 3, coins)):
        even = (coins / threshold - 1) / gain
        if even < 1:
            yield even


# -- the loss of windows of all widths ----------------------------------------------------------------------


@dataclass(frozen=True)
class WindowLoss(ABC):
    """The loss |report − truth|^power of windows of all shares of a domain of length one."""

    power: float

    @abstractmethod
    def inside(self, share: float) -> float:
        """Return I(w), the loss integrated over the window."""

    @abstractmethod
    def edge(self, share: float) -> float:
        """Return I′(w), the loss at the edge of the window that is further from the true value."""

    def expected(self, share: float, epsilon: float) -> float:
        """Return the expected loss of a report."""
        gain = math.expm1(epsilon)
        return (self.inside(1.0) + gain * self.inside(share)) / (1 + gain * share)

    def best_share(self, epsilon: float) -> float:
        """Return the share with the least expected loss, to the last digit.

        >>> round(AtDistance(1.0, distance=0.0).best_share(2.0), 6)   # 1/(e + 1)
        0.268941
        """
        low, high = 0.0, 1.0
        while low < (middle := (low + high) / 2) < high:
            if self.edge(middle) < self.expected(middle, epsilon):
                low = middle
            else:
                high = middle
        return high


@dataclass(frozen=True)
class AtDistance(WindowLoss):
    """The loss at one true value, ``distance`` away from the nearest end of the domain.

    >>> end = AtDistance(2.0, distance=0.0)   # the worst case of the squared error at ε = 1
    >>> round(end.expected(end.best_share(1.0), 1.0), 6)
    0.217299
    """

    distance: float

    def _reach(self, share: float) -> tuple[float, float]:
        """Return how far the window goes to its nearer and to its further edge."""
        near = min(self.distance, share / 2)
        return near, share - near

    def inside(self, share: float) -> float:
        near, far = self._reach(share)
        return float((near ** (self.power + 1) + far ** (self.power + 1)) / (self.power + 1))

    def edge(self, share: float) -> float:
        return float(self._reach(share)[1] ** self.power)


@dataclass(frozen=True, eq=False)
class AtSeveral(WindowLoss):
    """The loss averaged over single true values, by their distances from the nearest end and their weights.

    >>> two = AtSeveral(1.0, np.array([0.25, 0.25]), np.array([0.5, 0.5]))
    >>> two.inside(0.5) == AtDistance(1.0, 0.25).inside(0.5)
    True
    """

    distances: Floats
    weights: Floats

    def inside(self, share: float) -> float:
        near, exponent = np.minimum(self.distances, share / 2), self.power + 1
        return float(self.weights @ (near**exponent + (share - near) ** exponent) / exponent)

    def edge(self, share: float) -> float:
        near = np.minimum(self.distances, share / 2)
        return float(self.weights @ (share - near) ** self.power)


@dataclass(frozen=True)
class UnderPrior(WindowLoss):
    """The loss averaged over a prior on an interval: weights over equal parts, even within a part.

    >>> spread = UnderPrior(1.0, prior=(1.0,))
    >>> round(spread.expected(spread.best_share(1.0), 1.0), 4)
    0.2437
    """

    prior: tuple[float, ...]

    def inside(self, share: float) -> float:
        # ∫ d^(p+1) + (w − d)^(p+1) over d, and a constant from w/2 on
        exponent = self.power + 2
        near = np.minimum(self._knots, share / 2)
        bent = (near**exponent + share**exponent - (share - near) ** exponent) / (exponent * (exponent - 1))
        flat = (self._knots - near) * 2 * (share / 2) ** (exponent - 1) / (exponent - 1)
        return self._average(bent + flat)

    def edge(self, share: float) -> float:
        exponent = self.power + 1
        near = np.minimum(self._knots, share / 2)
        bent = (share**exponent - (share - near) ** exponent) / exponent
        return self._average(bent + (self._knots - near) * (share / 2) ** self.power)

    @property
    def _knots(self) -> Floats:
        """Distances of the ends of the parts from the nearest end of the domain; its middle is the last."""
        ends = np.arange(len(self.prior) + 1) / len(self.prior)
        return np.append(np.minimum(ends, 1 - ends), 0.5)

    def _average(self, running: Floats) -> float:
        """Return the average of a function over the prior, from its integral from an end to each knot."""
        ends, half = running[:-1], running[-1]
        past = np.arange(ends.size) * 2 > len(self.prior)
        along = np.where(past, 2 * half - ends, ends)
        return float(np.dot(self.prior, np.diff(along)) * len(self.prior))
