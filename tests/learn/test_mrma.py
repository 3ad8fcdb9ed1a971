"""MRMA: algorithm 1 against hand computations, every client's total, what is refused, what feedback repairs."""

from fractions import Fraction

import joblib
import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier

from noisewright import Interval
from noisewright.errors import InvalidParameter, OutOfDomain
from noisewright.learn.bases import ReportMoments, find_base
from noisewright.learn.ensemble import Mixing, Plan, make_plan, mrma_procedure
from noisewright.learn.ensemble.mixture import errors
from noisewright.learn.ensemble.procedure import random_subsets
from noisewright.learn.mrma import MRMA
from noisewright.learn.questions import FeedbackQuestion, SampledQuestion, SplitQuestion
from noisewright.learn.questions.feedback import Evaluation, response
from noisewright.learn.questions.rounds import Population, read_chance, simulate
from noisewright.learn.rules import ConstantRule, LinearRule
from noisewright.learn.rules.schema import read_schema
from noisewright.learn.scorecard.card import check_procedure


def half_plane(people=1200, seed=0):
    units = np.random.default_rng(seed).uniform(-1, 1, (people, 2))
    return units, (units[:, 0] > units[:, 1]).astype(int)


# -- algorithm 1, step by step ------------------------------------------------------------------------


def test_the_procedure_is_algorithm_1():
    plan = Plan(weak=3, training=40, subset=10, evaluation=31)
    rounds = mrma_procedure(
        SplitQuestion(1.0, width=2), plan, find_base("logistic"), Mixing(), np.random.default_rng(5)
    )
    (training,) = next(rounds)
    assert isinstance(training.question, SplitQuestion)
    assert training.people == 40
    units, codes = half_plane(40)
    feedback = rounds.send([np.column_stack([units, codes])])
    assert [ask.people for ask in feedback] == [11, 10, 10]
    assert {type(ask.question) for ask in feedback} == {FeedbackQuestion}
    bits = [np.arange(11) < 3, np.arange(10) < 9, np.arange(10) < 6]
    with pytest.raises(StopIteration) as done:
        rounds.send(bits)
    mixture = done.value.value

    # Eq. 8, 9, 10 and 11 by hand.
    hit = response(1.0).hit
    estimates = np.array([(share + hit - 1) / (2 * hit - 1) for share in (3 / 11, 0.9, 0.6)])
    turned = np.maximum(estimates, 1 - estimates)
    weights = np.maximum(turned - 0.7, 0) / np.maximum(turned - 0.7, 0).sum()
    assert np.allclose(mixture.weights, weights)
    assert mixture.reversed.tolist() == [True, False, False]
    signs = np.where(estimates < 0.5, -1, 1)
    slopes = [ask.question.rule.weights for ask in feedback]
    assert np.allclose(mixture.rule.weights, (weights * signs) @ slopes)
    assert not mixture.fallback


def test_weak_rules_are_trained_on_subsets_without_replacement():
    subsets = random_subsets(20, 7, 500, np.random.default_rng(0))
    assert subsets.shape == (500, 7)
    assert all(len(set(row)) == 7 for row in subsets.tolist())
    # Every client is in 7/20 of the subsets: binomial with 500 draws, six deviations (2e-9 each side).
    counts = np.bincount(subsets.ravel(), minlength=20)
    assert (np.abs(counts - 175) < 6 * np.sqrt(500 * 0.35 * 0.65)).all()


