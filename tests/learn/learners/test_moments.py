"""Linear rules from moments: the noise is taken back, and the rule tends to Fisher's discriminant."""

from fractions import Fraction

import numpy as np
import pytest
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

from noisewright.errors import InvalidParameter
from noisewright.learn.bases import find_base
from noisewright.learn.learners.moment_rounds import moment_procedure
from noisewright.learn.moments.moments import (
    LEAST_EIGENVALUE,
    Measured,
    Moments,
    lift_eigenvalues,
    linear_from_moments,
    moments_from_raw,
    posterior_means,
)
from noisewright.learn.moments.report_moments import calibration, linear_from_reports, report_moments
from noisewright.learn.questions import SampledQuestion, SplitQuestion
from noisewright.learn.questions.base import unit_channel
from noisewright.learn.questions.rounds import Population, read_chance, simulate
from noisewright.learn.questions.split import cyclic
from noisewright.learn.rules.schema import read_schema
from noisewright.randomness import SeededSource


def gaussian(people, seed=0):
    """Three correlated columns, and a label that all of them tell something of; nearly all inside [−1, 1]."""
    random = np.random.default_rng(seed)
    labels = (random.random(people) < 0.4).astype(np.int64)
    mix = np.array([[1.0, 0.0, 0.0], [0.6, 0.8, 0.0], [-0.3, 0.2, 0.9]])
    units = random.normal(size=(people, 3)) @ mix.T + np.outer(labels, [1.2, 0.2, 0.6]) - [0.4, 0.1, -0.3]
    return np.clip(units / 4.5, -1, 1), labels


def exact_moments(units, labels, variance=0.0):
    signs = 2.0 * labels - 1
    ties = ((units - units.mean(axis=0)) * (signs - signs.mean())[:, None]).mean(axis=0)
    parts = np.array(signs.mean()), units.mean(axis=0), ties, np.cov(units.T, bias=True)
    return Moments(*(Measured(part, np.full(part.shape, variance)) for part in parts))


def learned(units, labels, epsilon, seed, mechanism="designed"):
    chance = read_chance(seed)
    people = Population(units, labels, epsilon, chance)
    schema = read_schema(None, units.shape[1])
    rule = simulate(moment_procedure(schema, len(units), epsilon, mechanism), people)
    return rule, people


def error(rule, units, labels):
    return float((rule.predict(units) != labels).mean())


# -- from moments to a rule ---------------------------------------------------------------------------


def test_exact_moments_give_fishers_discriminant():
    units, labels = gaussian(5000)
    rule = linear_from_moments(exact_moments(units, labels))
    fisher = LinearDiscriminantAnalysis(solver="lsqr").fit(units, labels)
    assert rule.weights == pytest.approx(fisher.coef_[0], rel=1e-3)
    assert rule.intercept == pytest.approx(fisher.intercept_[0], rel=1e-3)


def test_moments_that_are_not_known_give_the_more_common_class():
    unknown = Moments(
        Measured(np.array(-0.4), np.array(0.01)),
        Measured.unknown(3),
        Measured.unknown(3),
        Measured.unknown(3, 3),
    )
    rule = linear_from_moments(unknown)
    assert not rule.weights.any()
    assert rule.intercept == pytest.approx(np.log(0.3 / 0.7))


def test_doubt_shortens_the_weights():
    units, labels = gaussian(5000)
    lengths = [
        np.linalg.norm(linear_from_moments(exact_moments(units, labels, doubt)).weights)
        for doubt in (0.0, 1e-3, 1e-2, 1e-1, 10.0)
    ]
    assert lengths == sorted(lengths, reverse=True)
    assert lengths[-1] < 0.05 * lengths[0]


