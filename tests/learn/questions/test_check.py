"""The check question: right cells, an exact channel, strict messages, and cuts that an ε affords."""

import json

import numpy as np
import pytest
from scipy.stats import chi2

from noisewright import PureLDP
from noisewright.errors import InvalidParameter
from noisewright.learn.questions import Question
from noisewright.learn.questions.choice import CheckQuestion
from noisewright.learn.rules import ConstantRule, LinearRule
from noisewright.learn.rules.many_classes import ClassRule
from noisewright.learn.scorecard import Scorecard
from noisewright.learn.scorecard.calibration import accuracy_stderr, cuts_for
from noisewright.randomness import SeededSource

FALSE_ALARM = 1e-9
CUTS = (-0.5, 0.0, 0.25, 0.5)
THREE = ClassRule([LinearRule([1.0]), LinearRule([0.0], 0.5), LinearRule([-1.0])])


def test_a_bin_holds_its_upper_end_so_that_zero_is_class_0():
    question = CheckQuestion(1.0, LinearRule([1.0]), CUTS)
    units = np.array([[-1.0], [-0.5], [0.0], [1e-300], [0.25], [0.3], [0.9]])
    rows = question.place(units, np.zeros(7, dtype=np.int64)) // 2
    assert rows.tolist() == [0, 0, 1, 2, 2, 3, 4]
    assert np.array_equal(question.predicted[rows], question.rule.predict(units))


@pytest.mark.parametrize("ties", [0, 1])
def test_rows_agree_with_predictions_even_on_the_hyperplane(ties):
    rule = LinearRule([1.0], 0.0, ties)
    question, units = CheckQuestion(1.0, rule), np.array([[-1.0], [0.0], [1.0]])
    rows = question.place(units, np.ones(3, dtype=np.int64)) // 2
    assert np.array_equal(question.predicted[rows], rule.predict(units))


def test_three_classes_are_pairs_of_predicted_and_true():
    question = CheckQuestion(1.0, THREE, classes=3)
    assert question.place(np.array([[0.9], [0.1], [-0.9]]), np.array([2, 0, 2])).tolist() == [2, 3, 8]
    assert (question.rows, question.cells, question.predicted.tolist()) == (3, 9, [0, 1, 2])


def chi_squared(counts, law):
    return float(((counts - counts.sum() * law) ** 2 / (counts.sum() * law)).sum())


def test_answers_follow_the_law_of_the_channel():
    """200,000 answers, chi-squared at a false alarm of 1e-9; a law 10 % off in ε is rejected far beyond it."""
    question, people = CheckQuestion(1.5, LinearRule([1.0]), CUTS), 200_000
    answers = question.answers(np.full((people, 1), 0.3), np.ones(people, dtype=np.int64), SeededSource(5))
    counts, cell = np.bincount(answers, minlength=question.cells), 7

    def law(epsilon):
        masses = np.ones(question.cells)
        masses[cell] = np.exp(epsilon)
        return masses / masses.sum()

    limit = chi2.isf(FALSE_ALARM, question.cells - 1)
    assert chi_squared(counts, law(1.5)) < limit
    assert chi_squared(counts, law(1.65)) > 2 * limit
    assert chi_squared(counts, law(1.35)) > 2 * limit


def test_no_record_fails_where_others_answer():
    """A server that asks people of many classes as if there were two learns nothing from a refusal."""
    question = CheckQuestion(1.0, LinearRule([1.0]))
    places = question.place(np.array([[-1.0], [1.0], [1.0]]), np.array([0, 1, 7]))
    assert places.tolist() == [0, 3, 3]
    few = CheckQuestion(1.0, THREE, classes=3)
    more = ClassRule([LinearRule([0.0], level) for level in (0.0, 0.0, 0.0, 1.0)])
    assert CheckQuestion(1.0, more, classes=3).place(np.zeros((1, 1)), np.array([9])).tolist() == [8]
    assert few.guarantee == PureLDP(1.0)


def test_a_rule_of_many_classes_does_not_fit_a_check_of_two():
    with pytest.raises(InvalidParameter, match="give classes"):
        CheckQuestion(1.0, THREE).answers(np.zeros((2, 1)), np.array([0, 1]))


