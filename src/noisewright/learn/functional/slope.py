"""The slope function: what a rule on coefficients says about the curve itself.

A functional linear classifier scores a curve by f(x) = α + ∫ x(t) β(t) dt. Where β is far from zero, the
curve matters; its sign says for which class. With x = Σ zₖ φₖ and β = Σ cₖ φₖ the integral is zᵀG c, G being
the basis's Gram matrix. Two ways lead from a rule with weights b to c (Qin and Bai 2026, section 5.2):

* method I, ``"coefficients"``: c = b, as printed. The rule was trained on zᵀb, the slope answers zᵀG b. For
  an orthonormal basis both are the same; for B-splines the slope is a *different*, smoother classifier than
  the one that was trained. The paper's tables are those of this slope on unsquashed curves
  (``benchmarks/learning/functional_encoding.py``).
* method II, ``"curves"``: the classifier was trained on curves, so its weights are b = G c already, and
  c = G⁻¹b. The slope answers as the rule does.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from noisewright.domains import Floats
from noisewright.errors import InvalidParameter
from noisewright.learn.functional.basis import Basis
from noisewright.learn.rules import LinearRule
from noisewright.learn.rules.reading import bounded
from noisewright.parameters import real

DRAWN_POINTS = 201


@dataclass(frozen=True, eq=False)
class Slope:
    """An intercept and a function β(t) in a basis: a linear classifier of curves that can be looked at.

    >>> from noisewright.learn.functional import BSplineBasis
    >>> slope = Slope.of(LinearRule([0.25, 0.25, 0.25, 0.25]), BSplineBasis(4), method="curves")
    >>> slope.values([0.0, 0.5, 1.0]).round(6).tolist()
    [1.0, 1.0, 1.0]
    """

    basis: Basis
    coefficients: Floats
    intercept: float = 0.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "coefficients", bounded("the coefficients of a slope", self.coefficients))
        object.__setattr__(self, "intercept", real("the intercept of a slope", self.intercept))
        if self.coefficients.size != self.basis.functions:
            raise InvalidParameter(
                f"a slope in {self.basis.functions} functions needs as many coefficients, "
                f"got {self.coefficients.size}"
            )

    @classmethod
    def of(cls, rule: LinearRule, basis: Basis, method: str = "curves") -> Slope:
        """The slope of a rule on coefficients, by method I ("coefficients") or method II ("curves")."""
        return cls(basis, find_method(method)(rule.weights, basis), rule.intercept)

    def values(self, grid: ArrayLike) -> Floats:
        """β(t) at the points of a grid."""
        return self.basis.curves(self.coefficients, grid)

    @cached_property
    def rule(self) -> LinearRule:
        """The same classifier as a rule on a curve's own, unrescaled coefficients: weights G c."""
        return LinearRule(self.basis.gram @ self.coefficients, self.intercept)

    def cosine(self, other: Slope) -> float:
        """How alike two slopes point, from −1 to 1: ∫ β γ over the product of their norms."""
        if other.basis != self.basis:
            raise InvalidParameter("two slopes can be compared only in the same basis")
        gram = self.basis.gram
        mine, theirs = self.coefficients, other.coefficients
        norms = np.sqrt((mine @ gram @ mine) * (theirs @ gram @ theirs))
        return float(mine @ gram @ theirs / norms) if norms > 0 else 0.0

    def plot(self, axes: Any = None, *, label: str | None = None) -> Any:
        """Draw β(t) over the domain; returns the matplotlib axes."""
        from noisewright.mechanisms.drawing import new_axes  # noqa: PLC0415  (matplotlib is an extra)

        axes = axes if axes is not None else new_axes()
        grid = np.linspace(*self.basis.domain, DRAWN_POINTS)
        axes.axhline(0, color="gray", linewidth=0.8)
        axes.plot(grid, self.values(grid), label=label)
        axes.set(xlabel="t", ylabel="slope β(t)", xlim=self.basis.domain)
        return axes


def _as_printed(weights: Floats, basis: Basis) -> Floats:
    return weights


def _through_gram(weights: Floats, basis: Basis) -> Floats:
    return np.asarray(np.linalg.solve(basis.gram, weights), dtype=np.float64)


METHODS: dict[str, Callable[[Floats, Basis], Floats]] = {
    "coefficients": _as_printed,
    "curves": _through_gram,
}


def find_method(name: Any) -> Callable[[Floats, Basis], Floats]:
    """From the weights of a rule to the coefficients of its slope, by the name of the method."""
    if not isinstance(name, str) or name not in METHODS:
        raise InvalidParameter(f"method must be one of {', '.join(METHODS)}, got {name!r}")
    return METHODS[name]