def test_shrinking_lowers_the_error_of_all_estimates_together():
    """Stein: 400 draws of ten numbers with as much noise as signal; the ratio of errors is near 1/2."""
    random = np.random.default_rng(3)
    truth = 0.2 * random.normal(size=(400, 10))
    seen = truth + 0.2 * random.normal(size=truth.shape)
    shrunk = np.array([posterior_means(Measured(row, np.full(10, 0.04)), 0.2) for row in seen])
    assert ((shrunk - truth) ** 2).mean() < 0.6 * ((seen - truth) ** 2).mean()


def test_what_is_no_correlation_matrix_is_repaired():
    broken = np.array([[1.0, 0.9, -0.9], [0.9, 1.0, 0.9], [-0.9, 0.9, 1.0]])
    assert np.linalg.eigvalsh(broken)[0] < 0
    mended = lift_eigenvalues(broken)
    assert np.diag(mended) == pytest.approx(np.ones(3))
    assert np.linalg.eigvalsh(mended)[0] > LEAST_EIGENVALUE / 2
    sound = np.array([[1.0, 0.5], [0.5, 1.0]])
    assert lift_eigenvalues(sound) == pytest.approx(sound)


def test_raw_moments_are_centred():
    units, labels = gaussian(4000)
    signs, exact = 2.0 * labels - 1, exact_moments(units, labels)
    sure = [Measured(part, np.zeros_like(part)) for part in (
        np.array(signs.mean()), units.mean(axis=0), (units * (signs + 0.3)[:, None]).mean(axis=0),
        units.T @ units / len(units))]  # fmt: skip
    found = moments_from_raw(*sure, centre=-0.3)
    assert found.ties.value == pytest.approx(exact.ties.value)
    assert found.spreads.value == pytest.approx(exact.spreads.value)


# -- from noisy records -------------------------------------------------------------------------------


@pytest.mark.parametrize("mechanism", ["Laplace", "PM", "Hybrid", "UnbiasedOGPM", "SW"])
def test_calibration_takes_the_noise_back_exactly(mechanism):
    """By the law: the expected square, corrected, is z²; for the named channels the parabola is exact."""
    places = np.linspace(-1, 1, 33)
    found, law = calibration(mechanism, 0.7), unit_channel(mechanism, 0.7).law(places)
    assert found.values(law.mean()) == pytest.approx(places, abs=1e-4)
    squared = (law.variance() + (law.mean() - found.shift) ** 2) / found.slope**2
    assert (squared - found.noise) / found.growth == pytest.approx(places**2, abs=1e-4)


def test_two_reports_tell_nothing_of_squares():
    units, labels = gaussian(5000)
    question = SplitQuestion(6.0, 3, "Duchi")
    found = report_moments([(question, question.answers(units, labels, SeededSource(4)))])
    assert np.isinf(found.spreads.diagonal().variance).all()
    assert np.isfinite(found.spreads.variance[0, 1])
    assert np.isfinite(linear_from_moments(found).weights).all()


def test_channels_that_bend_are_refused():
    with pytest.raises(InvalidParameter, match="straight line"):
        linear_from_reports(np.zeros((5, 3)), SplitQuestion(1.0, 2, "OGPM"))


@pytest.mark.parametrize("mechanism", ["Laplace", "PM", "designed"])
def test_reported_moments_are_unbiased_and_know_their_error(mechanism):
    """All 16 moments within 6.1 of their own standard errors (false alarms below 1e-7 in all).

    Power: noise left in the squares would be twenty standard errors and more.
    """
    units, labels = gaussian(60_000)
    question = SplitQuestion(6.0, 3, mechanism)
    found = report_moments([(question, question.answers(units, labels, SeededSource(4)))])
    exact = exact_moments(units, labels)
    for name in ("label", "means", "ties", "spreads"):
        seen, true = getattr(found, name), getattr(exact, name)
        assert (np.abs(seen.value - true.value) < 6.1 * seen.stderr + 1e-3).all(), name
    noise = calibration(mechanism, question.column_epsilon).noise
    assert (noise > 20 * found.spreads.diagonal().stderr).all()


