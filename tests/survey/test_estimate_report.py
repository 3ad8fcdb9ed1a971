"""Estimates in words and on a page: rounded to what is certain, and nothing left unsaid."""

from __future__ import annotations

import json

import numpy as np
import pyarrow as pa
import pytest

from noisewright import Circle, Interval
from noisewright.errors import InvalidParameter
from noisewright.estimate import Estimate, Histogram, Tally, mean, variance
from noisewright.io import perturb_table, tally_table
from noisewright.mechanisms import OGPM, PM, SW, CircularOGPM, Duchi
from noisewright.randomness import SIMULATED, SeededSource
from noisewright.report.html import render_page
from noisewright.survey import EstimateRequest, estimate_all
from noisewright.survey.estimate_report import BAR, MOST_LINES, NO_BINS, UNEVEN, bars, methods, undivided
from noisewright.survey.estimate_rows import NO_ERROR, _each, bins, rows, to_width
from noisewright.survey.estimates import UNKNOWN, ColumnEstimates
from report.checking import check

PEOPLE = 4000
PULSE, WAKE = OGPM(Interval(40, 200), 2.0), CircularOGPM(Circle(24), 2.0)
ODD = "<script>pulse"


@pytest.fixture(scope="module")
def reports() -> pa.Table:
    generator = np.random.default_rng(1)
    table = pa.table(
        {ODD: generator.normal(90, 15, PEOPLE).clip(40, 200), "wake": generator.normal(0, 2, PEOPLE) % 24}
    )
    return perturb_table(table, {ODD: PULSE, "wake": WAKE}, SeededSource(1))


@pytest.fixture(scope="module")
def found(reports):
    return estimate_all(tally_table(reports), EstimateRequest(bins=8, shares=(0.5, 0.9)))


def direction(value: float, low: float, high: float) -> ColumnEstimates:
    """A column of hours with a mean direction put there by hand."""
    flat = np.full(2, 0.5)
    return ColumnEstimates(
        "wake",
        Tally.of(WAKE.perturb([1.0, 2.0], SeededSource(1)), WAKE),
        Estimate(value, 0.25, low, high),
        None,
        (),
        None,
        Histogram(flat, flat / 9, flat - 0.25, flat + 0.25, edges=np.array([0.0, 12.0, 24.0])),
    )


def test_the_page_stands_alone_and_has_every_number(found):
    page = render_page(found.report())
    parsed = check(page)
    assert "&lt;script&gt;pulse" in page
    assert parsed.count("svg") == 2
    assert parsed.count("table") == 4
    for column in found.columns:
        for row in (*rows(column), *bins(column)):
            assert row.value in parsed.prose
            assert row.interval in parsed.prose
    for text in (*found.tallies.promises(), SIMULATED, "ε = 2", "cannot be told apart", "independent sample"):
        assert text in parsed.prose
    for _, how in methods(found):
        assert how in parsed.prose


def test_the_text_has_every_number_and_no_line_is_too_long(found):
    text = str(found)
    flat = " ".join(text.split())
    for column in found.columns:
        for row in (*rows(column), *bins(column)):
            assert row.interval in text
    assert "NOT PRIVATE" in flat
    assert f"{ODD}: 4,000 reports on the interval from 40 to 200" in text
    assert "Optimal piecewise (OGPM), ε = 2" in text
    assert flat.count("Some values cannot be told apart") == 1
    assert max(map(len, text.splitlines())) <= 110
    assert all(line == line.rstrip() for line in text.splitlines())


def test_the_numbers_are_those_of_the_estimate_room(found):
    pulse, wake = found.columns
    assert pulse.mean.to_dict() == mean(pulse.tally).to_dict()
    assert pulse.variance.to_dict() == variance(pulse.tally).to_dict()
    assert pulse.deviation.value == pytest.approx(np.sqrt(pulse.variance.value))
    assert (pulse.deviation.low, pulse.deviation.high) == pytest.approx(
        (np.sqrt(pulse.variance.low), np.sqrt(pulse.variance.high))
    )
    assert wake.variance is wake.deviation is wake.quantiles is None
    assert [row.what for row in rows(pulse)] == ["mean", "standard deviation", "median", "90 % lie below"]
    assert [row.what for row in rows(wake)] == ["mean direction"]