def test_averaging_none_takes_the_best_and_shrunken_reverses_by_itself():
    rules = [LinearRule([1.0]), LinearRule([2.0]), LinearRule([3.0])]
    found = Evaluation.of([95, 50, 2], [100, 100, 100], 4.0)
    best = Mixing(averaging="none").mix(rules, found)
    assert best.weights.tolist() == [0, 0, 1]
    assert best.rule.weights.tolist() == [-3.0]
    straight = Mixing(averaging="none", reversal=False).mix(rules, found)
    assert straight.rule.weights.tolist() == [1.0]
    doubtful = Evaluation.of([3, 400, 570], [4, 1000, 1000], 1.0)  # the first is luck, the second the best
    assert Mixing(averaging="none").mix(rules, doubtful).rule.weights.tolist() == [-2.0]
    assert Mixing(averaging="none", reversal=False).mix(rules, doubtful).rule.weights.tolist() == [3.0]
    shrunken = Mixing(averaging="shrunken").mix(rules, found)
    assert shrunken.reversed.tolist()[0::2] == [False, True]
    assert shrunken.kept == tuple(rules)


def test_rounds_go_on_with_fewer_answers_and_with_none():
    plan = Plan(weak=2, training=20, subset=10, evaluation=10)
    question = SplitQuestion(1.0, width=2)
    for came in (0, 5):
        rounds = mrma_procedure(question, plan, find_base("logistic"), Mixing(), np.random.default_rng(0))
        next(rounds)
        units, codes = half_plane(20, seed=1)
        feedback = rounds.send([np.column_stack([units, codes])[:came]])
        assert len(feedback) == 2
        with pytest.raises(StopIteration) as done:
            rounds.send([np.zeros(0, dtype=bool), np.ones(4, dtype=bool)])
        assert done.value.value.weights.tolist() == [0, 1]
    check = check_procedure(ConstantRule(1), 3, 1.0, [0, 1])
    next(check)
    with pytest.raises(StopIteration) as done:
        check.send([np.zeros(0, dtype=bool)])
    assert done.value.value is None


def test_some_columns_of_each_record_make_rules_on_whole_records():
    plan = Plan(weak=4, training=32, subset=30, evaluation=40)
    question = SplitQuestion(3.0, width=3, label_share=0.5)
    base, public = find_base("logistic"), np.random.default_rng(5)
    rounds = mrma_procedure(question, plan, base, Mixing(), public, features=2)
    training = next(rounds)
    assert [ask.people for ask in training] == [11, 11, 10]
    assert [ask.question for ask in training] == [
        SampledQuestion(3.0, columns, 3, "Laplace", 0.5) for columns in ((0, 1), (1, 2), (2, 0))
    ]
    draw = np.random.default_rng(1)
    reports = [np.column_stack([draw.normal(size=(11, 2)), np.arange(11) % 2]) for _ in training]
    feedback = rounds.send(reports)
    rules = [ask.question.rule for ask in feedback]
    assert [np.flatnonzero(rule.weights).tolist() for rule in rules] == [[0, 1], [0, 1], [1, 2], [0, 2]]
    # The last group's rule is that of all its records, its first column being the records' last.
    alone = base.fit(reports[2][:, :-1], 2 * reports[2][:, -1] - 1, public)
    assert np.allclose(rules[3].weights[[2, 0]], alone.weights)


def test_judges_may_pay_another_price():
    plan = Plan(weak=2, training=0, subset=0, evaluation=9)
    rounds = mrma_procedure(
        SplitQuestion(2.0, width=1), plan, find_base("random"), Mixing(), np.random.default_rng(0),
        feedback_epsilon=0.5,
    )  # fmt: skip
    assert {ask.question.epsilon for ask in next(rounds)} == {0.5}


def test_the_procedure_for_devices_is_that_of_the_simulation():
    units, codes = half_plane(300)
    labels = ["ill", "well"]
    model = MRMA(epsilon=2.0, domain=Interval(-1, 1), random_state=4)
    model.fit(units, np.array(labels)[codes])
    chance = read_chance(4)
    population = Population(units, codes, 2.0, chance)
    rounds = MRMA(epsilon=2.0).procedure(300, read_schema(Interval(-1, 1), 2), labels, chance.public)
    rule, learned, card = simulate(rounds, population)
    assert rule.to_dict() == model.rule_.to_dict()
    assert learned.rule is rule
    assert (card.count, tuple(card.classes)) == (30, ("ill", "well"))


