"""A drawn estimate is the estimate: bars as high as its values, lines as long as its intervals."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from matplotlib.patches import StepPatch

from noisewright.errors import MissingExtra
from noisewright.estimate import Estimate, Frequencies, Histogram
from noisewright.estimate.plots import MOST_BARS, MOST_CAPS
from noisewright.report.plots import new_axes

VALUES, STDERR = np.array([0.5, 0.3, 0.2]), np.array([0.1, 0.1, 0.1])
LOW, HIGH = (
    np.array([0.4, 0.0, 0.25]),
    np.array([0.6, 0.5, 0.4]),
)  # the last one misses its value, as EM's may


def histogram(**changes) -> Histogram:
    parts = {
        "value": VALUES,
        "stderr": STDERR,
        "low": LOW,
        "high": HIGH,
        "edges": np.array([0.0, 2.0, 4.0, 6.0]),
    }
    return Histogram(**(parts | changes))


def lines(axes) -> list[tuple[list[float], list[float]]]:
    """The ends of every drawn stretch."""
    drawn = [(line.get_xdata(), line.get_ydata()) for line in axes.lines if line.get_linestyle() == "-"]
    return [(list(map(float, x)), list(map(float, y))) for x, y in drawn if len(x) == 2]


def test_a_histogram_has_its_values_as_steps_and_its_intervals_as_lines():
    axes = histogram().plot(label="pulse")
    (steps,) = [patch for patch in axes.patches if isinstance(patch, StepPatch)]
    np.testing.assert_array_equal(steps.get_data().values, VALUES)
    np.testing.assert_array_equal(steps.get_data().edges, [0, 2, 4, 6])
    expected = [([x, x], [low, high]) for x, low, high in zip((1.0, 3.0, 5.0), LOW, HIGH, strict=True)]
    assert [line for line in lines(axes) if line in expected] == expected
    assert axes.get_legend_handles_labels()[1] == ["pulse"]
    assert axes.get_xlim() == (0, 6)


def test_two_histograms_on_one_axes_have_two_colours():
    axes = histogram().plot()
    histogram(value=VALUES[::-1]).plot(axes)
    first, second = (patch.get_facecolor() for patch in axes.patches if isinstance(patch, StepPatch))
    assert first != second


def test_many_bins_have_no_caps():
    many = np.full(MOST_CAPS + 1, 1 / (MOST_CAPS + 1))
    wide = Histogram(many, many, many / 2, many * 2, edges=np.arange(MOST_CAPS + 2.0))
    assert {line.get_marker() for line in wide.plot().lines} == {"None"}
    assert "_" in {line.get_marker() for line in histogram().plot().lines}


def test_a_number_is_a_point_with_a_line():
    axes = Estimate(71.0, 0.5, 70.0, 72.0).plot()
    (point,) = [line for line in axes.lines if line.get_marker() == "o"]
    assert point.get_xdata() == [71.0]
    assert lines(axes) == [([70.0, 72.0], [0.0, 0.0])]


def test_several_numbers_stand_below_each_other():
    axes = Estimate(VALUES, STDERR, LOW, HIGH).plot()
    assert lines(axes) == [
        ([low, high], [row, row]) for row, (low, high) in enumerate(zip(LOW, HIGH, strict=True))
    ]
    assert axes.get_ylim()[0] > axes.get_ylim()[1]


def test_an_arc_across_midnight_is_drawn_in_two_stretches():
    axes = Estimate(23.5, 0.5, 22.5, 0.5).plot()
    assert lines(axes) == [([22.5, 23.5], [0, 0]), ([0.0, 0.5], [0, 0])]


def test_what_cannot_be_told_is_left_out_without_a_warning():
    axes = Estimate(np.nan, np.inf, -np.inf, np.inf).plot()
    axes.figure.canvas.draw()
    nothing = histogram(value=np.full(3, np.nan), stderr=np.full(3, np.inf), low=np.zeros(3), high=np.ones(3))
    nothing.plot().figure.canvas.draw()


def test_labels_are_named_below_their_bars():
    axes = Frequencies(VALUES, STDERR, LOW, HIGH, labels=("red", "green", "blue")).plot(new_axes())
    assert [text.get_text() for text in axes.get_xticklabels()] == ["red", "green", "blue"]
    assert [bar.get_height() for bar in axes.patches] == VALUES.tolist()
    assert ([2.0, 2.0], [0.25, 0.4]) in lines(axes)


def test_of_a_long_list_the_most_frequent_labels_are_drawn():
    shares = np.arange(1.0, 101.0) / 5050
    axes = Frequencies(shares, shares, shares / 2, shares * 2, labels=tuple(range(1, 101))).plot(new_axes())
    assert [text.get_text() for text in axes.get_xticklabels()][:3] == ["100", "99", "98"]
    assert len(axes.patches) == MOST_BARS
    assert axes.get_xlabel() == f"label (the {MOST_BARS} most frequent of 100)"


def test_drawing_opens_no_window_and_estimating_needs_no_matplotlib():
    code = (
        "import sys; from noisewright.estimate import Estimate; assert 'matplotlib' not in sys.modules;"
        "Estimate(1.0, 0.1, 0.8, 1.2).plot(); assert 'matplotlib.pyplot' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=600)


def test_without_matplotlib_the_refusal_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(MissingExtra, match=r"pip install .*\[plots\]"):
        Estimate(1.0, 0.1, 0.8, 1.2).plot()
