"""Rules for curves: the slope function, the rule that a client evaluates, and the weak learners of both.

A functional linear classifier scores a curve by f(x) = α + ∫ x(t) β(t) dt. Where β is far from zero, the
curve matters; its sign says for which class. With x = Σ zₖ φₖ and β = Σ cₖ φₖ the integral is zᵀG c, G being
the basis's Gram matrix. Two ways lead from a rule with weights b to c (Qin and Bai 2026, section 5.2):

* method I, ``"coefficients"``: c = b, as printed. The rule was trained on zᵀb, the slope answers zᵀG b. For
  an orthonormal basis both are the same; for B-splines the slope is a *different*, smoother classifier than
  the one that was trained. The paper's tables are those of this slope on unsquashed curves
  (``benchmarks/learning/functional_encoding.py``).
* method II, ``"curves"``: the classifier was trained on curves, so its weights are b = G c already, and
  c = G⁻¹b. The slope answers as the rule does.

A client evaluates the slope against its own, unsquashed curve. Only what is *reported* must lie between −1
and 1. Feedback is one bit whatever it was computed from, so the client scores its curve itself and not the
rescaled coefficients; that is what the paper's f(x) = α + ∫ x β means, and it is much better: on the
simulated curves of its section 6 a linear rule fitted to 100,000 people is wrong 13.1 % of the time on
tanh(z) and 9.9 % on z itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from noisewright.domains import Floats
from noisewright.errors import InvalidParameter
from noisewright.learn.bases import Base, find_base
from noisewright.learn.functional.basis import Basis, Rescaling, find_rescaling
from noisewright.learn.functional.features import FunctionalFeatures
from noisewright.learn.rules import ConstantRule, LinearRule, MixedRule, ReversedRule, Rule
from noisewright.learn.rules.base import RuleReader, bounded_row
from noisewright.parameters import one_of, real

METHODS = ("coefficients", "curves")
DRAWN_POINTS = 201


@dataclass(frozen=True, eq=False)
class Slope:
    """An intercept and a function β(t) in a basis: a linear classifier of curves that can be plotted.

    Attributes:
        basis: The functions φₖ.
        coefficients: The numbers cₖ of β = Σ cₖ φₖ.
        intercept: α.

    >>> from noisewright.learn.functional import BSplineBasis
    >>> slope = Slope.of(LinearRule([0.25, 0.25, 0.25, 0.25]), BSplineBasis(4), method="curves")
    >>> slope.values([0.0, 0.5, 1.0]).round(6).tolist()
    [1.0, 1.0, 1.0]
    """

    basis: Basis
    coefficients: Floats
    intercept: float = 0.0

    def __post_init__(self) -> None:
        object.__setattr__(
            self, "coefficients", bounded_row("the coefficients of a slope", self.coefficients)
        )
        object.__setattr__(self, "intercept", real("the intercept of a slope", self.intercept))
        if self.coefficients.size != self.basis.functions:
            raise InvalidParameter(
                f"a slope in {self.basis.functions} functions needs as many coefficients, "
                f"got {self.coefficients.size}"
            )

    @classmethod
    def of(cls, rule: LinearRule, basis: Basis, method: str = "curves") -> Slope:
        """Return the slope of a rule on coefficients, by method I ("coefficients") or II ("curves")."""
        as_printed = one_of("method", method, METHODS) == "coefficients"
        coefficients = rule.weights if as_printed else np.linalg.solve(basis.gram, rule.weights)
        return cls(basis, np.asarray(coefficients), rule.intercept)

    def values(self, grid: ArrayLike) -> Floats:
        """Return β(t) at the points of a grid."""
        return self.basis.curves(self.coefficients, grid)

    @cached_property
    def rule(self) -> LinearRule:
        """The same classifier as a rule on a curve's own, unrescaled coefficients: weights G c."""
        return LinearRule(self.basis.gram @ self.coefficients, self.intercept)

    def plot(self, axes: Any = None, *, label: str | None = None) -> Any:
        """Draw β(t) over the domain; return the matplotlib axes.

        Args:
            axes: Where to draw; None makes new axes.
            label: The name in the legend.
        """
        from noisewright.report.plots import new_axes  # noqa: PLC0415  (matplotlib is an extra)

        axes = axes if axes is not None else new_axes()
        grid = np.linspace(*self.basis.domain, DRAWN_POINTS)
        axes.axhline(0, color="gray", linewidth=0.8)
        axes.plot(grid, self.values(grid), label=label)
        axes.set(xlabel="t", ylabel="slope β(t)", xlim=self.basis.domain)
        return axes


