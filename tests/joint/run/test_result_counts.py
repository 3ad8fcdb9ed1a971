"""The collector of a run: unbiased counts, intervals that cover, also when pairs fell apart."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from noisewright import Categories
from noisewright.errors import InvalidParameter
from noisewright.estimate import frequencies
from noisewright.io import Description
from noisewright.joint.run.result import as_drawn, count_labels
from noisewright.mechanisms.joint import JointRandomizedResponse
from noisewright.randomness import SeededSource

BINARY = Categories(["no", "yes"])


def test_the_interval_holds_the_number_of_these_users_as_often_as_it_says():
    """1,500 rounds; the share of covering intervals has a standard error of 0.6 %, so 92 to 98 is five of them."""
    users, holders, rounds = 400, 60, 1500
    mechanism = JointRandomizedResponse(BINARY, 1.0, users=users, colluders=3, correlation=-0.3)
    values = ["yes"] * holders + ["no"] * (users - holders)
    source = SeededSource(11)
    said = [int(mechanism.supports(mechanism.perturb(values, source))[1]) for _ in range(rounds)]
    rows = {yes: count_labels(mechanism, ["yes"] * yes + ["no"] * (users - yes))[1] for yes in set(said)}
    found = [rows[yes] for yes in said]
    covered = np.mean([row.low <= holders <= row.high for row in found])
    assert 0.92 < covered < 0.98
    error = np.mean([row.value for row in found]) - holders
    assert abs(error) < 6.2 * found[0].stderr / np.sqrt(rounds)


def test_pairs_that_fell_apart_widen_the_interval_up_to_that_of_randomized_response():
    mechanism = JointRandomizedResponse(BINARY, 1.0, users=400, colluders=3, correlation=-0.3)
    reports = ["yes"] * 130 + ["no"] * 270
    errors = [count_labels(as_drawn(mechanism, 400, alone), reports)[1].stderr for alone in (0, 50, 200, 400)]
    assert errors[0] < errors[1] < errors[2] == errors[3]
    truth = mechanism.hit
    assert errors[2] == pytest.approx(np.sqrt(400 * truth * (1 - truth)) / (2 * truth - 1))


@pytest.mark.parametrize("together", [-0.1, 1.1, float("nan"), "all"])
def test_a_share_that_cannot_be_is_refused(together):
    with pytest.raises(InvalidParameter, match="together"):
        JointRandomizedResponse(BINARY, 1.0, users=4, together=together)


def test_a_correlation_that_costs_is_never_left_out():
    mechanism = JointRandomizedResponse(BINARY, 1.0, users=400, correlation=0.3)
    assert as_drawn(mechanism, 400, alone=100).noise == mechanism.noise


def test_what_is_written_about_a_run_with_fallbacks_gives_wider_intervals():
    """Whoever estimates from the file alone allows for the pairs that fell apart, as the run itself does."""
    planned = JointRandomizedResponse(BINARY, 1.0, users=400, colluders=3, correlation=-0.3)
    told = Description({"value": as_drawn(planned, 400, alone=100)}).to_json()
    read = Description.from_json(told).mechanisms["value"]
    assert (read.together, read.guarantee) == (0.5, planned.guarantee)
    shares = np.array([0.1, 0.3])
    plain = replace(planned, together=0.0).share_variance(shares, 400)
    assert read.share_variance(shares, 400) == pytest.approx(
        (plain + planned.share_variance(shares, 400)) / 2
    )
    assert (read.share_variance(shares, 400) > planned.share_variance(shares, 400)).all()


def test_the_run_and_whoever_estimates_from_its_reports_agree():
    mechanism = JointRandomizedResponse(BINARY, 1.0, users=100, correlation=-0.2)
    reports = ["yes"] * 40 + ["no"] * 60
    row = count_labels(mechanism, reports)[1]
    again = frequencies(reports, mechanism, about="reporters").counts()
    assert (row.label, row.reported) == ("yes", 40)
    assert (row.value, row.stderr, row.low, row.high) == tuple(
        numbers[1] for numbers in (again.value, again.stderr, again.low, again.high)
    )


@pytest.mark.parametrize(("yes", "low", "high"), [(0, 0.0, None), (100, None, 100.0)])
def test_impossible_numbers_keep_an_interval_within_the_users(yes, low, high):
    mechanism = JointRandomizedResponse(BINARY, 1.0, users=100)
    row = count_labels(mechanism, ["yes"] * yes + ["no"] * (100 - yes))[1]
    assert not 0 <= row.value <= 100
    assert 0 <= row.low < row.high <= 100
    assert low is None or row.low == low
    assert high is None or row.high == high
