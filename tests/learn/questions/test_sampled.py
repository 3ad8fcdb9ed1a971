"""A few columns of a record: only they are reported, with all of ε, and every column is asked as often."""

import json
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from noisewright.errors import InvalidParameter
from noisewright.learn.questions import Question, SampledQuestion
from noisewright.learn.questions.split import cyclic
from noisewright.randomness import SeededSource


@settings(max_examples=50, deadline=None)
@given(st.floats(0.01, 30), st.integers(1, 30), st.data())
def test_the_parts_never_exceed_epsilon(epsilon, width, data):
    columns = data.draw(st.lists(st.integers(0, width - 1), min_size=1, unique=True))
    share = data.draw(st.none() | st.floats(0.01, 0.99))
    reported = SampledQuestion(epsilon, tuple(columns), width, "Duchi", share).reported
    spent = len(columns) * Fraction(reported.column_epsilon) + Fraction(reported.label_epsilon)
    assert Fraction(epsilon) * Fraction(999_999, 1_000_000) < spent <= Fraction(epsilon)


@given(st.integers(1, 40), st.data())
def test_every_column_is_asked_equally_often(width, data):
    groups = cyclic(width, data.draw(st.integers(1, width)))
    counts = Counter(column for group in groups for column in group)
    assert len(counts) == width
    assert len(set(counts.values())) == 1
    assert all(len(set(group)) == len(group) for group in groups)


def test_other_columns_have_no_influence():
    question = SampledQuestion(2.0, (2, 0), 3, "PM")
    units = np.random.default_rng(0).uniform(-1, 1, (50, 3))
    changed = units * [1, -1, 1]
    labels = np.arange(50) % 2
    first, second = (question.answers(each, labels, SeededSource(3)) for each in (units, changed))
    assert np.array_equal(first, second)


def test_reports_stand_in_the_order_of_the_columns():
    question = SampledQuestion(32.0, (2, 0), 3, "PM")
    answers = question.answers(np.array([[-0.5, 0.0, 0.5]]), np.array([1]), SeededSource(3))
    assert answers[0] == pytest.approx([0.5, -0.5, 1.0], abs=0.2)


def test_round_trip_and_admission():
    question = SampledQuestion(2.0, (2, 0), 3, "designed", 0.3)
    back = Question.from_dict(json.loads(json.dumps(question.to_dict())))
    assert back == question
    row = back.answers(np.zeros((1, 3)), np.array([1]), SeededSource(1))[0]
    assert np.array_equal(question.admit(row.tolist()), row)
    with pytest.raises(InvalidParameter):
        question.admit([0.0, 1.0])


@pytest.mark.parametrize("columns", [(), (0, 0), (3,), (-1,), (0.5,), ("a",), 2, None, (True,)])
def test_columns_that_are_none_are_refused(columns):
    with pytest.raises(InvalidParameter):
        SampledQuestion(1.0, columns, 3)


def test_records_of_another_width_are_refused():
    with pytest.raises(InvalidParameter, match="3 unit columns"):
        SampledQuestion(1.0, (0,), 3).answers(np.zeros((1, 4)), np.array([0]))
