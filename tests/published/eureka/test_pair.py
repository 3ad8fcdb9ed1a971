"""Algorithm 1 near known spectra, for outputs of every kind and classifiers of every kind."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.naive_bayes import GaussianNB

from noisewright.audit import truth
from noisewright.audit.blackbox import black_box
from noisewright.audit.experiment import Experiment
from noisewright.errors import BadModel, InvalidParameter
from noisewright.published.eureka import LABEL, asymptotic_reach, eureka_experiment, eureka_pair

EPSILONS = np.array([0.0, 0.5, 1.0])
SAMPLES = 8000
TEST_ROWS = SAMPLES // 2

# Estimates stray by 2·e^ε·√(r(1 − r)/test rows) ≤ e^ε/√4000, that is 0.016·e^ε: six of them is a false alarm
# in 10⁹ tests, and 0.01 is for what √4000 neighbours see less than the best rule does.
TOLERANCE = 6.2 * np.exp(EPSILONS) / np.sqrt(TEST_ROWS) + 0.01


def laplace(data, count, generator):
    return data + generator.laplace(size=count)


def louder(data, count, generator):
    return data + generator.laplace(scale=0.4, size=count)


def response(data, count, generator):
    return np.where(generator.random(count) < 0.75, data, 1 - data)


def spoken(data, count, generator):
    return [("yes", None) if answer else "no" for answer in response(data, count, generator)]


def found(mechanism, left, right, **options):
    options = {"samples": SAMPLES, "vectorized": True, "seed": 7} | options
    return eureka_pair(mechanism, left, right, EPSILONS, **options)


def test_laplace_is_near_its_curve_and_a_wrong_one_is_not() -> None:
    right, wrong = found(laplace, 0.0, 1.0), found(louder, 0.0, 1.0)
    assert np.all(np.abs(right.deltas - truth.laplace(1.0, EPSILONS)) < TOLERANCE)
    assert wrong.deltas[-1] > TOLERANCE[-1]
    assert np.abs(wrong.deltas - truth.laplace(2.5, EPSILONS)) == pytest.approx(0, abs=TOLERANCE[-1])
    assert right.label == LABEL
    assert "not a bound" in right.label
    assert right.to_dict()["samples"] == SAMPLES


@pytest.mark.parametrize(("mechanism", "inputs"), [(response, (0, 1)), (response, (1, 0)), (spoken, (0, 1))])
def test_categories_are_near_their_curve(mechanism, inputs) -> None:
    expected = truth.finite([0.75, 0.25], [0.25, 0.75], EPSILONS)
    assert np.all(np.abs(found(mechanism, *inputs).deltas - expected) < TOLERANCE + 0.02)


def test_a_classifier_of_scikit_learn_serves() -> None:
    estimate = found(laplace, 0.0, 1.0, classifier=GaussianNB())
    assert estimate.classifier == "GaussianNB"
    assert estimate.deltas[0] == pytest.approx(truth.laplace(1.0, 0.0), abs=TOLERANCE[0])


def test_wide_outputs_get_a_network() -> None:
    def vector(data, count, generator):
        return data + generator.normal(size=(count, 10))

    estimate = eureka_pair(vector, 0.0, 1.0, [0.0], samples=800, vectorized=True, seed=3)
    expected = truth.gaussian(1.0, 0.0, distance=np.sqrt(10))
    assert estimate.classifier == "network"
    assert estimate.deltas[0] == pytest.approx(expected, abs=0.2)
    assert estimate.deltas[0] > 0.5


def test_beyond_the_logarithm_of_the_test_rows_the_published_estimate_is_one_or_nothing() -> None:
    """No error among few test rows is read as no risk at all, although δ is 0 from ε = 1 on."""
    estimate = eureka_pair(laplace, 0.0, 1.0, [0.0, 7.0, 40.0], samples=200, vectorized=True, seed=1)
    assert estimate.deltas[1:].tolist() == [1.0, 1.0]
    assert estimate.steps == pytest.approx(2 * np.exp([0.0, 7.0, 40.0]) / 100)
    assert estimate.meaningful.tolist() == [True, False, False]


def test_outputs_that_identify_the_input_give_delta_one() -> None:
    estimate = found(lambda data, count: np.full(count, data), 0.0, 1.0)
    assert estimate.deltas.tolist() == [1.0, 1.0, 1.0]


def test_a_law_that_changes_sides_often_is_missed_whatever_corollary_2_says() -> None:
    """Density 2 on every second of a million teeth of [0, 1): δ(0) = 1, and neighbours see nothing."""
    teeth = 1_000_000

    def comb(data, count, generator):
        return (2 * generator.integers(0, teeth // 2, count) + data + generator.random(count)) / teeth

    estimate = eureka_pair(comb, 0, 1, [0.0], samples=4000, vectorized=True, seed=5)
    assert estimate.deltas[0] < 0.1
    # what the corollary allows is below 0.9 from here on, with 20 times as many teeth as runs
    assert asymptotic_reach(0.0, 50_000, 1) < 0.9


def test_the_same_seed_gives_the_same_estimate() -> None:
    first, again, other = (found(laplace, 0.0, 1.0, samples=600, seed=seed) for seed in (7, 7, 8))
    assert first.risks.tolist() == again.risks.tolist() != other.risks.tolist()


def test_an_experiment_is_run_as_often_as_said() -> None:
    experiment = Experiment(black_box(laplace, vectorized=True), 0.0, 1.0, seed=2)
    eureka_experiment(experiment, [0.0, 1.0], samples=500, seed=2)
    assert sum(experiment.drawn.values()) == 500


class Broken:
    def fit(self, table, labels):
        raise ValueError(f"row {table[0]} is secret")

    def predict(self, table):
        raise AssertionError

    def get_params(self, deep=True):
        return {}


def test_a_classifier_that_fails_is_named_without_its_words() -> None:
    with pytest.raises(BadModel, match=r"it raised ValueError$"):
        found(laplace, 0.0, 1.0, classifier=Broken(), samples=200)


@pytest.mark.parametrize(
    ("options", "words"), [({"classifier": "oracle"}, "classifier"), ({"samples": 9}, "samples")]
)
def test_what_has_no_meaning_is_refused(options, words) -> None:
    with pytest.raises(InvalidParameter, match=words):
        found(laplace, 0.0, 1.0, **options)
