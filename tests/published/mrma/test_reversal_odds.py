"""How surely the better of a rule and its reversal is picked: exact against enumeration and against play."""

from math import comb

import numpy as np
import pytest
from scipy.stats import binom

from noisewright.errors import InvalidParameter
from noisewright.learn.questions.feedback import response
from noisewright.published.mrma.bounds import favourable_rate, reversal_probability
from noisewright.randomness import SeededSource

CASES = [
    (0.6, 51, 1.0),
    (0.6, 50, 1.0),
    (0.45, 20, 0.5),
    (0.3, 7, 2.0),
    (0.9, 1, 0.1),
    (0.0, 9, 1.0),
    (1.0, 9, 1.0),
]


@pytest.mark.parametrize(("accuracy", "people", "epsilon"), CASES)
def test_the_probability_is_the_sum_over_all_counts(accuracy, people, epsilon):
    rate = favourable_rate(accuracy, epsilon)
    chances = [comb(people, k) * rate**k * (1 - rate) ** (people - k) for k in range(people + 1)]
    right = sum(chances[k] for k in range(people + 1) if (2 * k < people) == (accuracy < 0.5))
    assert reversal_probability(accuracy, people, epsilon) == pytest.approx(right, rel=1e-12)


def played(seed):
    """Rules of accuracy 0.6 that 50 people judge, in 20,000 rounds; in how many they are kept."""
    random = np.random.default_rng(seed)
    truth = (random.random((20_000, 50)) < 0.6).astype(np.int64)
    answers = response(1.0).perturb_cells(truth, SeededSource(seed))
    return int((2 * answers.sum(axis=1) >= 50).sum())


def test_play_agrees_with_the_exact_probability_and_not_with_the_published_one():
    kept = played(5)
    exact = reversal_probability(0.6, 50, 1.0)
    assert 5e-10 < binom.cdf(kept, 20_000, exact) < 1 - 5e-10
    assert binom.cdf(kept, 20_000, reversal_probability(0.6, 50, 1.0, as_published=True)) < 5e-10


def test_the_published_probability_forgets_the_noise():
    exact = [reversal_probability(0.6, 51, epsilon) for epsilon in (0.1, 0.5, 1.0, 2.0)]
    published = [reversal_probability(0.6, 51, epsilon, as_published=True) for epsilon in (0.1, 2.0)]
    assert published[0] == published[1] == pytest.approx(0.9275, abs=1e-4)
    assert exact == sorted(exact)
    assert exact[1:] == pytest.approx([0.637, 0.747, 0.864], abs=5e-4)
    assert exact[0] < 0.54 < exact[-1] < published[0]


def test_an_odd_number_of_people_treats_both_sides_alike():
    for accuracy in (0.51, 0.7, 1.0):
        low, high = (reversal_probability(rate, 31, 1.0) for rate in (1 - accuracy, accuracy))
        assert low == pytest.approx(high, rel=1e-9)


def test_a_toss_up_cannot_be_picked_wrongly():
    assert reversal_probability(0.5, 10, 1.0) == reversal_probability(0.5, 10, 1.0, as_published=True) == 1


def test_many_people_are_sure():
    assert reversal_probability(0.51, 10**8, 0.5) == pytest.approx(1)


@pytest.mark.parametrize(
    ("accuracy", "people", "epsilon"),
    [(1.1, 5, 1), (float("nan"), 5, 1), (0.6, 0, 1), (0.6, 5, 0), (0.6, 2.5, 1)],
)
def test_numbers_out_of_range_are_refused(accuracy, people, epsilon):
    with pytest.raises(InvalidParameter):
        reversal_probability(accuracy, people, epsilon)
