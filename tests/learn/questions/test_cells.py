"""The question of one feature and the label: its law is its sampler's, and it is ε-LDP in the whole record."""

import math

import numpy as np
import pytest
from scipy import stats

from noisewright.errors import InvalidParameter
from noisewright.learn.questions import CellQuestion, Question
from noisewright.learn.rules import Axis
from noisewright.randomness import SeededSource

AXIS = Axis(1, 2, cells=8)
QUESTION = CellQuestion(1.5, AXIS, (2, 5), classes=3)


def record(cell: int) -> np.ndarray:
    units = np.zeros((1, 2))
    AXIS.fill(units, np.array([cell]))
    return units


def test_the_law_is_that_of_the_sampler():
    """A χ² test of 200,000 answers of one record, level 1e-9; the law of an ε 10 % off is rejected."""
    units, labels = np.repeat(record(4), 200_000, axis=0), np.full(200_000, 2)
    seen = np.bincount(QUESTION.answers(units, labels, SeededSource(1)), minlength=QUESTION.pairs)
    expected = 200_000 * QUESTION.law()[:, 2 * AXIS.cells + 4]
    off = CellQuestion(1.65, AXIS, (2, 5), classes=3).law()[:, 2 * AXIS.cells + 4] * 200_000
    limit = stats.chi2.isf(1e-9, QUESTION.pairs - 1)
    assert ((seen - expected) ** 2 / expected).sum() < limit < ((seen - off) ** 2 / off).sum()


def test_no_answer_is_more_than_e_to_the_epsilon_as_likely_for_one_record_as_for_another():
    law = QUESTION.law()
    assert np.allclose(law.sum(axis=0), 1)
    assert law.max() / law.min() <= math.exp(1.5)
    assert law.max() / law.min() > 0.9999 * math.exp(1.5)


def test_the_pair_of_every_record_is_where_the_law_says():
    sure = CellQuestion(30.0, AXIS, (2, 5), classes=3)
    for cell in range(8):
        for label in range(3):
            (answer,) = sure.answers(record(cell), np.array([label]), SeededSource(cell))
            assert (
                answer
                == sure.law()[:, label * 8 + cell].argmax()
                == [0, 0, 1, 1, 1, 2, 2, 2][cell] * 3 + label
            )


def test_a_label_beyond_the_question_is_answered_like_any_other():
    """A server that names too few classes must not learn from a refusal."""
    narrow = CellQuestion(30.0, AXIS, (4,), classes=2)
    assert narrow.answers(record(7), np.array([5]), SeededSource(1)).tolist() == [3]


def test_json_both_ways():
    assert Question.from_dict(QUESTION.to_dict()) == QUESTION
    assert QUESTION.admit(8) == 8


@pytest.mark.parametrize("answer", [-1, 9, 1.0, True, "1", None, [1]])
def test_answers_that_are_none_are_refused(answer):
    with pytest.raises(InvalidParameter, match="from 0 to 8"):
        QUESTION.admit(answer)


@pytest.mark.parametrize(
    "change",
    [
        {"cuts": []}, {"cuts": [5, 2]}, {"cuts": [0, 3]}, {"cuts": [8]}, {"cuts": "25"}, {"classes": 1},
        {"classes": 1000}, {"axis": {}}, {"axis": {**AXIS.to_dict(), "cells": 10**9}}, {"epsilon": 0},
    ],
)  # fmt: skip
def test_broken_questions_of_strangers_are_refused(change):
    with pytest.raises(InvalidParameter):
        Question.from_dict({**QUESTION.to_dict(), **change})
