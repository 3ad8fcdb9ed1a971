"""Products through one channel: unbiased by exact laws, never above ε, better than products of reports."""

import json
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from noisewright.errors import InvalidParameter, NoisewrightError
from noisewright.learn.questions import ProductQuestion, Question, RecordProduct, ScoreQuestion
from noisewright.learn.questions.base import choice_channel, unit_channel
from noisewright.learn.rules import ConstantRule, LinearRule
from noisewright.randomness import SeededSource

PRODUCTS = (
    RecordProduct((0,)), RecordProduct((1, 1)), RecordProduct((0, 1)), RecordProduct((), label=True), RecordProduct((1,), label=True, centre=-0.3),
    RecordProduct((0, 1), label=True, centre=0.5), RecordProduct((1, 1), label=True),
)  # fmt: skip
UNITS = np.random.default_rng(1).uniform(-1, 1, (200, 2))
LABELS = np.arange(200) % 2


def plain(product):
    """The product computed without any stretching."""
    value = np.ones(len(UNITS))
    for column in product.columns:
        value = value * UNITS[:, column]
    return value * (2 * LABELS - 1 - product.centre) if product.label else value


@pytest.mark.parametrize("product", PRODUCTS)
@pytest.mark.parametrize("mechanism", ["Hybrid", "PM", "designed"])
def test_every_moment_is_unbiased_by_the_exact_law(product, mechanism):
    question = ProductQuestion(1.0, (product,), mechanism)
    numbers = product.numbers(UNITS, LABELS)
    assert np.abs(numbers).max() <= 1
    assert product.restored(question.channel.law(numbers).mean()) == pytest.approx(plain(product), abs=1e-5)


def test_the_whole_range_is_used():
    ends = np.array([[-1.0, 0.0], [1.0, 1.0]])
    assert RecordProduct((1, 1)).numbers(ends, np.array([0, 1])).tolist() == [-1, 1]
    assert RecordProduct((0,), label=True, centre=0.5).numbers(ends, np.array([0, 0])).tolist() == [1, -1]


def test_drawn_answers_have_the_right_mean():
    """Seeded; a right sampler fails with probability 1e-9 (6.1 standard errors of 8·10⁴ answers a product).

    Power: the bound is below 0.05, so a mean that is off by 0.1 is found as surely.
    """
    question = ProductQuestion(8.0, PRODUCTS[:4], "PM")
    units, labels = np.tile(UNITS, (400, 1)), np.tile(LABELS, 400)
    answers = question.answers(units, labels, SeededSource(5))
    for product, column in zip(PRODUCTS, answers.T, strict=False):
        restored = product.restored(column)
        assert abs(restored.mean() - plain(product).mean()) < 6.1 * restored.std() / np.sqrt(len(restored))
        assert 6.1 * restored.std() / np.sqrt(len(restored)) < 0.05


@pytest.mark.parametrize(("epsilon", "factor"), [(0.5, 190), (1.0, 50), (4.0, 8), (8.0, 5), (20.0, 4.5)])
def test_one_product_beats_the_product_of_two_reports(epsilon, factor):
    """Exact variances, at every z, against the best of 19 splits and three channels for the two reports."""
    places = np.linspace(-1, 1, 41)
    split = np.full(41, np.inf)
    for share in np.linspace(0.05, 0.95, 19):
        gain = 1 / (2 * choice_channel(2, epsilon * share).hit - 1)
        for mechanism in ("PM", "Hybrid", "Duchi"):
            law = unit_channel(mechanism, epsilon * (1 - share)).law(places)
            split = np.minimum(split, (law.variance() + law.mean() ** 2) * gain**2 - places**2)
    assert (split > factor * unit_channel("PM", epsilon).law(places).variance()).all()


@settings(max_examples=50, deadline=None)
@given(st.floats(0.01, 32), st.integers(1, 60))
def test_the_parts_never_exceed_epsilon(epsilon, count):
    question = ProductQuestion(epsilon, (RecordProduct((0,)),) * count, "Duchi")
    assert (
        Fraction(epsilon) * Fraction(999_999, 1_000_000)
        < count * Fraction(question.part)
        <= Fraction(epsilon)
    )
    assert question.channel.epsilon_upper <= question.part


# -- scores -------------------------------------------------------------------------------------------


def test_scores_take_the_place_of_columns():
    rules = (LinearRule([0.5, 0.5]), LinearRule([3.0, 0.0], 1.0))
    question = ScoreQuestion(2.0, rules, (RecordProduct((0, 1)),), "PM")
    scores = np.column_stack([UNITS.mean(axis=1), np.clip(3 * UNITS[:, 0] + 1, -1, 1)])
    assert question.scores(UNITS) == pytest.approx(scores)
    plainly = ProductQuestion(2.0, (RecordProduct((0, 1)),), "PM").answers(
        question.scores(UNITS), LABELS, SeededSource(2)
    )
    assert np.array_equal(question.answers(UNITS, LABELS, SeededSource(2)), plainly)


def test_the_largest_weights_are_answered_whatever_the_record():
    """A refusal that only some records cause would tell the server which they are."""
    question = ScoreQuestion(2.0, (LinearRule([1e30, -1e30, 1e30, -1e30]),), (RecordProduct((0,)),), "PM")
    units = np.array([[1.0, -1.0, 1.0, 1.0], [1.0, -1.0, -1.0, -1.0], [0.0, 0.0, 0.0, 0.0]])
    assert np.isfinite(question.answers(units, np.array([0, 1, 0]), SeededSource(1))).all()


# -- the wire -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "question",
    [
        ProductQuestion(2.0, PRODUCTS, "designed"),
        ScoreQuestion(2.0, (LinearRule([1.0, 2.0], 0.5),), PRODUCTS[3:4]),
    ],
)
def test_round_trip_and_admission(question):
    described = json.loads(json.dumps(question.to_dict()))
    back = Question.from_dict(described)
    assert back.to_dict() == described
    row = back.answers(UNITS[:1], LABELS[:1], SeededSource(1))[0]
    assert np.array_equal(question.admit(row.tolist()), row)
    for broken in (row.tolist()[:-1], [*row.tolist(), 0.0], [99.0] * len(row), ["0"] * len(row), None, 1.0):
        with pytest.raises(NoisewrightError):
            question.admit(broken)


@pytest.mark.parametrize(
    "fields", [{"columns": ()}, {"columns": (0, 1, 2)}, {"columns": (-1,)}, {"columns": 3}, {"columns": (0,), "centre": 0.1},
               {"columns": (0,), "label": 1}, {"columns": (0,), "label": True, "centre": 1.5},
               {"columns": (0,), "label": True, "centre": float("nan")}],
)  # fmt: skip
def test_what_is_no_product_is_refused(fields):
    with pytest.raises(InvalidParameter):
        RecordProduct(**fields)


def test_what_is_no_question_is_refused():
    described = ScoreQuestion(2.0, (LinearRule([1.0]),), (RecordProduct((0,)),)).to_dict()
    for fields in (
        {"products": []}, {"products": [{"columns": [1]}]}, {"products": [{"rows": [1]}]}, {"rules": []},
        {"rules": [ConstantRule(1).to_dict()]}, {"mechanism": "Gaussian"}, {"epsilon": 0},
    ):  # fmt: skip
        with pytest.raises(InvalidParameter):
            Question.from_dict({**described, **fields})
    with pytest.raises(InvalidParameter, match="lack"):
        ProductQuestion(1.0, (RecordProduct((5,)),)).answers(UNITS, LABELS)
