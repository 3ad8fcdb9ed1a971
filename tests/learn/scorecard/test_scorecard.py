"""Scorecards: unbiased, covering for every truth, honest verdicts, and the same arithmetic without noise."""

import json
from itertools import combinations

import numpy as np
import pytest
from scipy.stats import multinomial
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import balanced_accuracy_score
from sklearn.svm import LinearSVC

from noisewright.errors import BadTable, InvalidParameter, OutOfDomain
from noisewright.learn.questions.choice import CheckQuestion
from noisewright.learn.questions.feedback import Evaluation
from noisewright.learn.rules import LinearRule
from noisewright.learn.rules.many_classes import ClassRule
from noisewright.learn.scorecard import Scorecard
from noisewright.learn.scorecard.shares import CellShares, ClassShares
from noisewright.randomness import SeededSource

RULE = LinearRule([1.0])
FAN = ClassRule([LinearRule([1.0]), LinearRule([0.0], 0.1), LinearRule([-1.0])])
RATES = ("accuracy", "majority", "balanced_accuracy", "advantage")
TRUTHS = [
    (0.55, 0.10, 0.10, 0.25),
    (0.90, 0.08, 0.01, 0.01),
    (0.25, 0.25, 0.25, 0.25),
    (0.05, 0.45, 0.45, 0.05),
    (0.00, 0.00, 0.30, 0.70),
    (0.97, 0.03, 0.00, 0.00),
]
"""Shares of the cells (0, 0), (0, 1), (1, 0), (1, 1) of predicted and true class."""


def true_rates(shares):
    table = np.reshape(shares, (2, 2))
    classes = table.sum(axis=0)
    right = np.trace(table)
    return {
        "accuracy": right,
        "majority": classes.max(),
        "balanced_accuracy": float(np.mean(np.diag(table) / classes)),
        "advantage": right - classes.max(),
    }


def card_of(counts, epsilon, level=0.95, cuts=(0.0,)):
    question = CheckQuestion(epsilon, RULE, cuts)
    return Scorecard.of(np.repeat(np.arange(question.cells), counts), question, level)


def reported(shares, epsilon):
    channel = CheckQuestion(epsilon, RULE).channel
    return channel.miss + (channel.hit - channel.miss) * np.asarray(shares)


def all_counts(people, cells=4):
    """Every way in which so many reports may fall into the cells."""
    bars = np.array(list(combinations(range(people + cells - 1), cells - 1)))
    walls = np.column_stack([np.full(len(bars), -1), bars, np.full(len(bars), people + cells - 1)])
    return np.diff(walls, axis=1) - 1


def rates_of(counts, hit, miss, alpha, said=(0, 1)):
    """All four rates, by name, from the counts of one table, in whose rows the classes ``said`` are predicted."""
    shares = ClassShares(CellShares(counts.reshape(len(said), -1), hit, miss), np.array(said))
    return {
        "accuracy": shares.accuracy(alpha),
        "majority": shares.majority(alpha)[1],
        "balanced_accuracy": shares.balanced_accuracy(alpha),
        "advantage": shares.advantage(alpha),
    }


def coverage(people, epsilon, alpha):
    """The exact chance, for each truth and rate, that the interval holds the truth: over all outcomes."""
    channel = CheckQuestion(epsilon, RULE).channel
    outcomes = all_counts(people)
    found = [rates_of(counts, channel.hit, channel.miss, alpha) for counts in outcomes]
    ends = {name: np.array([(each[name].low, each[name].high) for each in found]) for name in RATES}
    covered = {}
    for shares in TRUTHS:
        chances = multinomial.pmf(outcomes, people, reported(shares, epsilon))
        for name, truth in true_rates(shares).items():
            low, high = ends[name].T
            covered[shares, name] = float(chances[(low <= truth) & (truth <= high)].sum())
    return covered


@pytest.mark.parametrize(("people", "epsilon"), [(8, 1.0), (9, 4.0), (11, 16.0)])
def test_every_interval_holds_for_every_truth(people, epsilon):
    covered = coverage(people, epsilon, 0.1)
    assert min(covered.values()) >= 0.9 - 1e-9


def test_the_enumeration_would_notice_intervals_of_a_lower_level():
    """The balanced accuracy is left out: of eight people its interval holds for certain at almost any level."""
    covered = coverage(8, 16.0, 0.9)
    for name in ("accuracy", "majority", "advantage"):
        assert min(value for (_, rate), value in covered.items() if rate == name) < 0.9