def test_undivided_stretches_are_those_of_the_window(found):
    half = PULSE.window.width * PULSE.domain.pitch / 2
    ends = [end for zone in found.columns[0].undivided for end in zone]
    # Zones are looked for at 8,192 places, so an end may be off by one of those.
    assert ends == pytest.approx([40, 40 + half, 200 - half, 200], abs=2 * 160 / 8192)
    assert found.columns[1].undivided == []
    assert undivided(found.columns[1]) is None


def test_zones_shorter_than_a_bin_are_not_mentioned(reports):
    coarse = estimate_all(tally_table(reports, [ODD]), EstimateRequest(bins=4, shares=(0.5,)))
    assert coarse.columns[0].undivided == []


def test_json_is_strict_and_complete(found):
    written = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert written["randomness"] == SIMULATED
    assert written["private"] is False
    pulse = written["columns"][ODD]
    assert pulse["reports"] == PEOPLE
    assert pulse["mechanisms"][0]["mechanism"] == PULSE.to_dict()
    assert pulse["quantiles"]["shares"] == [0.5, 0.9]
    assert len(pulse["histogram"]["value"]) == 8
    assert {"method", "assumption", "level"} <= set(pulse["mean"])
    assert "variance" not in written["columns"]["wake"]


def test_a_method_is_told_once_and_says_what_for(found):
    hows = [how for _, how in methods(found)]
    assert len(hows) == len(set(hows))
    assert methods(found)[0][0] == f"Mean and standard deviation of {ODD}"


@pytest.mark.parametrize(
    ("value", "width", "text"),
    [
        (79.78712, 2.0, "79.8"),
        (79.78712, 0.02, "79.787"),
        (-0.004, 2.0, "0.0"),
        (1234.5, 2000.0, "1,200"),
        (12.5, np.inf, "12.5"),
        (np.nan, 1.0, UNKNOWN),
    ],
)
def test_numbers_are_rounded_to_their_intervals(value, width, text):
    assert to_width(value, width) == text


def test_an_arc_may_go_round_and_no_direction_is_no_number():
    assert rows(direction(23.5, 22.5, 0.5))[0].interval == "22.5 round to 0.5"
    assert rows(direction(5.0, 4.0, 6.0))[0].interval == "4.0 to 6.0"
    nowhere = rows(direction(5.0, 0.0, 24.0))[0]
    assert (nowhere.value, nowhere.interval) == (UNKNOWN, "anywhere on the circle")


def test_what_two_reports_leave_open_is_in_the_interval():
    mechanism = Duchi(Interval(0, 1), 1.0)
    table = perturb_table(pa.table({"x": np.linspace(0, 1, 500)}), {"x": mechanism}, SeededSource(1))
    blind = estimate_all(tally_table(table), EstimateRequest(bins=4))
    spread = json.loads(json.dumps(blind.to_dict(), allow_nan=False))["columns"]["x"]["variance"]
    assert spread["low"] == 0
    assert spread["high"] > 0.15
    assert "every population" in spread["method"]
    page = check(render_page(blind.report()))
    assert page.count("svg") == 0
    assert NO_BINS in page.prose
    assert bins(blind.columns[0]) == []
    assert [row.value for row in rows(blind.columns[0])][1:] == [UNKNOWN] * 4
    assert NO_BINS in " ".join(str(blind).split())
    assert "everything but the mean" in str(blind)
    assert [what for what, _ in methods(blind)] == ["Mean"]


def test_bars_show_low_end_value_and_high_end():
    shares = np.array([0.4, 0.0, -0.1])
    drawn = Histogram(shares, shares, shares - 0.2, shares + 0.4, edges=np.arange(4.0))
    assert bars(drawn, width=8) == ["██▓▓░░░░", "░░░░", "░░░"]
    outside = Histogram(np.array([0.9]), shares[:1], shares[1:2], np.array([0.45]), edges=np.arange(2.0))
    assert bars(outside, width=8) == ["▓" * 8]
    assert max(map(len, bars(drawn))) == BAR


def test_too_many_bins_for_a_terminal_are_left_to_the_page(reports):
    column = estimate_all(tally_table(reports, ["wake"]), EstimateRequest(bins=MOST_LINES + 1))
    assert "too many for a terminal; see --html or --json" in str(column)
    assert "░" not in str(column)


