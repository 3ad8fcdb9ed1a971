"""The result of an audit as a value: estimates off the grid, a short name, a drawing."""

import json
import math
from dataclasses import replace

import numpy as np
import pytest

from noisewright.audit import audit
from noisewright.errors import InvalidParameter


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


def test_estimates_are_near_the_truth(found):
    """δ(0) = ½ with a standard error of 0.01, and the log-ratio ln 3 with one of about 0.04."""
    assert float(found.delta_estimate(0.0)) == pytest.approx(0.5, abs=0.06)
    assert found.epsilon_estimate() == pytest.approx(math.log(3), abs=0.25)
    # at δ = ¼ the best is {output = data}: ln((¾ − ¼) / ¼)
    assert found.epsilon_estimate(0.25) == pytest.approx(math.log(2), abs=0.25)


@pytest.mark.parametrize("delta", [0.0, 1e-6, 1e-3, 0.3, 0.6, 0.999])
def test_the_estimated_epsilon_does_not_depend_on_the_grid_and_is_no_less_than_the_bound(found, delta):
    short = replace(found, epsilons=np.array([0.0, 0.1]), estimate=np.array([0.5, 0.4]))
    assert short.epsilon_estimate(delta) == found.epsilon_estimate(delta)
    assert found.epsilon_lower(delta) <= found.epsilon_estimate(delta) < math.inf


@pytest.mark.parametrize("delta", [-0.1, 1.0, math.nan, "some"])
def test_what_is_no_delta_is_refused(found, delta):
    for ask in (found.epsilon_lower, found.epsilon_estimate):
        with pytest.raises(InvalidParameter, match="delta must be"):
            ask(delta)


@pytest.mark.parametrize("epsilon", [-0.1, 800.0, math.nan, "some", [0.5, -1.0]])
def test_what_is_no_epsilon_is_refused(found, epsilon):
    for ask in (found.delta_lower, found.delta_estimate, found.delta_upper):
        with pytest.raises(InvalidParameter, match="epsilons must be"):
            ask(epsilon)


def test_the_estimated_epsilon_is_infinite_where_outputs_identify_the_input():
    exposed = audit(lambda data, count: np.full(count, data), 0.0, 1.0, samples=400, vectorized=True, seed=1)
    assert exposed.epsilon_estimate() == math.inf
    assert exposed.to_dict()["epsilon_estimate"] == {"0": None, "1e-06": None, "0.001": None}


def test_the_estimated_epsilon_of_laplace_noise_is_near_its_own():
    def noisy(data, count, generator):
        return data + generator.laplace(size=count)

    guesses = [
        audit(noisy, 0.0, 1.0, samples=40_000, vectorized=True, seed=seed, score="value").epsilon_estimate()
        for seed in range(3)
    ]
    assert guesses == pytest.approx([1.0] * 3, abs=0.15)


def test_its_name_is_one_short_line_without_an_output(found):
    assert repr(found).startswith("Spectrum('response', verdict='false', epsilon_lower=")
    assert repr(found).endswith("confidence=0.95, samples=8000)")
    assert float(repr(found).split("epsilon_lower=")[1].split(",")[0]) <= found.epsilon_lower()
    assert len(repr(found)) < 110


def test_every_reading_is_in_the_json(found):
    told = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert told["renyi_lower"]["8"] == found.renyi_lower(8.0) > told["renyi_lower"]["2"] > 0
    curve = found.tradeoff()
    assert told["tradeoff"]["false_alarms"] == curve.false_alarms.tolist()
    assert told["tradeoff"]["misses_upper"] == curve.misses_upper.tolist()
    assert [row["epsilon"] for row in told["plan"]] == pytest.approx([0.735, 0.77, 0.875, 1.05, 1.4])
    runs = [row["samples"] for row in told["plan"]]
    assert runs == sorted(runs, reverse=True)
    assert replace(found, claim=None).plan == []


def test_it_is_drawn_with_its_band_and_claim(found):
    axes = found.plot()
    labels = [line.get_label() for line in axes.lines]
    assert labels == [
        "estimate",
        "at least (proven)",
        "at most (under the assumption)",
        "the most the claim allows",
    ]
    drawn = axes.lines[1].get_ydata()
    assert drawn[0] == found.lower[0]
    assert found.plot(axes) is axes
    tail = replace(found, claim=None, upper=None).plot(logarithmic=True)
    assert (len(tail.lines), tail.get_yscale()) == (2, "log")
