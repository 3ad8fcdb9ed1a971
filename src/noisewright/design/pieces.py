"""Densities in pieces: the least loss with any number of levels, and why three pieces are enough.

Zheng (2026, def. 4) lets a report of each true value have a density of m constant pieces, with m levels that
are the same for all true values and lie within a factor e^ε of each other, and cuts between them that depend
on the true value. Formulation 5.2 asks for the levels with the least worst-case loss, formulation 5.3 then
for the cuts at every other true value. The source solves both with a commercial solver for 10⁴ random pairs
(ε, x), sees three pieces each time, and leaves it as hypothesis 1. It can be proved.

**A bound for all densities.** Let f be any density whose values lie within a factor e^ε of each other, with
least value q, and L(y) the loss of report y at the true value x. For every number t

    E[L] − t = ∫ (L − t)·f  ≥  q·( ∫ (L − t)⁺ − e^ε ∫ (t − L)⁺ ),

because f is at least q where L > t and at most e^ε·q where L < t. The bracket falls as t grows; at its root
t* the right-hand side is zero, so no such density has an expected loss below t*, whatever its pieces. The
bound is met with equality by the density that is e^ε·q where L < t* and q elsewhere. If the loss grows with
the distance, {L < t*} is an interval around x: a window. Hence at every true value the best density has three
pieces (two if the window lies at an end), and :func:`least_loss` is t*.

**Formulation 5.2.** The worst case is at least the loss at an end, hence at least t* there. The window that
reaches t* at the end, moved along with x, does not lose more anywhere (``window.py``), so it is optimal
among all m, for every ℓp loss. **Formulation 5.3** takes q and e^ε·q from there. The inequality with this q,
and with the loss at the edge of the window for t, is again met by the window with equality: whatever levels
lie between the two, at every x the window is best. On a circle (5.4 and 5.5) the same holds with arcs.

*What it does not prove.* The levels of an m-piece mechanism are common to all reports. A mechanism whose
least density differs from report to report can do better, and ``noisewright.design.optimal_law`` finds it.
Nor is the width of theorem 7 the best one for the squared error.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from noisewright.design.window import AtDistance
from noisewright.domains import Floats
from noisewright.errors import InvalidParameter
from noisewright.mechanisms.basics.losses import Loss, power
from noisewright.parameters import EPSILON, real


@dataclass(frozen=True)
class Pieces:
    """A density of constant pieces on [0, 1]: ``levels[i]`` from ``cuts[i]`` to ``cuts[i + 1]``.

    Attributes:
        cuts: Where pieces begin and end, from 0 to 1; one more than there are levels.
        levels: The height of each piece.

    >>> three = Pieces(cuts=(0.0, 0.1, 0.5, 1.0), levels=(0.6, 1.6, 0.6))
    >>> round(three.mass, 3), round(three.epsilon, 3), round(three.expected(0.3, "absolute"), 3)
    (1.0, 0.981, 0.214)
    """

    cuts: tuple[float, ...]
    levels: tuple[float, ...]

    def __post_init__(self) -> None:
        if len(self.cuts) != len(self.levels) + 1 or not self.levels:
            raise InvalidParameter("pieces need one more cut than levels, and at least one level")

    @property
    def mass(self) -> float:
        """The total probability: one, for a density."""
        return float(np.dot(self.levels, np.diff(self.cuts)))

    @property
    def epsilon(self) -> float:
        """The logarithm of the ratio of the largest to the smallest level."""
        return math.log(max(self.levels) / min(self.levels))

    def expected(self, point: float, loss: Loss = "absolute") -> float:
        """Return the expected loss of a report at a true value."""
        integral = loss_integral(np.array(self.cuts), point, power(loss))
        return float(np.dot(self.levels, np.diff(integral)))

    def merged(self, tolerance: float = 1e-6) -> Pieces:
        """Return the same density without empty pieces and with equal neighbours joined.

        >>> Pieces((0.0, 0.2, 0.2, 0.7, 1.0), (1.0, 1.7, 1.0, 1.0)).merged()
        Pieces(cuts=(0.0, 1.0), levels=(1.0,))
        """
        cuts, levels = [0.0], list[float]()
        for end, width, level in zip(self.cuts[1:], np.diff(self.cuts), self.levels, strict=True):
            if levels and (width <= tolerance or abs(level - levels[-1]) <= tolerance * level):
                cuts[-1] = end
            elif width > tolerance:
                cuts.append(end)
                levels.append(level)
        return Pieces((*cuts[:-1], 1.0), tuple(levels))


def loss_integral(places: Floats, point: float, exponent: float) -> Floats:
    """Return the running integral of |y − point|^exponent from the point to each place."""
    away = places - point
    return np.asarray(np.sign(away) * np.abs(away) ** (exponent + 1) / (exponent + 1))


def least_loss(epsilon: float, point: float, loss: Loss = "absolute") -> float:
    """Return the least expected loss at a true value of [0, 1] over all densities within a factor e^ε.

    A proved bound for any number of pieces; see the top of this file. At an end it is the least worst case.

    Args:
        epsilon: Logarithm of the largest ratio between two levels.
        point: The true value, from 0 to 1.
        loss: "absolute", "squared" or the power of |report − truth|.

    >>> round(least_loss(1.0, 0.0), 4), round(least_loss(1.0, 0.3), 4)   # 1/(√e + 1) at an end
    (0.3775, 0.2124)
    """
    paper = _paper(point, loss)
    return paper.expected(paper.best_share(EPSILON.check(epsilon)), epsilon)


def three_pieces(epsilon: float, point: float, loss: Loss = "absolute", share: float | None = None) -> Pieces:
    """Return the window around a true value as three pieces.

    Args:
        epsilon: Logarithm of the ratio between the two levels.
        point: The true value, from 0 to 1.
        loss: "absolute", "squared" or the power of |report − truth|.
        share: Width of the window; by default the one with the least loss at the point.

    >>> [round(cut, 2) for cut in three_pieces(1.0, 0.5, share=0.38).cuts]
    [0.0, 0.31, 0.69, 1.0]
    """
    wide = _paper(point, loss).best_share(EPSILON.check(epsilon)) if share is None else share
    low = 1 / (1 + wide * math.expm1(epsilon))
    left = min(max(point - wide / 2, 0.0), 1 - wide)
    return Pieces((0.0, left, left + wide, 1.0), (low, low * math.exp(epsilon), low))


def unit_point(point: float) -> float:
    """Return a true value of [0, 1], or a refusal."""
    if not 0 <= real("the point", point) <= 1:
        raise InvalidParameter(f"must lie in [0, 1], got {point:g}; scale the domain to that", field="point")
    return float(point)


def _paper(point: float, loss: Loss) -> AtDistance:
    place = unit_point(point)
    return AtDistance(power(loss), min(place, 1 - place))