@pytest.mark.parametrize("epsilon", [0.5, 1.0, 4.0])
@pytest.mark.parametrize("shares", TRUTHS[:3])
def test_expected_counts_give_back_the_truth(shares, epsilon):
    card = card_of(np.round(1e6 * reported(shares, epsilon)).astype(int), epsilon)
    for name, truth in true_rates(shares).items():
        assert getattr(card, name).value == pytest.approx(truth, abs=2e-4)
    table = np.reshape(shares, (2, 2))
    np.testing.assert_allclose(card.confusion.value, table, atol=1e-4)
    np.testing.assert_allclose(card.predicted.value, table.sum(axis=1), atol=1e-4)
    np.testing.assert_allclose(card.recall.value, np.diag(table) / table.sum(axis=0), atol=2e-3)


def simulated(epsilon, believed, people=20_000, checks=250):
    """Rates from many checks at one ε, read as if they had been made at another."""
    channel = CheckQuestion(believed, RULE).channel
    draws = np.random.default_rng(7).multinomial(people, reported(TRUTHS[0], epsilon), size=checks)
    return [rates_of(counts, channel.hit, channel.miss, 0.05) for counts in draws]


def held(found, name):
    """How many of the intervals of a rate hold the truth."""
    truth = true_rates(TRUTHS[0])[name]
    return sum(each[name].low <= truth <= each[name].high for each in found)


def test_intervals_hold_at_their_level_and_standard_errors_are_right():
    """250 checks: at a coverage of 0.95 fewer than 212 hits come less often than 1e-9.

    The spread of 250 values has a relative standard error of 4.5 %, so 28 % is six of them.
    """
    found = simulated(2.0, 2.0)
    for name in RATES:
        assert held(found, name) >= 212
        values, errors = (
            np.array([getattr(each[name], part) for each in found]) for part in ("value", "stderr")
        )
        assert np.std(values) == pytest.approx(np.median(errors), rel=0.28)


def test_intervals_of_a_channel_that_is_off_would_be_noticed():
    found = simulated(2.0, 2.2)
    assert max(held(found, name) for name in RATES) < 212


UNEVEN = CheckQuestion(2.0, RULE, (-1.0, 0.0)), [[0.3, 0.05], [0.2, 0.1], [0.05, 0.3]]
THREE = (
    CheckQuestion(3.0, FAN, classes=3),
    [[0.4, 0.05, 0.02], [0.03, 0.2, 0.03], [0.02, 0.05, 0.2]],
)


@pytest.mark.parametrize(("question", "table"), [UNEVEN, THREE])
def test_intervals_hold_for_uneven_bins_and_for_three_classes(question, table):
    """100 checks of 2,000 people each: at a coverage of 0.95 fewer than 78 hits come less often than 1e-9."""
    channel, table = question.channel, np.array(table)
    joint = np.array([table[question.predicted == code].sum(axis=0) for code in range(question.classes)])
    truths = {
        "accuracy": np.trace(joint),
        "majority": joint.sum(axis=0).max(),
        "balanced_accuracy": np.mean(np.diag(joint) / joint.sum(axis=0)),
        "advantage": np.trace(joint) - joint.sum(axis=0).max(),
    }
    rates = channel.miss + (channel.hit - channel.miss) * table.ravel()
    held = dict.fromkeys(truths, 0)
    for counts in np.random.default_rng(9).multinomial(2000, rates / rates.sum(), size=100):
        found = rates_of(counts.reshape(table.shape), channel.hit, channel.miss, 0.05, question.predicted)
        for name, truth in truths.items():
            held[name] += found[name].low <= truth <= found[name].high
    assert min(held.values()) >= 78


def test_every_card_is_in_order_whatever_the_answers():
    """Also for answers that no truth explains: ends in order and within range, values between them."""
    generator = np.random.default_rng(5)
    for _ in range(60):
        law = generator.dirichlet(np.full(8, 0.3))
        card = card_of(
            generator.multinomial(40, law), generator.choice([0.3, 2.0, 8.0]), cuts=(-1.0, 0.0, 1.0)
        )
        for name in (*RATES, "recall", "predicted", "confusion"):
            rate = getattr(card, name)
            least = -1 if name == "advantage" else 0
            assert np.all((least <= rate.low) & (rate.low <= rate.high) & (rate.high <= 1))
            known = np.isfinite(rate.value)
            assert np.all(((rate.low <= rate.value) & (rate.value <= rate.high)) | ~known)


def test_intervals_are_not_just_wide():
    card = card_of(np.round(5000 * reported(TRUTHS[0], 2.0)).astype(int), 2.0)
    for name, most in (
        ("accuracy", 1.05),
        ("majority", 1.05),
        ("advantage", 1.5),
        ("balanced_accuracy", 1.75),
    ):
        rate = getattr(card, name)
        assert rate.high - rate.low < most * 2 * 1.96 * rate.stderr


