"""What is recommended for what, and what reports are said to leave open."""

import numpy as np
import pytest

from noisewright import Categories, Circle, Integers, Interval, MetricSpace
from noisewright.design import PURPOSES, blind_spots, recommend
from noisewright.design.blind_spots import mean_gap, quarter_variance
from noisewright.design.purpose import MOST_WORST, even_variance, mean_law
from noisewright.errors import InvalidParameter
from noisewright.estimate import Tally, mean
from noisewright.mechanisms import (
    OGPM,
    PM,
    SW,
    CircularOGPM,
    DesignedLaw,
    Duchi,
    Hybrid,
    Laplace,
    best_oracle,
)
from noisewright.randomness import SeededSource

UNIT = Interval(0, 1)


@pytest.mark.parametrize("domain", [Interval(40, 200), Integers(0, 99)])
def test_the_rule(domain):
    assert recommend(domain, 1.0).mechanism == SW(domain, 1.0)
    assert recommend(domain, 1.0, "distribution").mechanism == SW(domain, 1.0)
    assert recommend(domain, 1.0, "single").mechanism == OGPM(domain, 1.0)
    assert isinstance(recommend(domain, 1.0, "mean").mechanism, DesignedLaw)
    binned = recommend(domain, 1.0, "bins", bins=10).mechanism
    assert binned == best_oracle(binned.domain, 1.0).mechanism
    assert len(binned.domain) == 10


def test_circles_and_labels():
    for purpose in PURPOSES:
        if purpose != "bins":
            assert recommend(Circle(24), 1.0, purpose).mechanism == CircularOGPM(Circle(24), 1.0)
    labels = Categories("abc")
    assert recommend(labels, 1.0).mechanism == best_oracle(labels, 1.0).mechanism
    assert recommend(MetricSpace("ab", [[0, 1], [1, 0]]), 1.0).reason.startswith("KRR")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ((UNIT, 1.0, "median"), "must be one of mean, distribution, both, bins, single"),
        ((UNIT, 1.0, "bins"), "go together"),
        ((UNIT, 1.0, "mean", 10), "go together"),
        ((Categories("ab"), 1.0, "mean"), "labels have shares"),
        (("ages", 1.0), "needs numbers or labels"),
        ((UNIT, 0.0), "epsilon"),
    ],
)
def test_bad_questions_are_refused(arguments, sentence):
    with pytest.raises(InvalidParameter, match=sentence):
        recommend(*arguments)


@pytest.mark.parametrize("epsilon", [0.5, 1.0, 4.0])
def test_the_law_for_means_beats_the_named_ones_over_the_range(epsilon):
    law = mean_law(UNIT, epsilon)
    assert law.is_unbiased
    assert law.epsilon_upper <= epsilon
    assert even_variance(law) <= min(even_variance(PM(UNIT, epsilon)), even_variance(Hybrid(UNIT, epsilon)))
    ceiling = MOST_WORST * min(
        PM(UNIT, epsilon).worst_error("squared"), Hybrid(UNIT, epsilon).worst_error("squared")
    )
    assert law.worst_error("squared") <= ceiling


def test_the_law_for_means_is_the_same_at_every_scale():
    """A program in the units of incomes is not solved at all; on the unit interval it is."""
    small, large = mean_law(UNIT, 0.5), mean_law(Interval(-1e5, 2e5), 0.5)
    assert small.weights == large.weights
    assert large.worst_error("squared") == pytest.approx(9e10 * small.worst_error("squared"))
    assert large.is_unbiased


def test_what_stands_in_where_the_program_is_not_solved(monkeypatch):
    monkeypatch.setattr("noisewright.design.purpose._unit_law", lambda *_: None)
    assert isinstance(recommend(UNIT, 0.25, "mean").mechanism, Hybrid)
    assert isinstance(recommend(UNIT, 4.0, "mean").mechanism, PM)


# -- what reports leave open -----------------------------------------------------------------------


@pytest.mark.parametrize("epsilon", [0.5, 1.0, 4.0])
def test_no_blind_spots_of_what_is_recommended_for_means_and_shapes(epsilon):
    for purpose in ("both", "distribution", "mean"):
        assert recommend(Interval(0, 100), epsilon, purpose).blind_spots == ()


def test_the_gap_of_the_mean_is_what_a_large_collection_is_left_with():
    """10⁷ expected reports of evenly spread people: the interval is the gap and little more."""
    from noisewright.design.expected_reports import expected_tally, read_shape

    mechanism = OGPM(UNIT, 1.0)
    even, worst = mean_gap(mechanism)
    found = mean(expected_tally(mechanism, 10_000_000, read_shape(UNIT, None)))
    assert even <= found.high - found.low < 1.15 * even
    assert worst == pytest.approx(1 / (2 * (np.exp(0.5) + 1)), abs=1e-3)  # half a window
    (spot,) = blind_spots(mechanism)
    assert "keeps a width of 0.0712 if people are spread evenly" in spot
    assert "up to 0.189 if all are" in spot


def test_whole_numbers_have_a_gap_only_if_two_share_a_law():
    ages = OGPM(Integers(0, 99), 1.0)
    assert mean_gap(ages)[1] == 18  # 0 to 18 are within half a window of the end
    assert mean_gap(OGPM(Integers(0, 3), 6.0)) == (0.0, 0.0)


def test_reports_that_tell_the_mean_only():
    for mechanism in (Duchi(UNIT, 1.0), Hybrid(UNIT, 0.5)):
        assert quarter_variance(mechanism) == np.inf
        assert blind_spots(mechanism)[0].startswith("everything but the mean")
    (spot,) = blind_spots(Laplace(UNIT, 1.0))
    assert "27 times as many people as SW" in spot


def test_the_variance_of_a_quarter_is_that_of_the_best_unbiased_estimate():
    """Against the generalized least squares estimate on 200 collections: variance within 25 %, 5 σ."""
    from noisewright.estimate.channel import channel_of

    mechanism, people = SW(UNIT, 2.0), 2_000
    laws = channel_of(mechanism, np.linspace(0, 1, 5)).matrix()
    weights = laws / laws.mean(axis=0)
    solve = np.linalg.inv(weights @ laws.T) @ weights
    rng, found = np.random.default_rng(5), []
    for seed in range(200):
        reports = mechanism.perturb(rng.uniform(0, 1, people), SeededSource(seed))
        found.append(solve @ Tally.of(reports, mechanism).groups[0].counts / people)
    measured = float(np.var(found, axis=0).mean()) * people
    assert measured == pytest.approx(quarter_variance(mechanism), rel=0.25)