def test_sampled_reports_pool_to_the_same_moments():
    units, labels = gaussian(60_000)
    parts = np.array_split(np.arange(len(units)), 3)
    questions = [SampledQuestion(6.0, columns, 3, "PM") for columns in cyclic(3, 2)]
    asked = [
        (question, question.answers(units[part], labels[part], SeededSource(place)))
        for place, (question, part) in enumerate(zip(questions, parts, strict=True))
    ]
    found, exact = report_moments(asked), exact_moments(units, labels)
    assert (np.abs(found.spreads.value - exact.spreads.value) < 6.1 * found.spreads.stderr + 1e-3).all()
    alone = report_moments(asked[:1])
    assert np.isinf(alone.spreads.variance[0, 2])
    assert np.isinf(alone.means.variance[2])


def test_noise_in_the_columns_does_not_bias_the_direction():
    """Least squares on the reports turns away from the discriminant; moments with the noise removed do not."""
    units, labels = gaussian(200_000)
    question = SplitQuestion(12.0, 3, "PM")
    answers = question.answers(units, labels, SeededSource(2))
    fisher = linear_from_moments(exact_moments(units, labels)).normalised().weights
    naive = find_base("gradient").fit(answers[:, :-1], 2 * answers[:, -1] - 1, np.random.default_rng(0))
    corrected = linear_from_reports(answers, question)
    assert corrected.normalised().weights @ fisher > 0.995
    assert naive.normalised().weights @ fisher < 0.97


# -- in rounds ----------------------------------------------------------------------------------------


def test_the_rule_tends_to_fishers_discriminant():
    units, labels = gaussian(400_000)
    fisher = linear_from_moments(exact_moments(units, labels))
    rule, _ = learned(units, labels, 4.0, 1)
    assert rule.normalised().weights @ fisher.normalised().weights > 0.995
    assert error(rule, units, labels) < error(fisher, units, labels) + 0.003


@pytest.mark.parametrize(
    ("people", "epsilon"),
    [(1, 1.0), (7, 1.0), (2, 6.0), (600, 0.5), (20_000, 3.0), (6000, 6.0), (300_000, 6.0)],
)
def test_everybody_is_asked_once_for_exactly_epsilon(people, epsilon):
    units, labels = gaussian(people)
    rule, population = learned(units, labels, epsilon, 1, "PM")
    assert population.left == 0
    assert population.account.totals() == {Fraction(epsilon): people}
    assert np.isfinite(rule.scores(units)).all()


def like_tumours(people, seed):
    """Many columns that fill little of their domains and mostly repeat each other; 37 of 100 in class 1."""
    random = np.random.default_rng(seed)
    labels = (random.random(people) < 0.37).astype(np.int64)
    size = random.normal(size=people) + 2.0 * labels
    units = 0.2 * (0.8 * size[:, None] + 0.6 * random.normal(size=(people, 12))) - 0.5
    return np.clip(units, -1, 1), labels


def test_it_beats_the_majority_on_columns_that_repeat_each_other():
    """Bayes errs in 16 %, the majority class in 37 %; eight repetitions at ε = 4 with 3000 people."""
    errors = []
    for seed in range(8):
        units, labels = like_tumours(4000, seed)
        rule, _ = learned(units[:3000], labels[:3000], 4.0, seed)
        errors.append(error(rule, units[3000:], labels[3000:]))
    assert np.mean(errors) < 0.22
    assert max(errors) < 0.3


def test_without_a_signal_it_stays_near_the_majority():
    """Labels that no column tells of, at a small ε: the mean error exceeds the minority share by little."""
    errors = []
    for seed in range(10):
        random = np.random.default_rng(seed)
        units, labels = random.uniform(-1, 1, (3000, 5)), (random.random(3000) < 0.3).astype(np.int64)
        rule, _ = learned(units, labels, 1.0, seed)
        errors.append(error(rule, units, labels))
    assert np.mean(errors) < 0.34
