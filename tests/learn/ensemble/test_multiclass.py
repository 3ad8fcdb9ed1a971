"""Several classes: unbiased confusion, permuted rules put right, one class against the rest, descriptions."""

import json
from fractions import Fraction

import numpy as np
import pytest

from noisewright import Interval
from noisewright.errors import InvalidParameter
from noisewright.learn.ensemble.confusion import (
    ConfusionQuestion,
    confusion_shares,
    weigh_evidence,
)
from noisewright.learn.ensemble.one_vs_rest import RestQuestion, side_by_side
from noisewright.learn.mrma import MRMA
from noisewright.learn.questions import FeedbackQuestion, Question, SplitQuestion
from noisewright.learn.questions.base import choice_channel
from noisewright.learn.rules import ConstantRule, LinearRule, Rule
from noisewright.learn.rules.many_classes import ClassRule, EvidenceRule
from noisewright.learn.scorecard.card import check_procedure
from noisewright.randomness import SeededSource

DIRECTIONS = np.array([[0.0, 1.0], [0.9, -0.5], [-0.9, -0.5]])


def three_fans(people=3000, seed=0):
    units = np.random.default_rng(seed).uniform(-1, 1, (people, 2))
    return units, (units @ DIRECTIONS.T).argmax(axis=1)


def fan_rule(order=(0, 1, 2)):
    return ClassRule([LinearRule(DIRECTIONS[place]) for place in order])


# -- confusion ----------------------------------------------------------------------------------------


def test_confusion_shares_are_unbiased():
    """Linear in the counts, so it is enough that expected counts give back the true matrix."""
    for classes, epsilon in ((2, 0.5), (3, 1.0), (5, 4.0)):
        truth = np.random.default_rng(classes).dirichlet(np.ones(classes**2))
        channel = choice_channel(classes**2, epsilon)
        expected = channel.miss + truth * (channel.hit - channel.miss)
        found = confusion_shares(1000 * expected[None], epsilon)[0]
        assert np.allclose(found.ravel(), truth, atol=1e-6)


def test_a_rule_that_permutes_the_classes_is_put_right():
    units, codes = three_fans()
    rule = fan_rule((1, 2, 0))
    assert (rule.predict(units) != codes).all()
    answers = ConfusionQuestion(2.0, rule, 3).answers(units, codes, SeededSource(1))
    found = weigh_evidence([rule], [answers], 3, 2.0)
    assert np.array_equal(found.rule.predict(units), codes)
    assert found.trust[0] > 0.9


def test_a_rule_that_tells_nothing_is_hardly_heard():
    """On average over 30 draws: noise alone makes a trust of about e⁻² = 0.14 (chi-squared, 4 dimensions)."""
    units, codes = three_fans(600)
    constant = ClassRule([LinearRule([0.0, 0.0], level) for level in (0.0, 1.0, 0.0)])
    trusts = []
    for seed in range(30):
        rules, source = [constant, fan_rule()], SeededSource(seed)
        answers = [ConfusionQuestion(2.0, rule, 3).answers(units, codes, source) for rule in rules]
        found = weigh_evidence(rules, answers, 3, 2.0)
        trusts.append(found.trust)
        assert np.mean(found.rule.predict(units) == codes) > 0.99
    nothing, everything = np.mean(trusts, axis=0)
    assert nothing < 0.35
    assert everything > 0.9


def test_evidence_without_answers_is_the_prior_alone():
    nobody = np.zeros(0, dtype=np.int64)
    found = weigh_evidence([fan_rule()], [nobody], 3, 1.0)
    assert np.allclose(found.rule.evidence, 0)
    assert np.allclose(np.exp(found.rule.prior), 1 / 3)


def test_answers_hide_the_pair_and_nothing_else():
    units, codes = three_fans(500)
    question = ConfusionQuestion(1.0, fan_rule(), 3)
    cells = 3 * question.rule.predict(units) + codes
    assert np.array_equal(
        question.answers(units, codes, SeededSource(4)),
        choice_channel(9, 1.0).perturb_cells(cells, SeededSource(4)),
    )
    assert question.guarantee.epsilon == 1.0


# -- one against the rest -----------------------------------------------------------------------------


def test_a_question_against_the_rest_merges_the_label_before_it_is_randomized():
    units, codes = three_fans(300)
    inner = SplitQuestion(1.0, width=2)
    merged = (codes == 2).astype(np.int64)
    asked = RestQuestion(1.0, inner, target=2).answers(units, codes, SeededSource(5))
    assert np.array_equal(asked, inner.answers(units, merged, SeededSource(5)))