def test_mixed_budgets_are_both_named():
    generator = np.random.default_rng(2)
    parts = [
        perturb_table(
            pa.table({"x": generator.random(500)}), {"x": SW(Interval(0, 1), epsilon)}, SeededSource(5)
        )
        for epsilon in (1.0, 4.0)
    ]
    both = estimate_all(tally_table(parts[0]) + tally_table(parts[1]), EstimateRequest(bins=2, shares=(0.5,)))
    text = str(both)
    assert "Square wave (SW), ε = 1: 500 reports" in text
    assert "Square wave (SW), ε = 4: 500 reports" in text
    assert both.to_dict()["columns"]["x"]["reports"] == 1000


@pytest.mark.parametrize("ends", [(-1, 2), (0, 1)])
def test_clipped_values_are_mentioned_without_telling_whether_there_were_any(ends):
    """What was outside is known to whoever holds the data, and the same is said of both tables."""
    table = pa.table({"x": np.linspace(*ends, 400)})
    moved = perturb_table(table, {"x": PM(Interval(0, 1), 1.0)}, SeededSource(1), out_of_domain="clip")
    found = estimate_all(tally_table(moved), EstimateRequest(bins=2, shares=(0.5,)))
    said = (
        "True values outside their domain, if there were any, were moved into it before they were randomized"
    )
    assert said in " ".join(str(found).split())
    assert said in check(render_page(found.report())).prose
    assert "do not say whether there were any" in check(render_page(found.report())).prose


def test_progress_counts_the_reports_of_columns(reports):
    heard = []
    estimate_all(tally_table(reports, ["wake"]), EstimateRequest(bins=2), lambda *now: heard.append(now))
    assert heard == [(PEOPLE, PEOPLE)]


def test_one_report_is_too_few_and_the_column_is_named(reports):
    with pytest.raises(InvalidParameter, match=r"column 'wake': an interval needs at least two reports"):
        estimate_all(tally_table(reports.slice(0, 1), ["wake"]))


@pytest.mark.parametrize(
    ("wish", "said"),
    [
        ({"bins": 1}, "bins must be a whole number from 2 to 1024, got 1"),
        ({"bins": 5000}, "bins must be a whole number"),
        ({"level": 2.0}, "level must be a number above 0"),
        ({"shares": (0.5, 1.5)}, "shares of people between 0 and 1, got 1.5"),
        ({"shares": (float("nan"),)}, "shares of people between 0 and 1, got nan"),
        ({"method": "magic"}, "method must be one of smoothed, em, unbiased, got 'magic'"),
    ],
)
def test_wishes_are_checked_before_anything_is_read(wish, said):
    with pytest.raises(InvalidParameter, match=said):
        EstimateRequest(**wish)


def test_plot_has_a_panel_for_each_column(found):
    drawn = found.plot()
    assert [axes.get_xlabel() for axes in drawn.axes] == [ODD, "wake"]


def test_no_standard_error_stands_beside_an_interval_that_says_otherwise():
    """Standard deviations, quantiles and bins at a small budget: value ± error would leave the interval."""
    ages = np.random.default_rng(2).uniform(0, 100, PEOPLE)
    reports = perturb_table(pa.table({"age": ages}), {"age": SW(Interval(0, 100), 0.3)}, SeededSource(2))
    found = estimate_all(tally_table(reports), EstimateRequest(bins=4, shares=(0.25, 0.5)))
    (column,) = found.columns
    estimates = [column.mean, column.deviation, *_each(column.quantiles), *_each(column.histogram)]
    shown = [*rows(column), *bins(column)]
    assert len(shown) == len(estimates)
    assert {row.stderr == NO_ERROR for row in shown} == {True, False}
    for row, estimate in zip(shown, estimates, strict=True):
        reach, half = 1.96 * estimate.stderr, (estimate.high - estimate.low) / 2
        apart = max(abs(estimate.value - reach - estimate.low), abs(estimate.value + reach - estimate.high))
        assert (row.stderr == NO_ERROR) == (apart > 0.1 * half), row
    assert UNEVEN in str(found)
    assert UNEVEN in check(render_page(found.report())).prose
