"""What all linear bases share: stacks equal single fits, no intercept on request, and no data that stops them."""

from __future__ import annotations

import numpy as np
import pytest

from learn.bases.samples import noisy_samples, vectors
from noisewright.errors import InvalidParameter
from noisewright.learn.bases import ConjugateGradient, DistanceWeighted, Logistic, SupportVector
from noisewright.learn.rules import ConstantRule, LinearRule

KINDS = [Logistic, SupportVector, DistanceWeighted, ConjugateGradient]
GENERATOR = np.random.default_rng(0)

pytestmark = pytest.mark.parametrize("kind", KINDS)


def fitted(base, units, signs):
    return vectors(base.fit_many(units, signs, GENERATOR))


@pytest.mark.parametrize("intercept", [True, False])
def test_a_stack_is_fitted_like_its_samples_one_by_one(kind, intercept):
    units, signs = noisy_samples(1)
    base = kind(intercept)
    singles = vectors([base.fit(*sample, GENERATOR) for sample in zip(units, signs, strict=True)])
    np.testing.assert_allclose(fitted(base, units, signs), singles, rtol=1e-6, atol=1e-8)


def test_without_intercept_hyperplanes_pass_through_the_origin_and_have_other_slopes(kind):
    units, signs = noisy_samples(2)
    free, bound = fitted(kind(), units, signs), fitted(kind(intercept=False), units, signs)
    assert (bound[:, -1] == 0).all()
    assert (np.abs(free[:, -1]) > 1e-3).any()
    np.testing.assert_array_equal(
        np.allclose(free[:, :-1], bound[:, :-1], rtol=1e-3), kind is ConjugateGradient
    )


def test_nothing_is_drawn_from_the_generator(kind):
    units, signs = noisy_samples(3)
    generator = np.random.default_rng(4)
    kind().fit_many(units, signs, generator)
    assert generator.random() == np.random.default_rng(4).random()


@pytest.mark.parametrize("intercept", [True, False])
def test_opposite_labels_give_the_opposite_rule(kind, intercept):
    units, signs = noisy_samples(5)
    base = kind(intercept)
    np.testing.assert_allclose(fitted(base, units, -signs), -fitted(base, units, signs), rtol=1e-5, atol=1e-7)


@pytest.mark.parametrize("intercept", [True, False])
def test_separable_samples_are_separated(kind, intercept):
    generator = np.random.default_rng(6)
    directions = generator.normal(size=(20, 3))
    units = generator.uniform(-1, 1, (20, 40, 3))
    signs = np.sign((units @ directions[:, :, None])[:, :, 0]).astype(int)
    # Room between the classes; the conjugate gradients need all steps to find the boundary of a cube.
    units += (
        0.2 * signs[:, :, None] * (directions / np.linalg.norm(directions, axis=1, keepdims=True))[:, None]
    )
    rules = kind(intercept).fit_many(units, signs, GENERATOR)
    right = np.array(
        [np.mean(rule.predict(x) == (y > 0)) for rule, x, y in zip(rules, units, signs, strict=True)]
    )
    exact = kind in {Logistic, SupportVector}
    assert (right == 1).all() if exact else (right > 0.85).all()


@pytest.mark.parametrize("intercept", [True, False])
def test_constant_and_repeated_columns_do_no_harm(kind, intercept):
    units, signs = noisy_samples(7, samples=3)
    dull = np.concatenate([units, np.zeros_like(units[:, :, :1]), units[:, :, :1]], axis=2)
    with_dull, plain = (
        kind(intercept).fit_many(dull, signs, GENERATOR),
        kind(intercept).fit_many(units, signs, GENERATOR),
    )
    for rule, other, x, wide in zip(with_dull, plain, units, dull, strict=True):
        assert rule.weights[4] == pytest.approx(0, abs=1e-6)
        assert np.corrcoef(rule.scores(wide), other.scores(x))[0, 1] > 0.9


def test_a_column_of_ones_beside_an_intercept_gets_no_weight_of_its_own(kind):
    units, signs = noisy_samples(8, samples=3)
    wide = np.concatenate([units, np.ones_like(units[:, :, :1])], axis=2)
    weights = fitted(kind(), wide, signs)
    np.testing.assert_allclose(weights[:, 4], 0, atol=1e-4)


def test_units_of_any_size_are_taken(kind):
    units, signs = noisy_samples(9, samples=3)
    for size in (1e-6, 1e6):
        assert np.isfinite(fitted(kind(), size * units, signs)).all()


def test_units_that_are_all_zero_give_a_rule(kind):
    _, signs = noisy_samples(10, samples=2)
    rules = kind().fit_many(np.zeros((2, 60, 3)), signs, GENERATOR)
    assert all(np.abs(rule.weights).max() < 1e-6 for rule in rules)


def test_one_class_only_becomes_the_constant_rule_and_the_others_are_fitted(kind):
    units, signs = noisy_samples(11, samples=4)
    signs[1], signs[3] = 1, -1
    rules = kind().fit_many(units, signs, GENERATOR)
    assert [type(rule) for rule in rules] == [LinearRule, ConstantRule] * 2
    assert [rules[place].code for place in (1, 3)] == [1, 0]
    alone = kind().fit(units[2], signs[2], GENERATOR)
    np.testing.assert_allclose(rules[2].weights, alone.weights, rtol=1e-6)
    assert type(kind().fit(units[1], signs[1], GENERATOR)) is ConstantRule


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (lambda x, y: (x[0], y), "shape"),
        (lambda x, y: (x, y[:, 1:]), "shape"),
        (lambda x, y: (x[:, :0], y[:, :0]), "shape"),
        (lambda x, y: (np.where(x > 1, np.nan, x), y), "finite"),
        (lambda x, y: (x, (y > 0).astype(int)), "signs must be -1 or 1"),
    ],
)
def test_bad_samples_are_refused_with_a_reason(kind, spoil, words):
    with pytest.raises(InvalidParameter, match=words):
        kind().fit_many(*spoil(*noisy_samples(12)), GENERATOR)
