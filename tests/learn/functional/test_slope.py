"""Slope functions, the rules that clients evaluate on their own curves, and the learners that make them."""

from __future__ import annotations

import json

import numpy as np
import pytest

from noisewright.errors import InvalidParameter
from noisewright.learn.bases import find_base
from noisewright.learn.functional import (
    BSplineBasis,
    CurveBase,
    CurveRule,
    FourierBasis,
    FunctionalFeatures,
    MaxAbs,
    Slope,
    Tanh,
    curve_base,
    slope_of,
)
from noisewright.learn.rules import ConstantRule, LinearRule, MixedRule, Rule

SPLINES = BSplineBasis(6, (0.0, 2.0))
DRAW = np.random.default_rng(1)
WEIGHTS, COEFFICIENTS = DRAW.normal(size=6), DRAW.normal(size=(50, 6))


def integral(left, right, domain):
    """∫ of a product by the midpoint rule, without the Gram matrix that it checks."""
    points = domain[0] + (domain[1] - domain[0]) * (np.arange(4000) + 0.5) / 4000
    return (left(points) * right(points)).mean(axis=-1) * (domain[1] - domain[0])


def scores_by_integral(slope, coefficients):
    curves = lambda points: slope.basis.curves(coefficients, points)  # noqa: E731
    return slope.intercept + integral(curves, slope.values, slope.basis.domain)


def test_method_two_answers_as_the_rule_on_coefficients_does():
    rule = LinearRule(WEIGHTS, 0.3)
    slope = Slope.of(rule, SPLINES, method="curves")
    assert np.allclose(scores_by_integral(slope, COEFFICIENTS), rule.scores(COEFFICIENTS), rtol=0, atol=1e-4)
    assert np.allclose(slope.rule.weights, WEIGHTS)
    assert slope.rule.intercept == 0.3


def test_method_one_as_printed_is_another_classifier_for_splines():
    rule = LinearRule(WEIGHTS, 0.3)
    slope = Slope.of(rule, SPLINES, method="coefficients")
    assert np.array_equal(slope.coefficients, WEIGHTS)
    assert np.allclose(scores_by_integral(slope, COEFFICIENTS), slope.rule.scores(COEFFICIENTS), atol=1e-4)
    assert (slope.rule.predict(COEFFICIENTS) != rule.predict(COEFFICIENTS)).any()


def test_for_an_orthonormal_basis_both_methods_agree():
    rule = LinearRule(WEIGHTS[:5], -0.1)
    one, two = (Slope.of(rule, FourierBasis(5), method) for method in ("coefficients", "curves"))
    assert np.allclose(one.coefficients, two.coefficients)
    assert np.allclose(
        scores_by_integral(one, COEFFICIENTS[:, :5]), rule.scores(COEFFICIENTS[:, :5]), atol=1e-4
    )


def test_a_curve_rule_scores_the_curve_behind_the_units():
    slope = Slope(SPLINES, WEIGHTS, 0.2)
    rule = CurveRule(slope, Tanh(3.0))
    scores = rule.scores(Tanh(3.0).shrink(COEFFICIENTS))
    assert np.allclose(scores, scores_by_integral(slope, COEFFICIENTS), rtol=0, atol=1e-4)


def test_without_intercept_max_abs_loses_no_answer():
    rule = CurveRule(Slope(SPLINES, WEIGHTS), MaxAbs())
    assert np.array_equal(rule.predict(MaxAbs().shrink(COEFFICIENTS)), rule.slope.rule.predict(COEFFICIENTS))


@pytest.mark.parametrize("rescaling", [Tanh(2.5), MaxAbs()], ids=repr)
def test_a_curve_rule_travels_and_scores_the_same(rescaling):
    rule = CurveRule(Slope(SPLINES, WEIGHTS, 0.2), rescaling)
    units = rescaling.shrink(COEFFICIENTS)
    again = Rule.from_dict(json.loads(json.dumps(rule.to_dict())))
    assert np.array_equal(again.scores(units), rule.scores(units))
    assert np.array_equal(again.scores(units[[3]]), rule.scores(units)[[3]])
    assert np.array_equal(rule.reversed().predict(units), 1 - rule.predict(units))


@pytest.mark.parametrize(
    "change",
    [
        {"coefficients": [1.0]},
        {"coefficients": ["a"] * 6},
        {"basis": {"basis": "b-spline", "functions": 10**9, "domain": [0, 1], "degree": 3}},
        {"basis": {"basis": "unknown"}},
        {"rescale": "exec"},
        {"scale": -1.0},
        {"scale": float("nan")},
        {"intercept": float("inf")},
        {"more": 1},
    ],
)
def test_a_broken_description_is_refused(change):
    description = {**CurveRule(Slope(SPLINES, WEIGHTS), Tanh()).to_dict(), **change}
    with pytest.raises(InvalidParameter):
        Rule.from_dict(description)