# -- what it costs ------------------------------------------------------------------------------------

PATHS = [
    {},
    {"check": 0.0},
    {"check": 0.25},
    {"intercept": False, "assignment": "halving", "averaging": "shrunken"},
    {"base": "random", "averaging": "none", "check": 0.1},
    {"base": DecisionTreeClassifier(max_depth=2)},
    {"reversal": False, "mechanism": "pm"},
    {"base": "bayes", "label_share": 0.4},
    {"base": "moments", "mechanism": "hybrid", "averaging": "none"},
    {"features": 1},
]


def without_confusion(path):
    """What is for two classes at a time."""
    return "features" in path or path.get("base") in ("bayes", "moments")


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("classes", [2, 3])
def test_every_client_spends_exactly_epsilon_whatever_the_path(path, classes):
    units, _ = half_plane(431)
    labels = np.random.default_rng(1).integers(classes, size=len(units))
    ways = 1 if without_confusion(path) else classes - 1
    for multiclass in ("one_vs_rest", "confusion")[:ways]:
        model = MRMA(epsilon=0.7, random_state=2, multiclass=multiclass, **path).fit(units, labels)
        assert model.spent_ == {Fraction(0.7): 431}
        assert model.plan_.people == 431
        assert (model.accuracy_ is None) == (path.get("check") == 0)


def test_the_accuracy_comes_from_fresh_clients_and_does_not_flatter():
    """Means over 40 fits: ours within six standard errors of the truth, the winner's own score beyond."""
    units, codes = half_plane(400, seed=3)
    flips = np.random.default_rng(4).random(400) < 0.3
    labels = np.where(flips, 1 - codes, codes)
    ours, winners = [], []
    for seed in range(40):
        model = MRMA("random", averaging="none", weak=20, check=0.5, random_state=seed).fit(units, labels)
        truth = 1 - errors([model.rule_], np.tanh(units), labels)[0]
        ours.append(model.accuracy_.value - truth)
        seen = model.weak_.evaluation.value
        winners.append(np.maximum(seen, 1 - seen).max() - truth)
    assert abs(np.mean(ours)) < 6 * np.std(ours) / np.sqrt(40)
    assert np.mean(winners) > 6 * np.std(winners) / np.sqrt(40)


# -- what it learns -----------------------------------------------------------------------------------


def test_without_an_intercept_feedback_finds_the_boundary():
    units, codes = half_plane(3000)
    box = Interval(-1, 1)
    for changes in ({"intercept": False}, {"base": "random"}, {"base": "svm", "intercept": False}):
        model = MRMA(epsilon=1.0, domain=box, random_state=1, **changes).fit(units, codes)
        assert model.score(units, codes) > 0.85, changes


def test_reversal_repairs_rules_that_were_trained_on_the_wrong_labels():
    units, codes = half_plane(2000)
    base, chance = find_base("logistic", intercept=False), read_chance(1)
    reports = np.column_stack([units[:200], 1 - codes[:200]])
    population = Population(units, codes, 2.0, chance)
    rules = base.fit_many(
        reports[None, :, :-1].repeat(5, 0), np.tile(2 * reports[:, -1] - 1, (5, 1)), chance.public
    )
    assert errors(rules, units, codes).min() > 0.9
    mixing = Mixing()
    mixture = mixing.mix(rules, simulate(mixing.evaluate(rules, 1000, 2.0), population))
    assert mixture.reversed.all()
    assert errors([mixture.rule], units, codes)[0] < 0.1


def test_equal_seeds_give_equal_rules_and_none_is_private():
    units, codes = half_plane(400)
    first, second = (MRMA(random_state=9).fit(units, codes) for _ in range(2))
    assert first.rule_.to_dict() == second.rule_.to_dict()
    assert first.simulated_
    assert not MRMA().fit(units, codes).simulated_