def test_the_accuracy_is_that_of_feedback_where_the_channel_is_the_same():
    """Of two cells, right and wrong, the table and the feedback bit are one arithmetic."""
    bit = Evaluation.of([640], [1000], 1.0)
    hit = (np.e) / (1 + np.e)
    cells = CellShares(np.array([[640, 360]]), hit, 1 - hit)
    share = cells.share(np.array([[True, False]]), 0.05)
    assert share.value == pytest.approx(bit.value[0], abs=1e-7)
    assert share.stderr == pytest.approx(np.sqrt(bit.variance[0]), rel=1e-6)


def test_more_bins_tell_the_same_rates():
    """A table of four bins with all people in two of them, as expected counts."""
    question = CheckQuestion(4.0, RULE, (-0.5, 0.0, 0.5))
    shares = np.array([0.3, 0.05, 0.25, 0.05, 0.02, 0.05, 0.08, 0.2])
    rates = question.channel.miss + (question.channel.hit - question.channel.miss) * shares
    card = Scorecard.of(np.repeat(np.arange(8), np.round(1e5 * rates).astype(int)), question)
    for name, truth in true_rates(TRUTHS[0]).items():
        assert getattr(card, name).value == pytest.approx(truth, abs=1e-4)
    assert len(card.calibration.observed.value) == 4


# -- verdicts -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("shares", "verdict"),
    [(TRUTHS[0], "yes"), (TRUTHS[3], "no"), (TRUTHS[5], "not shown"), ((0.6, 0.25, 0.1, 0.05), "no")],
)
def test_verdicts(shares, verdict):
    assert card_of(np.round(4000 * reported(shares, 3.0)).astype(int), 3.0).beats_majority == verdict


def test_a_rule_that_only_knows_the_majority_is_not_called_better():
    """Its advantage is exactly 0: of 200 checks about 5 may say "yes" at a level of 95 %, 24 with 1e-9."""
    channel, rates = CheckQuestion(2.0, RULE).channel, reported((0.7, 0.3, 0.0, 0.0), 2.0)
    draws = np.random.default_rng(3).multinomial(500, rates, size=200)
    found = [rates_of(counts, channel.hit, channel.miss, 0.05)["advantage"] for counts in draws]
    assert sum(each.low > 0 for each in found) < 24
    assert sum(each.high < 0 for each in found) < 24


# -- several classes, plain test data -----------------------------------------------------------------


def test_three_classes():
    truth = np.array([[0.4, 0.05, 0.02], [0.03, 0.2, 0.03], [0.02, 0.05, 0.2]])
    question = CheckQuestion(3.0, FAN, classes=3)
    rates = question.channel.miss + (question.channel.hit - question.channel.miss) * truth.ravel()
    answers = np.repeat(np.arange(9), np.round(1e5 * rates).astype(int))
    card = Scorecard.of(answers, question, classes=["ape", "bee", "cow"])
    assert card.accuracy.value == pytest.approx(0.8, abs=1e-3)
    assert (card.majority_class, card.calibration) == ("ape", None)
    assert card.majority.value == pytest.approx(0.45, abs=1e-3)
    assert card.balanced_accuracy.value == pytest.approx(
        np.mean(np.diag(truth) / truth.sum(axis=0)), abs=1e-3
    )
    assert card.advantage.value == pytest.approx(0.35, abs=1e-3)
    np.testing.assert_allclose(card.confusion.value, truth, atol=1e-3)
    assert json.loads(json.dumps(card.to_dict()))["classes"] == ["ape", "bee", "cow"]


def some_records(people=600, seed=2):
    generator = np.random.default_rng(seed)
    records = generator.normal(size=(people, 2))
    ill = records[:, 0] + generator.normal(size=people) > 0.7
    return records, np.where(ill, "ill", "well")


def test_test_records_agree_with_scikit_learn():
    records, labels = some_records()
    model = LogisticRegression().fit(records[:300], labels[:300])
    card = Scorecard.measured(model, records[300:], labels[300:])
    assert card.accuracy.value == pytest.approx(model.score(records[300:], labels[300:]))
    expected = balanced_accuracy_score(labels[300:], model.predict(records[300:]))
    assert card.balanced_accuracy.value == pytest.approx(expected)
    assert card.majority.value == pytest.approx(np.mean(labels[300:] == "well"))
    assert (card.private, card.majority_class, card.classes) == (False, "well", ("ill", "well"))
    assert "not private" in str(card)
    assert card.calibration is not None