def test_procedures_side_by_side_share_rounds_and_keep_their_answers_apart():
    rounds = side_by_side([check_procedure(ConstantRule(1), people, 2.0, [0, 1]) for people in (4, 0, 2)])
    assert [ask.people for ask in next(rounds)] == [4, 2]
    with pytest.raises(StopIteration) as done:
        rounds.send([np.full(4, 1), np.full(2, 0)])  # of a constant rule only the label is asked
    first, second, third = done.value.value
    assert (first.count, second, third.count) == (4, None, 2)
    assert first.value > 0.5 > third.value


@pytest.mark.parametrize("multiclass", ["one_vs_rest", "confusion"])
def test_three_classes_are_learned_and_every_client_pays_once(multiclass):
    units, codes = three_fans()
    names = np.array(["ape", "bee", "cow"])[codes]
    model = MRMA(
        epsilon=2.0, domain=Interval(-1, 1), intercept=False, multiclass=multiclass, check=0.1, random_state=1
    ).fit(units, names)
    assert model.score(units, names) > 0.85
    assert abs(model.accuracy_.value - model.score(units, names)) < 4 * model.accuracy_.stderr
    assert model.spent_ == {Fraction(2): 3000}
    assert model.decision_function(units).shape == (3000, 3)


def test_a_class_that_nobody_has_is_still_a_class():
    units, codes = three_fans(300)
    kept = codes != 2
    for multiclass in ("one_vs_rest", "confusion"):
        model = MRMA(classes=[0, 1, 2], multiclass=multiclass, random_state=0).fit(units[kept], codes[kept])
        assert model.predict_proba(units).shape == (300, 3)


def test_too_few_clients_for_the_classes_are_refused():
    with pytest.raises(InvalidParameter, match="too few for 9 classes"):
        MRMA(random_state=0).fit(np.zeros((9, 1)), np.arange(9))


# -- over the wire ------------------------------------------------------------------------------------


def test_rules_and_questions_come_back_from_json():
    units, codes = three_fans(50)
    evidence = np.random.default_rng(0).normal(size=(2, 3, 3))
    mixed = EvidenceRule([fan_rule(), fan_rule((2, 1, 0))], np.log([0.2, 0.3, 0.5]), evidence)
    for rule in (fan_rule(), mixed):
        again = Rule.from_dict(json.loads(json.dumps(rule.to_dict())))
        assert np.array_equal(again.scores(units), rule.scores(units))
    questions = [
        ConfusionQuestion(1.0, mixed, 3),
        RestQuestion(1.0, SplitQuestion(1.0, width=2), 1),
        RestQuestion(1.0, FeedbackQuestion(1.0, LinearRule([1.0, 2.0])), 0),
    ]
    for question in questions:
        again = Question.from_dict(json.loads(json.dumps(question.to_dict())))
        one, other = (each.answers(units, codes, SeededSource(6)) for each in (question, again))
        assert np.array_equal(one, other)
        assert np.array_equal(question.admit(one[0].tolist()), one[0])


@pytest.mark.parametrize(
    "description",
    [
        {"question": "rest", "epsilon": 1.0, "of": {"question": "rest"}, "target": 0},
        {"question": "rest", "epsilon": 2.0, "of": SplitQuestion(1.0, width=1).to_dict(), "target": 0},
        {"question": "rest", "epsilon": 1.0, "of": SplitQuestion(1.0, width=1).to_dict(), "target": -1},
        {"question": "confusion", "epsilon": 1.0, "rule": ConstantRule(0).to_dict(), "classes": 1},
        {"question": "confusion", "epsilon": 1.0, "rule": ConstantRule(0).to_dict(), "classes": 10**6},
        {"question": "confusion", "epsilon": 1.0, "rule": {"rule": "grid"}, "classes": 3},
    ],
)
def test_descriptions_that_make_no_sense_are_refused(description):
    with pytest.raises(InvalidParameter):
        Question.from_dict(description)


@pytest.mark.parametrize(
    "description",
    [
        {"rule": "classes", "rules": [{"rule": "constant", "code": 0}]},
        {
            "rule": "evidence",
            "rules": [{"rule": "constant", "code": 0}],
            "prior": [0.0, 0.0],
            "evidence": [1.0],
        },
        {"rule": "evidence", "rules": [], "prior": [], "evidence": []},
        {"rule": "grid", "table": [1.0], "cuts": 1},
    ],
)
def test_rules_that_make_no_sense_are_refused(description):
    with pytest.raises(InvalidParameter):
        Rule.from_dict(description)


@pytest.mark.parametrize("answer", [9, -1, 1.0, True, None, [1]])
def test_answers_out_of_range_are_refused(answer):
    with pytest.raises(InvalidParameter, match="from 0 to 8"):
        ConfusionQuestion(1.0, fan_rule(), 3).admit(answer)