def test_joblib_back_ends_are_honoured():
    units, codes = half_plane(400)
    tree = DecisionTreeClassifier(max_depth=2)
    alone = MRMA(tree, weak=4, random_state=0).fit(units, codes)
    with joblib.parallel_config(backend="threading", n_jobs=2):
        shared = MRMA(tree, weak=4, random_state=0).fit(units, codes)
    assert np.array_equal(alone.decision_function(units), shared.decision_function(units))


# -- what is refused ----------------------------------------------------------------------------------


def test_a_plan_follows_from_how_many_clients_there_are():
    assert make_plan(2214, 8, weak=30, training=414, subset=60) == Plan(30, 414, 60, 1800)
    for people in range(2, 400):
        plan = make_plan(people, 3)
        assert plan.people == people
        assert 1 <= plan.weak <= plan.evaluation
        assert 1 <= plan.subset <= plan.training
    assert make_plan(1000, 4, check=0.2).checking == 200
    assert make_plan(1000, 4, trained=False).training == 0


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        (
            {"weak": 30, "check": 0.0},
            "40 clients are fewer than two for each of 30 weak classifiers; take weak=20",
        ),
        ({"weak": 15, "training": 30, "check": 0.0}, "10 evaluating clients are fewer than the 15 weak"),
        ({"training": 40, "check": 0.0}, "training .* from 1 to 39"),
        ({"training": 10, "subset": 11}, "subset .* from 1 to 10"),
        ({"check": 1.0}, "check must be a share"),
        ({"weak": 0}, "weak must be a whole number"),
        ({"averaging": "median"}, "averaging must be"),
        ({"assignment": "odd"}, "assignment must be"),
        ({"averaging": "shrunken", "reversal": False}, "reverses by itself"),
        ({"epsilon": 0}, "epsilon must be"),
        ({"base": "forest"}, "base must be one of"),
        ({"mechanism": "ogmp"}, "mechanism 'ogmp' is unknown"),
        ({"multiclass": "pairs"}, "multiclass must be"),
        ({"cutoff": 1.0}, "cutoff must be"),
        ({"label_share": 1.0}, "label_share must lie between 0 and 1"),
        ({"base": "bayes", "mechanism": "OGPM"}, "not a straight line"),
        ({"features": 3}, "columns .* from 1 to 2"),
        ({"features": 1, "base": DecisionTreeClassifier()}, "features .* is for linear bases"),
        ({"base": ReportMoments(question=SplitQuestion(1.0, width=2))}, "another question"),
        ({"domain": {"age": Interval(0, 1)}}, "declares 1 feature"),
    ],
)
def test_bad_parameters_are_refused_with_a_sentence(parameters, words):
    units, codes = half_plane(40)
    with pytest.raises(InvalidParameter, match=words):
        MRMA(random_state=0, **parameters).fit(units, codes)
    if "domain" not in parameters:  # and nobody was asked by then
        with pytest.raises(InvalidParameter, match=words):
            next(MRMA(**parameters).procedure(40, read_schema(None, 2), [0, 1], np.random.default_rng(0)))


def test_records_outside_the_domain_are_refused_without_their_values():
    units, codes = half_plane(40)
    wild = units.copy()
    wild[7, 1] = 1.2345
    with pytest.raises(OutOfDomain, match=r"feature 2\[7\] lies above") as refusal:
        MRMA(domain=Interval(-1, 1)).fit(wild, codes)
    assert "1.2345" not in str(refusal.value)


def test_values_outside_are_refused_or_clipped():
    units, codes = half_plane(200)
    units[3, 1] = 5.0
    with pytest.raises(OutOfDomain, match=r"feature 2\[3\] lies above"):
        MRMA(domain=Interval(-2, 2)).fit(units, codes)
    clipped = MRMA(domain=Interval(-2, 2), out_of_domain="clip", random_state=1).fit(units, codes)
    assert clipped.predict(units).shape == (200,)
