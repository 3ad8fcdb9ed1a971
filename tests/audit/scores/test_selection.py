"""The right score is found for each kind of mechanism, and tells inputs apart about as well as can be."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.linear_model import RidgeClassifier
from sklearn.naive_bayes import GaussianNB

from noisewright.audit import audit
from noisewright.audit.basics.outputs import Outputs
from noisewright.audit.encoding import fit_encoder
from noisewright.audit.scores import SCORES, choose_score
from noisewright.errors import InvalidParameter

ROWS = 4000
RNG = np.random.default_rng(6)


def fitted(left, right, wanted="auto", bits=False):
    outputs = Outputs.of(left), Outputs.of(right)
    encoder = fit_encoder(*outputs, bits=bits)
    return encoder, choose_score(*(encoder.features(side) for side in outputs), encoder, wanted)


def separation(encoder, score, left, right):
    """The largest P(S) − Q(S) over the score's events on fresh rows; its error is below 0.05 (DKW, 1e-9)."""
    scores = [np.sort(score.values(encoder.features(Outputs.of(side)))) for side in (left, right)]
    at = np.concatenate(scores)
    return np.max(np.searchsorted(scores[1], at, "right") - np.searchsorted(scores[0], at, "right")) / len(
        left
    )


def laplaces(shift, columns=1, rows=ROWS, rng=RNG):
    return rng.laplace(shift, 1.0, size=(rows, columns))


def test_a_monotone_ratio_takes_the_output_itself():
    encoder, chosen = fitted(laplaces(0), laplaces(1))
    assert chosen.score.title == "the output itself"
    assert chosen.score.event(-0.5, above=True) == "the output is below 0.5"
    assert chosen.losses["value"] < 0.65 < np.log(2)
    assert separation(encoder, chosen.score, laplaces(0), laplaces(1)) == pytest.approx(
        1 - np.exp(-0.5), abs=0.05
    )


def test_a_window_takes_bins():
    def window(centre, rng=RNG):
        return np.where(rng.random(ROWS) < 0.5, centre + 0.1 * rng.random(ROWS), rng.random(ROWS))

    encoder, chosen = fitted(window(0.3), window(0.6))
    assert chosen.score.title == "bins of the output"
    assert "above 0.3" in chosen.score.event(1.0, above=True)
    assert separation(encoder, chosen.score, window(0.3), window(0.6)) == pytest.approx(0.5, abs=0.06)


def test_a_support_that_one_input_lacks_is_seen():
    _, chosen = fitted(RNG.random(ROWS), 0.02 + RNG.random(ROWS), "bins")
    values = chosen.score.steps.at(np.array([0.01, 0.5, 1.01]))
    assert values[0] > 2
    assert values[2] < -2


def test_few_outputs_are_counted():
    encoder, chosen = fitted(RNG.choice(["a", "b", "c"], ROWS, p=[0.6, 0.3, 0.1]).tolist(), ["a", "b"] * 2000)
    assert chosen.score.title == "exact counting"
    assert chosen.score.event(1.0, above=True) == 'the output is "c"'
    assert chosen.score.event(1.0, above=False) == 'the output is not "c"'
    assert "c" not in encoder.atoms


def test_much_laplace_noise_on_a_vector_takes_the_sides():
    """Twenty numbers that move by a fortieth of their noise: all there is to know is how many moved."""
    rng = np.random.default_rng(8)
    encoder, chosen = fitted(laplaces(0, 20, 60_000, rng), laplaces(0.025, 20, 60_000, rng), "auto")
    assert chosen.score.title == "linear model of sides"
    fresh = [encoder.features(Outputs.of(laplaces(shift, 20, 60_000, rng))) for shift in (0, 0.025)]
    best = [(side.table < 0.0125).sum(axis=1) for side in fresh]
    assert np.corrcoef(chosen.score.values(fresh[0]), best[0])[0, 1] > 0.9


