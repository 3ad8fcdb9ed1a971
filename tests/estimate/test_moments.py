"""Means, variances and directions: unbiased where the law allows, honest where it does not."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import binom

from noisewright import Circle, Integers, Interval, MetricSpace
from noisewright.design import optimal_law
from noisewright.errors import InvalidParameter
from noisewright.estimate import Tally, distribution, frequencies, mean, quantile, variance
from noisewright.estimate.directions import shortening
from noisewright.estimate.functional import average, invert
from noisewright.estimate.moments import parabola, straight_line
from noisewright.mechanisms import (
    OGPM,
    PM,
    PMC,
    SW,
    SWC,
    TSW,
    CircularOGPM,
    Duchi,
    Hybrid,
    Laplace,
    Purkayastha,
    Staircase,
)
from noisewright.randomness import SeededSource
from populations import mixture

FAR = 6.0
"""Standard errors: a right estimate is further off once in 5·10⁸ tries."""

UNIT = Interval(0, 1)


def collect(mechanism, values, seed=1):
    return Tally.of(mechanism.perturb(values, SeededSource(seed)), mechanism)


@pytest.mark.parametrize("kind", [PM, SW, SWC, PMC, Duchi, Hybrid, Laplace, Staircase])
def test_the_expected_report_is_a_straight_line(kind):
    slope, height = straight_line(kind(UNIT, 1.0))
    truth = np.array([0.1, 0.45, 0.9])
    assert np.asarray(kind(UNIT, 1.0).law(truth).mean()) == pytest.approx(height + slope * truth, abs=1e-5)


@pytest.mark.parametrize("kind", [OGPM, TSW])
def test_the_expected_report_is_no_straight_line(kind):
    assert straight_line(kind(UNIT, 1.0)) is None


@pytest.mark.parametrize("kind", [PM, SW, Duchi, Hybrid, Laplace, Staircase, TSW])
@pytest.mark.parametrize("epsilon", [0.5, 2.0])
def test_the_mean_is_right_to_its_standard_error_and_would_notice_a_tenth(kind, epsilon):
    values = mixture(200_000, np.random.default_rng(1))
    found = mean(collect(kind(UNIT, epsilon), values))
    assert abs(found.value - values.mean()) < FAR * found.stderr
    wrong = mean(collect(kind(UNIT, epsilon), values * 0.7 + 0.3))  # power: moved by 0.15, it is seen
    assert abs(wrong.value - values.mean()) > FAR * wrong.stderr
    assert found.low < found.value < found.high


@pytest.mark.parametrize("share", [0.0, 0.01, 0.99, 1.0])
@pytest.mark.parametrize("kind", [PM, SW, Duchi, Laplace, OGPM])
def test_intervals_of_means_stay_within_the_domain(kind, share):
    """A column of 0 and 1, few people: half of the unbiased means lie where no mean can be."""
    mechanism, cut, held = kind(Integers(0, 1), 1.0), 0, 0
    for seed in range(20):
        truth = (np.arange(100) < 100 * share).astype(float)
        found = mean(mechanism.perturb(truth, SeededSource(seed)), mechanism)
        assert 0 <= found.low <= found.value <= found.high <= 1
        assert found.low < found.high
        cut += found.low == 0 or found.high == 1
        held += found.low <= share <= found.high
    assert cut > 5
    assert held >= 15  # 95 % of 20; fewer come up once in 3,000 tries


def test_what_ogpm_cannot_tell_is_in_the_interval():
    """All people below half a window have one law: their mean may be anywhere between 0 and half a window."""
    mechanism = OGPM(UNIT, 1.0)
    half = mechanism.window.width / mechanism.window.cells / 2
    for value in (0.01, half - 0.01):
        found = mean(collect(mechanism, np.full(100_000, value)))
        assert found.low <= value <= found.high
        assert found.high - found.low > half * 0.9
        assert "one law for many values" in found.method
    inside = mean(collect(mechanism, np.random.default_rng(2).uniform(0.4, 0.6, 100_000)))
    assert inside.high - inside.low < half / 2


@pytest.mark.parametrize("kind", [PM, SW, Hybrid, Staircase, Laplace, TSW])
def test_the_variance_is_that_of_the_people(kind):
    values = mixture(400_000, np.random.default_rng(3))
    found = variance(collect(kind(UNIT, 2.0), values))
    assert abs(found.value - values.var()) < FAR * found.stderr
    assert found.stderr < 0.01
    assert 0 <= found.low <= found.value <= found.high


def test_two_kinds_of_report_say_little_about_the_variance():
    found = variance(collect(Duchi(UNIT, 1.0), np.full(10_000, 0.5)))
    assert found.low == 0.0
    assert found.high > 0.15  # a mean of one half leaves room for people at both ends
    assert "every population" in found.method
    assert parabola(Duchi(UNIT, 1.0)) is None


@pytest.mark.parametrize("few", [1, 2, 3])
@pytest.mark.parametrize("kind", [SW, Laplace, PM, Duchi])
def test_a_few_reports_of_another_budget_change_little(kind, few):
    """Two reports that happen to be alike must not outweigh twenty thousand."""
    values = mixture(20_000, np.random.default_rng(13))
    many = collect(kind(UNIT, 1.0), values)
    alone = mean(many)
    for seed in range(20):
        extra = collect(kind(UNIT, 2.0), values[:few], seed)
        both = mean(many + extra)
        assert abs(both.value - alone.value) < alone.stderr / 2
        assert both.stderr == pytest.approx(alone.stderr, rel=0.02)


def test_a_few_directions_of_another_budget_change_little():
    values = np.random.default_rng(14).normal(14, 3, 20_000) % 24
    many = collect(CircularOGPM(Circle(24), 1.0), values)
    alone = mean(many)
    for seed in range(20):
        both = mean(many + collect(CircularOGPM(Circle(24), 2.0), values[:1], seed))
        assert abs(both.value - alone.value) < alone.stderr / 2
        assert both.stderr == pytest.approx(alone.stderr, rel=0.02)


def test_the_standard_error_of_two_kinds_of_report_is_that_of_their_law():
    mechanism = Duchi(UNIT, 1.0)
    found = mean(collect(mechanism, np.full(10_000, 0.5)))
    assert found.stderr == pytest.approx(math.sqrt(mechanism.law(0.5).variance() / 10_000), rel=0.02)


def test_pooling_budgets_is_better_than_the_best_of_them():
    values = mixture(100_000, np.random.default_rng(4))
    one, two = collect(PM(UNIT, 0.5), values[:50_000]), collect(PM(UNIT, 2.0), values[50_000:], 2)
    both = mean(one + two)
    assert both.stderr < min(mean(one).stderr, mean(two).stderr)
    assert abs(both.value - values.mean()) < FAR * both.stderr
    assert both.count == 100_000


@pytest.mark.parametrize("kind", [CircularOGPM, Purkayastha])
def test_a_law_that_turns_with_the_value_keeps_directions(kind):
    assert 0 < shortening(kind(Circle(24), 1.0)) < 1


@pytest.mark.parametrize("kind", [CircularOGPM, Purkayastha, PMC, SWC])
def test_the_mean_direction_is_right_across_midnight(kind):
    values = np.random.default_rng(5).normal(23.7, 2.0, 200_000) % 24
    angles = values * math.pi / 12
    truth = math.atan2(np.sin(angles).mean(), np.cos(angles).mean()) * 12 / math.pi % 24
    domain = Circle(24)
    found = mean(collect(kind(domain, 2.0), values))
    assert domain.distance(found.value, truth) < FAR * found.stderr
    assert found.stderr < 0.2
    assert domain.distance(found.low, found.high) < 1


def test_people_without_a_direction_get_the_whole_circle():
    values = np.random.default_rng(6).uniform(0, 24, 5000)
    found = mean(collect(CircularOGPM(Circle(24), 0.5), values))
    assert (found.low, found.high) == (0.0, 24.0)


@pytest.mark.parametrize("kind", [SW, PM, TSW, OGPM])
def test_quantiles_are_ordered_and_hold_the_truth(kind):
    values = mixture(200_000, np.random.default_rng(7))
    shares = [0.1, 0.5, 0.9]
    found = quantile(collect(kind(UNIT, 4.0), values), share=shares, level=0.9999)
    truth = np.quantile(values, shares)
    assert (found.low <= truth).all()
    assert (truth <= found.high).all()
    assert (np.diff(found.value) > 0).all()


def test_the_quantile_of_one_share_is_one_number():
    assert isinstance(quantile(collect(SW(Integers(0, 9), 4.0), np.arange(10.0).repeat(200))).value, float)


def test_a_quantile_among_values_that_cannot_be_told_apart_reaches_to_their_ends():
    mechanism = OGPM(UNIT, 1.0)
    half = mechanism.window.width / mechanism.window.cells / 2
    found = quantile(collect(mechanism, np.full(50_000, 0.05)))
    assert found.low == pytest.approx(0, abs=1e-3)
    assert found.high >= half - 1e-3


@pytest.mark.parametrize("domain", [Interval(0, 1), Circle(24)])
def test_designed_laws_can_be_estimated_from(domain):
    mechanism = optimal_law(domain, 2.0, inputs=40)
    values = mixture(100_000, np.random.default_rng(8)) * domain.length * 0.999
    tally = collect(mechanism, values)
    found = distribution(tally, bins=10)
    truth = np.histogram(values, found.edges)[0] / values.size
    assert np.abs(found.value - truth).sum() / 2 < 0.08
    assert ((found.low <= truth) & (truth <= found.high)).mean() >= 0.7
    assert np.median(found.high - found.low) < 0.4
    if isinstance(domain, Interval):
        centre = mean(tally, level=0.999999)
        assert centre.low <= values.mean() <= centre.high


STOPS = MetricSpace("ABCD", np.abs(np.subtract.outer(range(4), range(4))))


TRUTH = np.array([0.5, 0.3, 0.15, 0.05])


def test_frequencies_of_labels_are_unbiased():
    mechanism = optimal_law(STOPS, 1.0, loss="zero-one")
    labels = np.random.default_rng(9).choice(list("ABCD"), 100_000, p=TRUTH)
    found = frequencies(mechanism.perturb(labels, SeededSource(1)), mechanism)
    assert (np.abs(found.value - TRUTH) < FAR * found.stderr).all()
    assert found.stderr.max() < 0.01
    assert found.labels == tuple("ABCD")


def test_labels_that_a_design_gives_up_have_wide_intervals_and_hold_the_truth():
    mechanism = optimal_law(STOPS, 1.0)  # for the distance it is best to name only some of the stops
    assert mechanism.reports.lattice == 4
    assert np.linalg.matrix_rank(mechanism.law(list("ABCD")).probabilities, tol=1e-6) < 4
    labels = np.random.default_rng(9).choice(list("ABCD"), 100_000, p=TRUTH)
    found = frequencies(mechanism.perturb(labels, SeededSource(1)), mechanism, level=0.999999)
    assert ((found.low <= TRUTH) & (found.high >= TRUTH)).all()
    assert (found.high - found.low).max() > 0.1


def test_a_functional_out_of_reach_is_bounded_by_its_known_bias():
    """Two classes with one law: their difference is unknown, their sum is not."""
    law = np.array([[0.5, 0.3, 0.2], [0.5, 0.3, 0.2], [0.1, 0.3, 0.6]])
    counts = np.array([300.0, 300.0, 400.0])
    asked = np.array([[1.0, 0.0, 0.0], [1.0, 1.0, 0.0]])
    inverse = invert([law], [1 / (counts / 1000)], [counts], asked)
    assert inverse.over[0] - inverse.under[0] == pytest.approx(1, abs=0.05)
    assert (inverse.over[1], inverse.under[1]) == (0, 0)
    assert average(inverse, [counts], [counts]).value[1] == pytest.approx(0.5)


def test_labels_have_neither_mean_nor_bins():
    mechanism = optimal_law(STOPS, 1.0)
    reports = mechanism.perturb(list("ABCD"))
    for ask in (mean, variance, distribution, quantile):
        with pytest.raises(InvalidParameter):
            ask(reports, mechanism)
    with pytest.raises(InvalidParameter, match="labels"):
        frequencies(PM(UNIT, 1.0).perturb([0.5]), PM(UNIT, 1.0))


def test_senseless_questions_are_refused():
    tally = collect(SW(UNIT, 1.0), np.full(10, 0.5))
    with pytest.raises(InvalidParameter, match="bins"):
        distribution(tally, bins=1)
    with pytest.raises(InvalidParameter, match="method"):
        distribution(tally, method="guess")
    with pytest.raises(InvalidParameter, match="level"):
        mean(tally, level=1.5)
    with pytest.raises(InvalidParameter, match="between 0 and 1"):
        quantile(tally, share=1.0)
    with pytest.raises(InvalidParameter, match="order"):
        quantile(collect(CircularOGPM(Circle(24), 1.0), np.ones(10)))
    with pytest.raises(InvalidParameter, match="two reports"):
        mean(collect(SW(UNIT, 1.0), np.ones(1)))


def test_an_estimate_says_what_it_rests_on():
    found = distribution(collect(SW(UNIT, 1.0), mixture(1000, np.random.default_rng(11))), bins=5)
    described = found.to_dict()
    assert described["assumption"].startswith("the people are an independent sample")
    assert "for every true value" in described["method"]
    assert len(described["edges"]) == 6
    assert described["level"] == 0.95
    assert found.value.sum() == pytest.approx(1)
    assert ((found.low - 1e-9 <= found.value) & (found.value <= found.high + 1e-9)).all()


def test_reports_that_never_come_do_not_spoil_an_unbiased_design():
    mechanism = optimal_law(Interval(50, 150), 2.0, loss="squared", unbiased=True, inputs=33)
    values = 50 + 100 * mixture(50_000, np.random.default_rng(12))
    tally = collect(mechanism, values)
    found = distribution(tally, bins=5)
    truth = np.histogram(values, found.edges)[0] / values.size
    assert found.stderr.max() < 0.3
    assert (np.abs(found.value - truth) < FAR * found.stderr).all()
    centre = mean(tally)
    assert abs(centre.value - values.mean()) < FAR * centre.stderr
    assert centre.stderr == pytest.approx(tally.groups[0].variance ** 0.5 / 50_000**0.5, rel=0.05)


TWO = [SW, PM, OGPM, Laplace]


@pytest.mark.parametrize("kind", TWO)
@pytest.mark.parametrize("first", [0, -3])
@pytest.mark.parametrize("share", [0.0, 0.3, 0.5, 1.0])
def test_two_whole_numbers_have_one_interval(kind, first, share):
    """The mean is the share of the larger number and the variance p(1 − p): nothing else may be printed."""
    mechanism = kind(Integers(first, first + 1), 1.0)
    truth = first + (np.arange(3000) < 3000 * share).astype(float)
    tally = Tally.of(mechanism.perturb(truth, SeededSource(7)), mechanism)
    shares, middle, squares = distribution(tally, bins=2), mean(tally), variance(tally)
    for name in ("value", "low", "high"):
        of_mean = getattr(middle, name) - first
        assert of_mean == pytest.approx(getattr(shares, name)[1], abs=1e-9)
    assert shares.value.sum() == pytest.approx(1)
    p = shares.value[1]
    ends = [end * (1 - end) for end in (shares.low[1], shares.high[1])]
    assert squares.value == pytest.approx(p * (1 - p), abs=1e-9)
    assert squares.low == pytest.approx(min(ends), abs=1e-9)
    assert squares.high == pytest.approx(
        0.25 if shares.low[1] <= 0.5 <= shares.high[1] else max(ends), abs=1e-9
    )


@pytest.mark.parametrize("share", [0.02, 0.4])
def test_the_mean_of_two_whole_numbers_holds_as_often_as_it_says(share):
    """False alarms: one in a million. Power: intervals of half the width are rejected."""
    mechanism, rng = SW(Integers(0, 1), 1.0), np.random.default_rng(5)
    found = [
        mean(mechanism.perturb((rng.random(1000) < share).astype(float), SeededSource(seed)), mechanism)
        for seed in range(300)
    ]
    most = binom.isf(1e-6, len(found), 0.05)
    assert sum(not each.low <= share <= each.high for each in found) <= most
    halved = [((each.low + each.value) / 2, (each.high + each.value) / 2) for each in found]
    assert sum(not low <= share <= high for low, high in halved) > most
