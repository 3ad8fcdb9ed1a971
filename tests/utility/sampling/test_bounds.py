"""Bounds hold as often as they say; a bound that forgets what it has not seen is caught."""

import numpy as np
import pytest
from scipy.stats import binom, binomtest

from noisewright.errors import InvalidParameter
from noisewright.utility.core.certificate import Moments
from noisewright.utility.sampling import average_interval, clopper_pearson, deviation
from noisewright.utility.sampling.tally import Tally, plain_sample

RUNS, ALPHA = 2000, 0.05
ALLOWED = int(binom.isf(1e-9, RUNS, ALPHA))
"""More misses than this happen by chance once in 10⁹ tests, if a bound holds with probability 1 − ALPHA."""

STRATA = np.array([0.0, 0.004, 0.01, 0.5, 1.0])
"""Failure probabilities of strata that are weighed alike: most are (almost) settled, one is not."""


def stratified_runs(draws):
    """Estimates of the strata's mean, and the sum of squared terms, in many runs."""
    random = np.random.default_rng(11)
    hits = random.binomial(draws, STRATA, size=(RUNS, STRATA.size))
    term = 1 / (draws * STRATA.size)
    return hits.sum(axis=1) * term, hits.sum(axis=1) * term**2, term


def test_the_inequality_behind_all_bounds():
    rates = np.linspace(0, 0.999, 400)[:, None]
    points = np.linspace(-1, 3, 2001)
    curved = -np.log1p(-rates) - rates
    assert (np.exp(rates * points - curved * points**2) <= 1 + rates * points + 1e-12).all()


@pytest.mark.parametrize("draws", [4, 20, 300])
def test_sums_stay_within_their_bound(draws):
    estimates, squares, term = stratified_runs(draws)
    reach = deviation(squares, term, ALPHA)
    misses = (np.abs(estimates - STRATA.mean()) > reach).sum()
    assert misses <= ALLOWED


def test_a_bound_without_the_unseen_part_is_caught():
    random = np.random.default_rng(12)
    hits = random.random((RUNS, 200)) < 0.004
    pairs = (hits[:, 0:100:2] ^ hits[:, 1:100:2]).mean(axis=1) / 2  # the variance from half of the pairs
    reach = np.sqrt(2 * np.log(3 / ALPHA) * pairs / 200)
    assert (np.abs(hits.mean(axis=1) - 0.004) > reach).sum() > ALLOWED
    sound = deviation(hits.sum(axis=1) / 200**2, 1 / 200, ALPHA)
    assert (np.abs(hits.mean(axis=1) - 0.004) > sound).sum() <= ALLOWED


def test_bounds_are_tight_at_both_extremes():
    none = deviation(0.0, 1e-4, 1e-5)
    assert np.log(2e5) * 1e-4 < none < 1.08 * np.log(2e5) * 1e-4
    many = deviation(0.25e-4, 1e-4, 1e-5)  # 10⁴ terms with centred squares
    assert many < 1.25 * np.sqrt(2 * np.log(2e5) * 0.25e-4)


def test_what_is_not_random_is_exact():
    assert deviation(np.zeros(3), np.zeros(3), 0.01).tolist() == [0, 0, 0]


@pytest.mark.parametrize("alpha", [0.0, 1.0, -0.1, float("nan")])
def test_error_probabilities_are_checked(alpha):
    with pytest.raises(InvalidParameter, match="alpha must be"):
        deviation(0.0, 1.0, alpha)


@pytest.mark.parametrize(("hits", "draws"), [(0, 7), (7, 7), (3, 10), (500, 1000), (1, 10**6)])
def test_plain_samples_agree_with_scipy(hits, draws):
    low, high = clopper_pearson(hits, draws, 0.01)
    other = binomtest(hits, draws).proportion_ci(0.99, method="exact")
    assert low == pytest.approx(other.low, abs=1e-9)
    assert high == pytest.approx(other.high, abs=1e-9)
    assert low <= other.low
    assert high >= other.high


def test_more_hits_than_draws_are_refused():
    with pytest.raises(InvalidParameter, match="between 0 and"):
        clopper_pearson(8, 7, 0.01)


def test_averages_over_records_hold_and_are_narrower():
    random = np.random.default_rng(13)
    records, draws = 40, 25
    truth = random.random(records)
    misses, widths = 0, []
    for _ in range(400):
        tallies = [plain_sample(random.random((1, draws)) < one) for one in truth]
        fields = (
            np.array([getattr(t, name) for t in tallies])[:, :, None]
            for name in ("failing", "squares", "largest")
        )
        low, _, high = average_interval(Moments(*fields), ALPHA)
        misses += not low[0, 0] <= 1 - truth.mean() <= high[0, 0]
        widths.append(high - low)
    assert misses <= binom.isf(1e-9, 400, ALPHA)
    assert np.mean(widths) < 0.2  # a single record's is 0.4


def test_weights_choose_the_records():
    three = Moments(
        *(np.array(v, dtype=float).reshape(3, 1, 1) for v in ([0.1, 0.5, 0.9], [0, 0, 0], [0, 0, 0]))
    )
    low, estimate, high = average_interval(three, 0.01, weights=[1, 1, 0])
    assert estimate[0, 0] == pytest.approx(0.7)
    assert high - low < 1e-8
    with pytest.raises(InvalidParameter, match="weights must be 3"):
        average_interval(three, 0.01, weights=[1, -1, 1])


def test_merging_adds_up_like_one_sample():
    random = np.random.default_rng(14)
    fails = random.random((2, 90)) < [[0.1], [0.8]]
    together = plain_sample(fails[:, :30]).join(plain_sample(fails[:, 30:]))
    assert np.allclose(together.failing, fails.mean(axis=1))
    assert [
        np.allclose(a, b)
        for a, b in zip(together.utility(0.01), plain_sample(fails).utility(0.01), strict=True)
    ]
    twice = Tally(*np.ones((3, 1)), queries=1).join(Tally(*np.ones((3, 1)), queries=3))
    assert (twice.failing, twice.squares, twice.largest, twice.queries) == (1, 10 / 16, 0.75, 4)