def test_sums_take_the_additive_model():
    """Noise of two scales: neither side tells anything, and the ratio is a sum of sizes."""
    encoder, chosen = fitted(laplaces(0, 10), 1.4 * laplaces(0, 10))
    assert chosen.score.title == "additive model"
    assert set(chosen.losses) == {"sides", "linear", "additive", "boosting", "network"}
    fresh = laplaces(0, 10), 1.4 * laplaces(0, 10)
    best = [np.sort(-np.abs(rows).sum(axis=1)) for rows in fresh]
    possible = np.max(np.searchsorted(best[1], best[0]) - np.arange(ROWS)) / ROWS
    assert separation(encoder, chosen.score, *fresh) > possible - 0.06


def test_columns_that_matter_only_together_take_a_trained_score():
    def ring(turn, rng=RNG):
        first = rng.random(ROWS)
        return np.column_stack([first, (first + turn * (1 + rng.random(ROWS))) % 1])

    encoder, chosen = fitted(ring(0.25), ring(-0.25))
    assert chosen.score.title in {"boosted trees", "neural network"}
    assert separation(encoder, chosen.score, ring(0.25), ring(-0.25)) > 0.8


def test_a_seed_may_be_larger_than_scikit_learn_takes():
    def noisy(data, count, generator):
        return data + generator.normal(size=(count, 2))

    found = audit(noisy, 0.0, 1.0, samples=2_000, vectorized=True, seed=1 << 60, score="boosting")
    assert found.epsilon_lower() > 0


@pytest.mark.parametrize("classifier", [GaussianNB(), RidgeClassifier()])
def test_any_classifier_is_taken(classifier):
    encoder, chosen = fitted(laplaces(0, 3), laplaces(1, 3), classifier)
    assert chosen.score.title == type(classifier).__name__
    assert not hasattr(classifier, "classes_")  # the user's own is left alone
    assert separation(encoder, chosen.score, laplaces(0, 3), laplaces(1, 3)) > 0.4
    assert "trained score" in chosen.score.event(0.5, above=False)


def test_inputs_that_cannot_be_told_apart_still_get_a_score():
    _, chosen = fitted(laplaces(0, 2), laplaces(0, 2))
    assert min(chosen.losses.values()) > np.log(2) - 0.01


def test_twenty_rows_are_enough_for_some_score():
    _, chosen = fitted(laplaces(0, 3, rows=20), laplaces(1, 3, rows=20))
    assert chosen.losses == {}
    assert chosen.score.title == "linear model of sides"


@pytest.mark.parametrize("wanted", ["forest", 3, object()])
def test_what_is_no_score_is_refused(wanted):
    with pytest.raises(InvalidParameter, match="score"):
        fitted(laplaces(0, 2, 50), laplaces(0, 2, 50), wanted)


@pytest.mark.parametrize("wanted", ["value", "bins", "counting", "grain"])
def test_scores_refuse_outputs_they_cannot_read(wanted):
    with pytest.raises(InvalidParameter, match=f'"{wanted}" needs'):
        fitted(laplaces(0, 2, 50), laplaces(0, 2, 50), wanted)


def test_a_classifier_that_breaks_is_named_without_its_words():
    class Broken(GaussianNB):
        def fit(self, X, y):
            raise ValueError(f"bad row {X[0]}")

    with pytest.raises(InvalidParameter, match=r"Broken could not be fitted \(ValueError\)"):
        fitted(laplaces(0, 2, 50), laplaces(0, 2, 50), Broken())


def test_a_classifier_that_breaks_on_later_rows_is_named_without_its_words():
    class Secretive(GaussianNB):
        def predict_proba(self, X):
            raise ValueError(f"bad row {X[0]}")

    with pytest.raises(InvalidParameter, match=r"Secretive could not read outputs \(ValueError\)") as refusal:
        fitted(laplaces(0, 2, 400), laplaces(0, 2, 400), Secretive())
    assert "bad row" not in str(refusal.value)
    assert refusal.value.__suppress_context__


def test_names():
    assert list(SCORES) == [
        "value",
        "counting",
        "bins",
        "grain",
        "sides",
        "linear",
        "additive",
        "boosting",
        "network",
    ]
