"""The question of the vote: its law is exactly ε-LDP in the whole record, and its gain is unbiased."""

import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from noisewright.errors import InvalidParameter
from noisewright.learn.questions import ComparisonQuestion, Question
from noisewright.learn.rules import ConstantRule, LinearRule
from noisewright.randomness import SeededSource

RULE, RIVAL = LinearRule([1.0, 0.0]), ConstantRule(0)
RECORDS = [
    (np.array([[first, second]]), np.array([label]))
    for first, second, label in product((-1, 1), (-1, 1), (0, 1))
]


def question(epsilon: float) -> ComparisonQuestion:
    return ComparisonQuestion(epsilon, RULE, RIVAL)


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 4.0])
def test_no_answer_is_more_than_e_to_the_epsilon_as_likely_for_one_record_as_for_another(epsilon):
    """By the integers that are drawn: features and label change together, and nothing but the outcome counts."""
    asked = question(epsilon)
    weights = [asked.channel.word_counts(outcome)[0] for outcome in range(3)]
    law = {}
    for units, labels in RECORDS:
        (outcome,) = asked.place(units, labels)
        law[units.tobytes(), int(labels[0])] = [Fraction(int(count)) for count in weights[outcome]]
    ratios = [
        max(a / b for a, b in zip(one, other, strict=True)) for one in law.values() for other in law.values()
    ]
    assert float(max(ratios)) <= math.exp(epsilon)
    assert float(max(ratios)) > 0.999 * math.exp(epsilon)
    assert asked.guarantee.epsilon == epsilon


def test_every_record_has_the_outcome_that_the_rules_give_it():
    places = [int(question(1.0).place(units, labels)[0]) for units, labels in RECORDS]
    expected = [1 + int((units[0, 0] > 0) == label[0]) - int(label[0] == 0) for units, label in RECORDS]
    assert places == expected
    assert set(places) == {0, 1, 2}


def test_the_gain_is_unbiased_and_its_error_is_known():
    """400 votes of 300 people: the mean gain is within 4 standard errors (false alarm 6e-5; a gain that is
    10 % off is 7 away) and the spread within 15 % of what is stated."""
    units = np.column_stack([np.r_[np.ones(180), -np.ones(120)], np.zeros(300)])
    labels = np.r_[np.ones(150, dtype=int), np.zeros(150, dtype=int)]
    asked = question(3.0)
    found = np.array([asked.gain(asked.answers(units, labels, SeededSource(seed))) for seed in range(400)])
    truth, error = (150 - 30) / 300, found[:, 0].std() / 20
    assert abs(found[:, 0].mean() - truth) < 4 * error < 0.1 * truth
    channel = asked.channel
    noise = 3 * channel.miss * channel.hit  # people are fixed here, so only the noise spreads
    assert found[:, 0].std() <= 1.15 * math.sqrt(found[:, 1].mean())
    assert found[:, 0].std() > 0.3 * math.sqrt(noise / 300)


def test_answers_that_all_agree_leave_doubt():
    _, variance = question(8.0).gain(np.ones(10, dtype=int))
    assert variance > 0


def test_json_both_ways_and_refusals():
    asked = question(1.0)
    again = Question.from_dict(asked.to_dict())
    assert again.to_dict() == asked.to_dict()
    assert asked.admit(2) == 2
    for answer in (-1, 3, 1.0, True, "1", None):
        with pytest.raises(InvalidParameter, match="from 0 to 2"):
            asked.admit(answer)
    with pytest.raises(InvalidParameter):
        Question.from_dict({**asked.to_dict(), "rival": {"rule": "forest"}})
    with pytest.raises(InvalidParameter, match="needs a rule"):
        ComparisonQuestion(1.0, RULE, "constant")