def test_a_classifier_without_probabilities_has_no_calibration():
    records, labels = some_records()
    card = Scorecard.measured(LinearSVC().fit(records, labels), records, labels)
    assert card.calibration is None
    assert card.to_dict()["calibration"] is None


def test_a_check_and_a_look_at_the_same_people_agree():
    """The check's 99.9 % intervals hold what is measured on its own 5,000 people, for a fixed seed."""
    generator = np.random.default_rng(4)
    units = generator.uniform(-1, 1, (5000, 1))
    labels = (generator.random(5000) < 1 / (1 + np.exp(-3 * units[:, 0]))).astype(np.int64)
    rule = LinearRule([3.0])
    question = CheckQuestion(3.0, rule, (-1.0, 0.0, 1.0))
    card = Scorecard.of(question.answers(units, labels, SeededSource(8)), question, level=0.999)
    looked = Scorecard.measured(rule, units, labels)
    for name in RATES:
        assert getattr(card, name).low < getattr(looked, name).value < getattr(card, name).high
    assert (card.beats_majority, looked.beats_majority) == ("yes", "yes")
    assert card.accuracy.stderr > looked.accuracy.stderr


def test_a_class_that_nobody_has_is_not_told():
    card = Scorecard.measured(RULE, np.array([[-0.5], [0.5], [0.4]]), [0, 0, 0])
    assert np.isnan(card.balanced_accuracy.value)
    assert (card.recall.low[1], card.recall.high[1]) == (0, 1)
    assert "unknown" in str(card)
    assert card.to_dict()["balanced_accuracy"]["value"] is None


# -- words and refusals -------------------------------------------------------------------------------


def test_the_words_have_all_rates_and_the_verdict():
    card = card_of(np.round(4000 * reported(TRUTHS[0], 3.0)).astype(int), 3.0)
    lines = str(card).splitlines()
    assert [line.split("  ")[0].split(":")[0] for line in lines] == [
        "accuracy", "majority class", "balanced accuracy", "better than always answering 0",
    ]  # fmt: skip
    assert "80.0 %" in lines[0]
    assert "4,000 randomized answers" in lines[0]
    assert "65.0 %" in lines[1]
    assert "yes" in lines[3]


def test_a_card_is_plain_json_and_a_picture():
    card = card_of(np.full(8, 50), 4.0, cuts=(-1.0, 0.0, 1.0))
    said = json.loads(json.dumps(card.to_dict(), allow_nan=False))
    assert said["accuracy"]["value"] == pytest.approx(card.accuracy.value)
    assert said["beats_majority"] == card.beats_majority
    assert len(said["calibration"]["observed"]["value"]) == 4
    figure = card.plot()
    figure.canvas.draw()
    rates, calibration = figure.axes
    assert next(iter(rates.get_yticklabels())).get_text() == "accuracy"
    assert len(calibration.collections[-1].get_offsets()) == 4


def test_what_cannot_be_told_is_not_drawn():
    card = card_of([0, 0, 0, 0, 60, 60, 0, 60], 1.0, cuts=(-1.0, 0.0, 1.0))
    assert np.isnan(card.calibration.observed.value[0])
    assert (card.balanced_accuracy.low, card.balanced_accuracy.high) == (0, 1)
    assert len(card.plot().axes) == 2
    three = Scorecard.of([0, 4, 8], CheckQuestion(9.0, FAN, classes=3))
    assert len(three.plot().axes) == 1


@pytest.mark.parametrize("answers", [[], [4], [-1], [0.5], [[1]], ["1"], [True]])
def test_answers_that_are_none_are_refused(answers):
    with pytest.raises(InvalidParameter, match="answers"):
        Scorecard.of(answers, CheckQuestion(1.0, RULE))


def test_other_refusals():
    question = CheckQuestion(1.0, RULE)
    with pytest.raises(InvalidParameter, match="level"):
        Scorecard.of([1], question, level=1.0)
    with pytest.raises(InvalidParameter, match="classes"):
        Scorecard.of([1], question, classes=["a"])
    with pytest.raises(BadTable, match="labels"):
        Scorecard.measured(RULE, np.zeros((2, 1)), [1])
    with pytest.raises(InvalidParameter, match="codes"):
        Scorecard.measured(RULE, np.zeros((1, 1)), ["ill"])
    with pytest.raises(InvalidParameter, match="fitted"):
        Scorecard.measured(LogisticRegression(), np.zeros((1, 1)), [1])
    records, labels = some_records(50)
    with pytest.raises(OutOfDomain, match="labels"):
        Scorecard.measured(LogisticRegression().fit(records, labels), records, np.full(50, "dead"))
