"""The result of an audit as a value: estimates off the grid, a short name, a drawing."""

import math
from dataclasses import replace

import numpy as np
import pytest

from noisewright.audit import audit


def response(data, count, generator):
    """Randomized response that keeps ε = ln 3."""
    return np.where(generator.random(count) < 0.75, data, 1 - data)


@pytest.fixture(scope="module")
def found():
    return audit(response, 0, 1, claim=0.7, samples=8_000, vectorized=True, seed=3)


def test_estimates_are_straight_in_the_factor_and_end_with_the_grid(found):
    grid = np.log([1.0, 2.0, 4.0])
    curve = replace(found, epsilons=grid, estimate=np.array([0.5, 0.25, 0.0]))
    assert curve.delta_estimate(np.log(3.0)) == pytest.approx(0.125)
    assert curve.delta_estimate([0.0, 9.0]).tolist() == [0.5, 0.0]
    assert curve.epsilon_estimate() == pytest.approx(math.log(4))
    assert curve.epsilon_estimate(0.3) == pytest.approx(math.log(2))
    assert replace(curve, estimate=np.full(3, 0.1)).epsilon_estimate(0.05) == math.inf


def test_estimates_are_near_the_truth(found):
    """δ(0) = ½ with a standard error of 0.01, and ε = ln 3 within the step of the grid and as much."""
    assert float(found.delta_estimate(0.0)) == pytest.approx(0.5, abs=0.06)
    assert found.epsilon_estimate() == pytest.approx(math.log(3), abs=0.25)


def test_its_name_is_one_short_line_without_an_output(found):
    assert repr(found).startswith("Spectrum('response', verdict='false', epsilon_lower=")
    assert repr(found).endswith("confidence=0.95, samples=8000)")
    assert float(repr(found).split("epsilon_lower=")[1].split(",")[0]) <= found.epsilon_lower()
    assert len(repr(found)) < 110


def test_it_is_drawn_with_its_band_and_claim(found):
    axes = found.plot()
    labels = [line.get_label() for line in axes.lines]
    assert labels == [
        "estimate",
        "at least (proven)",
        "at most (see assumption)",
        "the most the claim allows",
    ]
    drawn = axes.lines[1].get_ydata()
    assert drawn[0] == found.lower[0]
    assert found.plot(axes) is axes
    tail = replace(found, claim=None, upper=None).plot(logarithmic=True)
    assert (len(tail.lines), tail.get_yscale()) == (2, "log")
