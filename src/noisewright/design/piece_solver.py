"""Find the best levels and cuts of m pieces numerically, without assuming how many are needed.

Both formulations of Zheng (2026, 5.2 and 5.3) are small smooth problems with several local minima: pieces of
equal levels, or of no width, can be moved about without any effect. So a local solver starts from many random
places, and the bound of ``pieces.py``, which holds for all densities, shows when the best has been found.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from noisewright.design.pieces import Pieces, least_loss, loss_integral, unit_point
from noisewright.design.window import AtDistance
from noisewright.domains import Floats
from noisewright.errors import InvalidParameter
from noisewright.mechanisms.basics.losses import Loss, power
from noisewright.parameters import EPSILON, real, whole

STARTS = 40
"""Random places to start from; with four pieces or more, about every second one leads to the best."""

ENOUGH = 1e-9
"""A loss within this relative distance of the bound needs no further start."""

SLIVER = 1e-4
"""A narrower piece is an artefact of the solver: it changes the loss by less than the square of this."""

MOST_PIECES = 16


@dataclass(frozen=True)
class Solution:
    """The result of a solver: merged pieces, their expected loss, and a lower bound."""

    pieces: Pieces
    expected: float
    bound: float

    @property
    def gap(self) -> float:
        """How far the expected loss may be above the least possible, relatively."""
        return self.expected / self.bound - 1


def best_pieces(
    count: int, epsilon: float, loss: Loss = "absolute", point: float = 0.0, *, seed: int = 0
) -> Solution:
    """Find the best levels and cuts of several pieces on [0, 1] at a true value: formulation 5.2.

    Args:
        count: Number of pieces, at least 2.
        epsilon: Logarithm of the largest ratio between two levels.
        loss: "absolute", "squared" or the power of |report − truth|.
        point: The true value, from 0 to 1. At an end, the default, the loss is the worst case (Zheng 2026,
            lemma 1); other points are section 5.5.
        seed: Of the starting points of the search.

    >>> found = best_pieces(4, epsilon=1.0, point=0.3)
    >>> len(found.pieces.levels), round(found.expected, 4), found.gap < 1e-8
    (3, 0.2124, True)
    """
    number = whole("the number of pieces", count, 2, MOST_PIECES)
    problem = _LevelsAndCuts(unit_point(point), power(loss), math.expm1(EPSILON.check(epsilon)), number)
    return _from_many_starts(problem.attempt, point, loss, least_loss(epsilon, point, loss), seed)


def place_pieces(
    levels: Sequence[float], point: float, loss: Loss = "absolute", *, seed: int = 0
) -> Solution:
    """Find the best cuts between pieces of given levels, in their order, at a true value: formulation 5.3.

    Args:
        levels: Heights of the pieces, above 0; 1 must lie between the least and the largest.
        point: The true value, from 0 to 1.
        loss: "absolute", "squared" or the power of |report − truth|.
        seed: Of the starting points of the search.

    >>> root = math.exp(0.5)
    >>> found = place_pieces([1 / root, 1.0, root, 1.2, 1 / root], point=0.3)
    >>> [round(level, 2) for level in found.pieces.levels], [round(cut, 2) for cut in found.pieces.cuts]
    ([0.61, 1.65, 0.61], [0.0, 0.11, 0.49, 1.0])
    """
    heights = np.array([real("a level", level) for level in levels])
    if heights.size < 2 or not 0 < heights.min() < 1 < heights.max():
        raise InvalidParameter(
            "must be above zero, and 1 must lie between the least and the largest", field="levels"
        )
    problem = _Cuts(unit_point(point), power(loss), heights)
    return _from_many_starts(problem.attempt, point, loss, problem.bound, seed)


def _from_many_starts(
    attempt: Callable[[np.random.Generator], Pieces], point: float, loss: Loss, bound: float, seed: int
) -> Solution:
    random = np.random.default_rng(seed)  # where to search, not what to report: no privacy rests on it
    best = Solution(Pieces((0.0, 1.0), (1.0,)), math.inf, bound)
    for _ in range(STARTS):
        found = attempt(random)
        if abs(found.mass - 1) < ENOUGH and (expected := found.expected(point, loss)) < best.expected:
            best = Solution(found, expected, bound)
        if best.gap < ENOUGH:
            break
    return best


@dataclass(frozen=True)
class _LevelsAndCuts:
    """The unknowns are the levels and then the inner cuts.

    A level is q·(1 + gain·u) with u in [0, 1]: the ratio e^ε becomes a pair of bounds, and q follows from the
    total mass, so the expected loss is a ratio of two sums over the pieces.
    """

    point: float
    exponent: float
    gain: float
    count: int

    def attempt(self, random: np.random.Generator) -> Pieces:
        start = np.concatenate([random.random(self.count), np.sort(random.random(self.count - 1))])
        found = _descend(self.ratio_and_slope, start, _in_order(self.count - 1, start.size))
        return self.sharpen(_tidy(found[self.count :])).merged()

    def ratio_and_slope(self, unknowns: Floats) -> tuple[float, Floats]:
        heights = 1 + self.gain * unknowns[: self.count]
        cuts = np.concatenate([[0.0], unknowns[self.count :], [1.0]])
        widths, losses = np.diff(cuts), np.diff(loss_integral(cuts, self.point, self.exponent))
        mass = heights @ widths
        ratio = heights @ losses / mass
        rise = np.abs(cuts[1:-1] - self.point) ** self.exponent - ratio
        slope = [self.gain * (losses - ratio * widths), -np.diff(heights) * rise]
        return float(ratio), np.concatenate(slope) / mass

    def sharpen(self, cuts: Floats) -> Pieces:
        """Return the best levels for given cuts: high where the mean loss is below the ratio, else low."""
        widths, losses = np.diff(cuts), np.diff(loss_integral(cuts, self.point, self.exponent))
        ratio = losses.sum()
        while True:
            heights = np.where(losses < ratio * widths, 1 + self.gain, 1.0)
            if not (better := heights @ losses / (heights @ widths)) < ratio:
                return Pieces(tuple(cuts.tolist()), tuple((heights / (heights @ widths)).tolist()))
            ratio = better


@dataclass(frozen=True)
class _Cuts:
    """The unknowns are the inner cuts; the levels are given, and the total mass is a constraint."""

    point: float
    exponent: float
    levels: Floats

    @property
    def bound(self) -> float:
        """The loss of the window with the least and the largest level."""
        least, largest = float(self.levels.min()), float(self.levels.max())
        paper = AtDistance(self.exponent, min(self.point, 1 - self.point))
        return paper.expected((1 - least) / (largest - least), math.log(largest / least))

    def attempt(self, random: np.random.Generator) -> Pieces:
        rough = self._improve(np.sort(random.random(self.levels.size - 1))).merged(SLIVER)
        again = _Cuts(self.point, self.exponent, np.array(rough.levels))
        return again._improve(np.array(rough.cuts[1:-1])) if len(rough.levels) > 1 else rough

    def _improve(self, start: Floats) -> Pieces:
        steps = -np.diff(self.levels)
        mass = {"type": "eq", "fun": lambda cuts: steps @ cuts + self.levels[-1] - 1, "jac": lambda _: steps}
        found = _descend(self.loss_and_slope, start, [*_in_order(start.size, start.size), mass])
        return Pieces(tuple(_tidy(found).tolist()), tuple(self.levels.tolist()))

    def loss_and_slope(self, inner: Floats) -> tuple[float, Floats]:
        cuts = np.concatenate([[0.0], inner, [1.0]])
        loss = self.levels @ np.diff(loss_integral(cuts, self.point, self.exponent))
        return float(loss), -np.diff(self.levels) * np.abs(inner - self.point) ** self.exponent


def _in_order(cuts: int, unknowns: int) -> list[dict[str, Any]]:
    """Return the constraint that the last ``cuts`` unknowns do not fall."""
    differences = np.diff(np.eye(unknowns), axis=0)[unknowns - cuts :]
    if differences.size == 0:
        return []
    return [{"type": "ineq", "fun": lambda unknown: differences @ unknown, "jac": lambda _: differences}]


def _descend(
    function: Callable[[Floats], tuple[float, Floats]], start: Floats, constraints: list[dict[str, Any]]
) -> Floats:
    """Return a local minimum in the unit cube, by sequential quadratic programming."""
    from scipy.optimize import minimize  # noqa: PLC0415  (takes a moment to load)

    found = minimize(
        function, start, jac=True, method="SLSQP", bounds=[(0.0, 1.0)] * start.size,
        constraints=constraints, options={"ftol": 1e-15, "maxiter": 500},
    )  # fmt: skip
    return np.asarray(found.x, dtype=np.float64)


def _tidy(inner: Floats) -> Floats:
    """Return all cuts from 0 to 1, in order even where rounding broke it."""
    return np.concatenate([[0.0], np.maximum.accumulate(np.clip(inner, 0.0, 1.0)), [1.0]])