@dataclass(frozen=True, eq=False)
class CurveRule(Rule):
    """A slope function applied to a curve: score = α + ∫ x(t) β(t) dt, from the curve's unit coefficients.

    The rescaling is undone first. After max-abs the curve's size cannot be recovered, and the curve of size
    1 is scored.

    Attributes:
        slope: The slope function and its intercept.
        rescaling: The map that brought the coefficients to [−1, 1].

    >>> from noisewright.learn.functional import BSplineBasis, Tanh
    >>> rule = CurveRule(Slope(BSplineBasis(4), [1.0, 1.0, 1.0, 1.0], -0.5), Tanh())
    >>> rule.scores(np.tanh([[2.0, 2.0, 2.0, 2.0]])).round(6).tolist()
    [1.5]
    """

    slope: Slope
    rescaling: Rescaling
    kind: ClassVar[str] = "curve"
    keys: ClassVar[tuple[str, ...]] = ("basis", "coefficients", "intercept", "rescale", "scale")

    def scores(self, units: Floats) -> Floats:
        return self.slope.rule.scores(self.rescaling.undo(units))

    def to_dict(self) -> dict[str, Any]:
        slope = {"coefficients": self.slope.coefficients.tolist(), "intercept": self.slope.intercept}
        rescaling = {"rescale": self.rescaling.name, "scale": self.rescaling.scale}
        return {"rule": self.kind, "basis": self.slope.basis.to_dict(), **slope, **rescaling}

    @classmethod
    def _read(cls, fields: Mapping[str, Any], reader: RuleReader) -> Self:
        coefficients = reader.numbers("the coefficients of a curve rule", fields["coefficients"])
        intercept = reader.number("the intercept of a curve rule", fields["intercept"])
        scale = reader.number("the scale of a curve rule", fields["scale"])
        basis = Basis.from_dict(fields["basis"])
        reader.basis(basis)  # its integrals are computed when the slope is used
        slope = Slope(basis, coefficients, intercept)
        return cls(slope, find_rescaling(fields["rescale"], scale))


def slope_of(rule: Rule) -> Slope:
    """Return the slope of a learned rule: of a curve rule, of a reversed one, or of a mean of scores.

    Args:
        rule: A curve rule, a reversed one, or a mixture of scores.

    >>> from noisewright.learn.functional import FourierBasis, Tanh
    >>> rule = CurveRule(Slope(FourierBasis(1), [2.0]), Tanh())
    >>> slope_of(MixedRule([rule, rule.reversed()], [0.75, 0.25])).coefficients.tolist()
    [1.0]
    """
    match rule:
        case CurveRule():
            return rule.slope
        case ReversedRule():
            parts = [(rule.rule, -1.0)]
        case MixedRule(how="scores"):
            parts = list(zip(rule.rules, rule.weights.tolist(), strict=True))
        case _:
            raise InvalidParameter(
                f"a {type(rule).__name__} has no slope function; give Slope.of a LinearRule and the basis"
            )
    # A constant rule has no slope but shifts the intercept.
    flat = sum(weight * (2 * part.code - 1) for part, weight in parts if isinstance(part, ConstantRule))
    slopes = [(slope_of(part), weight) for part, weight in parts if not isinstance(part, ConstantRule)]
    if len({slope.basis for slope, _ in slopes}) != 1:
        raise InvalidParameter("slopes can be averaged only if there is one, and all have the same basis")
    coefficients = np.sum([weight * slope.coefficients for slope, weight in slopes], axis=0)
    intercept = flat + sum(weight * slope.intercept for slope, weight in slopes)
    return Slope(slopes[0][0].basis, coefficients, intercept)


def curve_rule(rule: Rule, basis: Basis, rescaling: Rescaling, method: str) -> Rule:
    """Return a rule trained on reported coefficients as one that a client evaluates on its own curve."""
    if isinstance(rule, LinearRule):
        return CurveRule(Slope.of(rule, basis, method), rescaling)
    if isinstance(rule, ConstantRule):
        return rule
    raise InvalidParameter(
        f"only linear rules have a slope function, and the base made a {type(rule).__name__}"
    )


@dataclass(frozen=True)
class CurveBase(Base):
    """A base whose rules score curves (:class:`CurveRule`), for use in place of the base it wraps.

    With method II, "curves", the base sees the reconstructed curves: in coordinates v = Lᵀz with G = LLᵀ,
    lengths and angles are those of the curves, so a base that depends on these only (DWD, conjugate
    gradients, random directions) works in the space of curves and never needs a grid.

    Attributes:
        base: The base that is wrapped.
        basis: The basis of the reported coefficients.
        rescaling: The map that brought the coefficients to [−1, 1].
        method: "curves" (II), or "coefficients" (I) for reports as they are.
    """

    base: Base
    basis: Basis
    rescaling: Rescaling
    method: str = "curves"

    def __post_init__(self) -> None:
        one_of("method", self.method, METHODS)

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
        """Return a rule on v as the same rule on z: vᵀu = zᵀ(L u)."""
        if isinstance(rule, LinearRule):
            return LinearRule(self._isometry @ rule.weights, rule.intercept, rule.ties)
        return rule


def curve_base(
    base: object, features: FunctionalFeatures, *, method: str = "curves", intercept: bool = True
) -> CurveBase:
    """Return the weak learner for clients who report these features.

    Random directions use no report, so they can be drawn without any:

    Args:
        base: What :func:`find_base` takes: a name, a scikit-learn classifier or a base.
        features: The features that clients report.
        method: "curves" or "coefficients".
        intercept: Whether its rules have an intercept.

    >>> base = curve_base("random", FunctionalFeatures())
    >>> rule = base.fit(np.empty((0, 4)), np.empty(0), np.random.default_rng(1))
    >>> rule.slope.basis, rule.slope.intercept
    (BSplineBasis(functions=4, domain=(0.0, 1.0), degree=3), 0.0)
    """
    return CurveBase(find_base(base, intercept), features.functions, features.rescaling, method)
