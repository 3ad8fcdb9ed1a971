"""A prediction as lines: what is drawn is what was found."""

from __future__ import annotations

import numpy as np
import pytest

from noisewright.utility.core.certificate import Certificate
from noisewright.utility.core.curve import make_curve
from noisewright.utility.core.records import read_records
from noisewright.utility.plots import FEW, plot_prediction, scope_words
from noisewright.utility.predict import average_band, worst_band
from noisewright.utility.prediction import Prediction


def prediction(epsilons) -> Prediction:
    curve = make_curve(["OGPM", "SWC"], epsilons)
    middle = np.linspace(0.2, 0.8, 2 * curve.shape[0] * curve.shape[1]).reshape(2, *curve.shape)
    found = Certificate(middle, middle - 0.1, middle + 0.1, ("exact (trees)",) * 2)
    records = read_records(np.array([[0.2], [0.4]]), {0: (0, 1)})
    return Prediction(curve, records, found, 0.99, average_band(found, 0.01), worst_band(found))


@pytest.mark.parametrize("scope", ["average", "worst", 2])
def test_lines_are_estimates_and_shades_are_bounds(scope):
    found = prediction(np.geomspace(0.5, 8, 20))
    axes = found.plot(scope=scope)
    band = found.band(scope)
    assert [line.get_label() for line in axes.get_lines()] == ["OGPM", "SWC"]
    for row, (line, shade) in enumerate(zip(axes.get_lines(), axes.collections, strict=True)):
        assert line.get_ydata() == pytest.approx(band.estimate[row])
        corners = shade.get_paths()[0].vertices[:, 1]
        assert (corners.min(), corners.max()) == pytest.approx((band.low[row].min(), band.high[row].max()))
    assert axes.get_ylabel() == scope_words(scope)
    assert axes.get_xscale() == "log"


def test_few_values_are_marked_and_axes_are_shared():
    few, many = prediction([1.0, 2.0]), prediction(np.geomspace(0.5, 8, FEW + 1))
    axes = plot_prediction(few)
    assert {line.get_marker() for line in axes.get_lines()} == {"o"}
    assert plot_prediction(many, axes) is axes
    assert len(axes.get_lines()) == 4
    assert axes.get_lines()[-1].get_marker() == ""


def test_one_value_of_epsilon_can_be_drawn():
    axes = plot_prediction(prediction([1.5]))
    assert [tick.get_text() for tick in axes.get_xticklabels()] == ["1.5"]
