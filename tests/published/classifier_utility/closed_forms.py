"""The paper's mechanisms as closed forms on paper, to hold the exact laws of the integers against.

All are on the unit interval.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np


def laplace_mass(epsilon: float, value: float, low: float, high: float) -> float:
    """P(low ≤ value + noise ≤ high) for Laplace noise of scale 1/ε; 1 − e^(−θε) for a ball of radius θ.

    >>> round(laplace_mass(2.0, 0.5, 0.2, 0.8), 3)
    0.451
    """

    def cumulative(point: float) -> float:
        tail = math.exp(-epsilon * abs(point - value)) / 2
        return tail if point < value else 1 - tail

    return cumulative(high) - cumulative(low)


@dataclass(frozen=True)
class PiecewiseLaw:
    """A density that has one height in a window around the value and e^−ε of it elsewhere in 0..1.

    The window reaches ``half`` to both sides of the value where it fits and lies at the end otherwise
    (Zheng and Hu, definitions 6, 11 and 12).
    """

    epsilon: float
    height: float
    half: float

    @classmethod
    def pm(cls, epsilon: float) -> PiecewiseLaw:
        """Definition 11, "PM normalized": the law that this package calls OGPM."""
        return cls(epsilon, math.exp(epsilon / 2), math.expm1(epsilon / 2) / (2 * math.expm1(epsilon)))

    @classmethod
    def sw(cls, epsilon: float) -> PiecewiseLaw:
        """Definition 12, "SW normalized": SW's width, but centred; ``TunedWindow`` with ``wave_share``."""
        grown = math.exp(epsilon)
        return cls(
            epsilon,
            math.expm1(epsilon) / epsilon,
            (grown * (epsilon - 1) + 1) / (2 * math.expm1(epsilon) ** 2),
        )

    def cumulative(self, value: float, point: float) -> float:
        """Return P(report ≤ point); for PM both branches of appendix C.4.2 at once.

        >>> round(PiecewiseLaw.pm(1.0).cumulative(0.79, 0.63), 4)
        0.4121
        """
        place = min(max(point, 0.0), 1.0)
        begin = min(max(value - self.half, 0.0), 1 - 2 * self.half)
        inside = min(max(place - begin, 0.0), 2 * self.half)
        return self.height * (inside + (place - inside) * math.exp(-self.epsilon))

    def mass(self, value: float, low: float, high: float) -> float:
        """Return P(low ≤ report ≤ high).

        >>> round(PiecewiseLaw.pm(2.0).mass(0.5, 0.2, 0.8), 3)     # 1 − 0.4/e
        0.853
        """
        return self.cumulative(value, high) - self.cumulative(value, low)


def krr_mass(epsilon: float, points: int, inside: int) -> float:
    """Return P(k-RR reports one of ``inside`` points), the true one among them, out of ``points``.

    The paper prints 2θ·|X| points in a ball, 60 of 100, and calls the result 0.63; that is what 61 of the
    101 points 0, 0.01, …, 1 give, which it also names as its X.

    >>> [round(krr_mass(2.0, *pair), 4) for pair in ((100, 60), (101, 61), (100, 61))]
    [0.624, 0.6275, 0.6334]
    """
    return (math.exp(epsilon) + inside - 1) / (math.exp(epsilon) + points - 1)


def exponential_masses(epsilon: float, value: float, points: np.ndarray) -> np.ndarray:
    """Return the exponential mechanism on given points, with minus the distance as its score (definition 13).

    >>> exponential_masses(2.0, 0.0, np.array([0.0, 1.0])).round(4).tolist()
    [0.7311, 0.2689]
    """
    weights = np.exp(-epsilon * np.abs(np.asarray(points) - value) / 2)
    return np.asarray(weights / weights.sum())


def gaussian_deviation(epsilon: float, delta: float) -> float:
    """σ of the extended Gaussian mechanism on the unit interval (theorem 4).

    >>> round(gaussian_deviation(1.0, 0.1), 4)
    2.6373
    """
    tail = math.log(2 / delta)
    return (math.sqrt(tail + epsilon) + math.sqrt(tail)) / (math.sqrt(2) * epsilon)


def gaussian_mass(epsilon: float, delta: float, value: float, low: float, high: float) -> float:
    """Return P(low ≤ value + noise ≤ high) for normal noise with the deviation of theorem 4."""
    scale = gaussian_deviation(epsilon, delta) * math.sqrt(2)
    return (math.erf((high - value) / scale) - math.erf((low - value) / scale)) / 2
