"""Whole noisy records: every channel proves its part, the parts never exceed ε, strangers are refused."""

import json
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from noisewright.errors import InvalidParameter, NoisewrightError
from noisewright.guarantees import PureLDP
from noisewright.learn.questions import Question, SplitQuestion
from noisewright.learn.questions.base import unit_channel
from noisewright.randomness import SeededSource

UNBIASED = ("Laplace", "PM", "UnbiasedOGPM", "Hybrid", "Duchi", "designed")
PLACES = np.linspace(-1, 1, 41)


@settings(max_examples=60, deadline=None)
@given(
    st.floats(0.01, 30),
    st.integers(1, 200),
    st.none() | st.floats(0.01, 0.99),
    st.sampled_from(["Duchi", "PM"]),
)
def test_the_parts_never_exceed_epsilon(epsilon, width, share, mechanism):
    question = SplitQuestion(epsilon, width, mechanism, share)
    spent = width * Fraction(question.column_epsilon) + Fraction(question.label_epsilon)
    assert Fraction(epsilon) * Fraction(999_999, 1_000_000) < spent <= Fraction(epsilon)
    assert question.column_channel.guarantee == PureLDP(question.column_epsilon)
    assert question.guarantee == PureLDP(epsilon)


@pytest.mark.parametrize("mechanism", UNBIASED)
@pytest.mark.parametrize("epsilon", [0.2, 1.0, 4.0])
def test_unbiased_channels_are_so_by_their_law(mechanism, epsilon):
    assert unit_channel(mechanism, epsilon).law(PLACES).mean() == pytest.approx(PLACES, abs=1e-5)


@pytest.mark.parametrize("epsilon", [1.0, 5.0])
def test_the_designed_channel_has_the_least_average_error_of_the_unbiased(epsilon):
    designed = unit_channel("designed", epsilon)
    rivals = [unit_channel(name, epsilon).average_error("squared") for name in UNBIASED if name != "designed"]
    assert designed.average_error("squared") < min(rivals)
    assert designed.epsilon_upper <= epsilon


@pytest.mark.parametrize("mechanism", ["Laplace", "PM", "OGPM", "SW", "Hybrid", "designed"])
def test_round_trip_and_admission(mechanism):
    question = SplitQuestion(3.0, 2, mechanism, 0.4)
    back = Question.from_dict(json.loads(json.dumps(question.to_dict())))
    assert back == question
    answers = back.answers(np.array([[0.5, -1.0], [1.0, 0.0]]), np.array([1, 0]), SeededSource(1))
    for row in answers:
        assert np.array_equal(question.admit(row.tolist()), row)


@pytest.mark.parametrize(
    "answer", [None, 1.0, [], [0.0, 0.0], [0.0, 0.0, 2], [0.0, 0.0, 0.5], [0.0, 99.0, 1], [float("nan"), 0.0, 1],
               ["0", 0.0, 1], [True, 0.0, 1], [[0.0], 0.0, 1], [10**400, 0.0, 1], (0.0, 0.0, 1)],
)  # fmt: skip
def test_what_is_no_answer_is_refused(answer):
    with pytest.raises(NoisewrightError):
        SplitQuestion(3.0, 2, "PM").admit(answer)


@pytest.mark.parametrize(
    "fields", [{"mechanism": "Gaussian"}, {"mechanism": "KRR"}, {"mechanism": None}, {"mechanism": 3},
               {"label_share": 1.0}, {"label_share": True}, {"label_share": "half"}, {"width": 0}, {"classes": 1}],
)  # fmt: skip
def test_what_is_no_question_is_refused(fields):
    described = {**SplitQuestion(3.0, 2).to_dict(), **fields}
    with pytest.raises(InvalidParameter):
        Question.from_dict(described)