def test_saturated_units_still_have_finite_scores():
    rule = CurveRule(Slope(SPLINES, WEIGHTS), Tanh())
    assert np.isfinite(rule.scores(np.ones((1, 6)))).all()


def test_the_slope_of_a_mixture_is_the_mixture_of_slopes():
    rules = [
        CurveRule(Slope(SPLINES, row, level), Tanh())
        for row, level in zip(COEFFICIENTS[:3], (1, 2, 3), strict=True)
    ]
    mixture = MixedRule([rules[0], rules[1].reversed(), ConstantRule(0)], [0.5, 0.3, 0.2])
    slope = slope_of(mixture)
    units = Tanh().shrink(COEFFICIENTS)
    assert np.allclose(slope.rule.scores(COEFFICIENTS), mixture.scores(units))
    with pytest.raises(InvalidParameter, match="LinearRule has no slope function"):
        slope_of(LinearRule([1.0]))
    with pytest.raises(InvalidParameter, match="has no slope function"):
        slope_of(MixedRule(rules, [1, 1, 1], how="votes"))
    with pytest.raises(InvalidParameter, match="only if there is one"):
        slope_of(MixedRule([ConstantRule(1)], [1.0]))


def test_slopes_that_do_not_fit_are_refused():
    with pytest.raises(InvalidParameter, match="6 functions needs as many coefficients, got 2"):
        Slope(SPLINES, [1.0, 2.0])
    with pytest.raises(InvalidParameter, match="method must be one of coefficients, curves"):
        Slope.of(LinearRule(WEIGHTS), SPLINES, "III")


def test_a_slope_can_be_drawn():
    pytest.importorskip("matplotlib").use("Agg")
    slope = Slope(SPLINES, WEIGHTS)
    axes = slope.plot(label="β")
    line = axes.get_lines()[-1]
    assert np.allclose(line.get_ydata(), slope.values(line.get_xdata()))
    assert axes.get_xlim() == (0.0, 2.0)
    assert slope.plot(axes) is axes


# -- learners ---------------------------------------------------------------------------------------


def samples(count=4, people=60):
    draw = np.random.default_rng(2)
    reports = draw.normal(size=(count, people, 6))
    signs = np.where(reports @ [1, 1, 1, 0, 0, 0] + draw.normal(size=(count, people)) > 0, 1, -1)
    return reports, signs


@pytest.mark.parametrize("name", ["dwd", "gradient"])
def test_method_two_trains_on_curves(name):
    """A learner that depends on lengths and angles finds the same slope from curves on a fine grid."""
    reports, signs = samples()
    basis = BSplineBasis(6)
    points = (np.arange(100) + 0.5) / 100
    on_grid = find_base(name).fit_many(
        basis.curves(reports, points) / np.sqrt(100), signs, np.random.default_rng(0)
    )
    ours = CurveBase(find_base(name), basis, Tanh(), "curves").fit_many(
        reports, signs, np.random.default_rng(0)
    )
    for grid_rule, rule in zip(on_grid, ours, strict=True):
        assert np.allclose(rule.slope.values(points), grid_rule.weights * np.sqrt(100), rtol=0.01, atol=0.01)
        assert rule.slope.intercept == pytest.approx(grid_rule.intercept, abs=1e-2)


def test_method_one_trains_on_reports_as_they_are():
    reports, signs = samples()
    plain = find_base("logistic").fit_many(reports, signs, np.random.default_rng(0))
    ours = CurveBase(find_base("logistic"), SPLINES, Tanh(), "coefficients")
    for rule, curve in zip(plain, ours.fit_many(reports, signs, np.random.default_rng(0)), strict=True):
        assert np.allclose(curve.slope.coefficients, rule.weights)
        assert curve.slope.intercept == pytest.approx(rule.intercept)


def test_one_class_stays_a_constant_rule_and_intercepts_can_be_left_out():
    features = FunctionalFeatures(SPLINES, "max-abs")
    reports, signs = samples()
    signs[0] = 1
    rules = curve_base("svm", features, intercept=False).fit_many(reports, signs, np.random.default_rng(0))
    assert isinstance(rules[0], ConstantRule)
    assert [rule.slope.intercept for rule in rules[1:]] == [0.0] * 3
    assert rules[1].rescaling == MaxAbs()


def test_rules_without_a_slope_and_reports_of_another_width_are_refused():
    from sklearn.tree import DecisionTreeClassifier

    reports, signs = samples()
    with pytest.raises(InvalidParameter, match="only linear rules have a slope function"):
        curve_base(DecisionTreeClassifier(), FunctionalFeatures(SPLINES)).fit_many(
            reports, signs, np.random.default_rng(0)
        )
    with pytest.raises(InvalidParameter, match="must have 4 coefficients"):
        curve_base("svm", FunctionalFeatures()).fit_many(reports, signs, np.random.default_rng(0))
