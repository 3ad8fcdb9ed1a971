"""Weak learners of curves: any linear base, trained on randomized coefficients or on the curves they make."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from noisewright.domains import Floats
from noisewright.errors import InvalidParameter
from noisewright.learn.bases import Base, find_base
from noisewright.learn.functional.basis import Basis
from noisewright.learn.functional.features import FunctionalFeatures
from noisewright.learn.functional.rescaling import Rescaling
from noisewright.learn.functional.rule import curve_rule
from noisewright.learn.functional.slope import find_method
from noisewright.learn.rules import LinearRule, Rule


@dataclass(frozen=True)
class CurveBase(Base):
    """A base whose rules score curves (:class:`CurveRule`), for use in place of the base it wraps.

    With ``method="coefficients"`` (I) the base sees the reports as they are. With ``"curves"`` (II) it sees
    the reconstructed curves: in coordinates v = Lᵀz with G = LLᵀ, lengths and angles are those of the curves,
    so a base that depends on these only (DWD, conjugate gradients, random directions) works in the space of
    curves and never needs a grid.
    """

    base: Base
    basis: Basis
    rescaling: Rescaling
    method: str = "curves"

    def __post_init__(self) -> None:
        find_method(self.method)

    @property
    def trained(self) -> bool:
        return self.base.trained

    @cached_property
    def _isometry(self) -> Floats:
        if self.method == "coefficients":
            return np.eye(self.basis.functions)
        return np.asarray(np.linalg.cholesky(self.basis.gram), dtype=np.float64)

    def fit_many(self, units: ArrayLike, signs: ArrayLike, generator: np.random.Generator) -> list[Rule]:
        stacked = np.asarray(units, dtype=np.float64)
        if stacked.ndim == 0 or stacked.shape[-1] != self.basis.functions:
            raise InvalidParameter(
                f"the reports must have {self.basis.functions} coefficients, one a function"
            )
        rules = self.base.fit_many(stacked @ self._isometry, signs, generator)
        return [curve_rule(self._back(rule), self.basis, self.rescaling, self.method) for rule in rules]

    def _back(self, rule: Rule) -> Rule:
        """A rule on v as the same rule on z: vᵀu = zᵀ(L u)."""
        if isinstance(rule, LinearRule):
            return LinearRule(self._isometry @ rule.weights, rule.intercept, rule.ties)
        return rule


def curve_base(
    base: object, features: FunctionalFeatures, *, method: str = "curves", intercept: bool = True
) -> CurveBase:
    """The weak learner for clients who report these features.

    Random directions look at no report, so they can be drawn without any:

    >>> base = curve_base("random", FunctionalFeatures())
    >>> rule = base.fit(np.empty((0, 4)), np.empty(0), np.random.default_rng(1))
    >>> rule.slope.basis, rule.slope.intercept
    (BSplineBasis(functions=4, domain=(0.0, 1.0), degree=3), 0.0)
    """
    return CurveBase(find_base(base, intercept), features.functions, features.rescaling, method)