@pytest.mark.parametrize(
    "question", [CheckQuestion(1.5, LinearRule([1.0, -2.0]), CUTS), CheckQuestion(0.5, THREE, classes=3)]
)
def test_json_both_ways(question):
    again = Question.from_dict(json.loads(json.dumps(question.to_dict())))
    assert isinstance(again, CheckQuestion)
    assert again.to_dict() == question.to_dict()
    assert (again.cuts, again.classes, again.channel) == (question.cuts, question.classes, question.channel)


def test_answers_from_the_wire_are_cells_and_nothing_else():
    question = CheckQuestion(1.0, LinearRule([1.0]))
    assert question.admit(3).dtype == np.int64
    for wrong in (4, -1, True, 1.0, "1", None, [1]):
        with pytest.raises(InvalidParameter, match="from 0 to 3"):
            question.admit(wrong)


@pytest.mark.parametrize(
    "cuts", [(), (1.0,), (0.0, 0.0), (0.5, 0.0), (0.0, float("nan")), (0.0, float("inf")), "0", 0.0,
             tuple(range(40)), (0.0, True)]
)  # fmt: skip
def test_cuts_that_make_no_bins_are_refused(cuts):
    with pytest.raises(InvalidParameter, match="cut"):
        CheckQuestion(1.0, LinearRule([1.0]), cuts)


@pytest.mark.parametrize(
    ("fields", "named"),
    [({"rule": None}, "rule"), ({"classes": 1}, "classes"), ({"classes": 3, "cuts": [0, 1]}, "cuts"),
     ({"epsilon": 0}, "epsilon"), ({"cuts": None}, "cuts")],
)  # fmt: skip
def test_descriptions_of_strangers_are_checked(fields, named):
    whole = CheckQuestion(1.0, LinearRule([1.0])).to_dict()
    with pytest.raises(InvalidParameter, match=named):
        Question.from_dict({**whole, **fields})
    with pytest.raises(InvalidParameter, match="broken"):
        Question.from_dict({"question": "check", "rule": whole["rule"]})


# -- cuts ---------------------------------------------------------------------------------------------


def test_the_accuracy_stays_within_15_percent_of_two_bins():
    bins = []
    for epsilon in np.arange(0.5, 8, 0.5):
        cuts = cuts_for(float(epsilon), 2000)
        bins.append(len(cuts) + 1)
        assert 0.0 in cuts
        ratio = accuracy_stderr(bins[-1], epsilon, 2000) / accuracy_stderr(2, epsilon, 2000)
        assert ratio <= 1.15
    assert bins == sorted(bins)
    assert (bins[0], bins[-1]) == (2, 6)


def test_few_people_do_not_fill_many_bins():
    assert len(cuts_for(6.0, 30)) < len(cuts_for(6.0, 2000))


def test_cuts_follow_a_public_sample_of_scores():
    scores = np.concatenate([np.linspace(-30, -1, 500), np.linspace(0.1, 0.2, 500)])
    cuts = cuts_for(6.0, 2000, scores)
    held = np.bincount(np.searchsorted(cuts, scores), minlength=len(cuts) + 1)
    assert len(cuts) == 5
    assert held.min() > 0.9 * 1000 / 6
    assert cuts_for(6.0, 2000, [1.0, 1.0, 2.0]) == (0.0, 1.0, pytest.approx(4 / 3))
    CheckQuestion(6.0, LinearRule([1.0]), cuts)


@pytest.mark.parametrize("scores", [[], [float("nan")], [[1.0]]])
def test_scores_that_are_no_sample_are_refused(scores):
    with pytest.raises(InvalidParameter, match="scores"):
        cuts_for(6.0, 2000, scores)


def test_of_a_constant_rule_only_the_label_is_asked():
    """Then the accuracy is the share of its class, and no card says two things about one rule."""
    question = CheckQuestion(1.0, ConstantRule(1), (0.0,))
    assert (question.rows, question.cells, question.predicted.tolist()) == (1, 2, [1])
    assert Question.from_dict(question.to_dict()).to_dict() == question.to_dict()
    labels = (np.arange(2000) % 3 == 0).astype(int)
    card = Scorecard.of(question.answers(np.zeros((2000, 1)), labels, SeededSource(1)), question)
    assert card.accuracy.value == 1 - card.majority.value
    assert card.balanced_accuracy.value == 0.5
    assert card.calibration is None
    assert card.beats_majority != "yes"
