"""Histograms: NumPy's counts, and shares again after the noise."""

from typing import Any

import numpy as np
import pytest

from noisewright.domains import Floats
from noisewright.errors import InvalidParameter, OutOfDomain
from noisewright.release.algorithms.histogram import Histogram

ROWS: Floats = np.random.default_rng(7).uniform(0, 10, size=(60, 2))
FIVE = Histogram(bins=5, low=0, high=[10, 20])


def test_shares_are_those_of_numpy_in_every_column() -> None:
    facts = FIVE.facts(ROWS, None)
    first, second = (np.histogram(ROWS[:, i], 5, (0, end))[0] / 60 for i, end in ((0, 10), (1, 20)))
    vector = FIVE.fit(ROWS, None, 0, facts)
    np.testing.assert_allclose(vector, np.concatenate([first, second]))
    np.testing.assert_allclose(FIVE.fit(ROWS[::-1], None, 1, facts), vector)
    assert FIVE.coordinates(facts)[:2] == ("x0 from 0 to 2", "x0 from 2 to 4")
    assert len(FIVE.coordinates(facts)) == vector.size


def test_edges_belong_to_the_cell_above_and_the_last_to_the_last() -> None:
    histogram = Histogram(edges=[0, 1, 5])
    rows = np.array([[0.0], [1.0], [4.0], [5.0]])
    facts = histogram.facts(rows, None)
    assert histogram.bins == 2
    assert histogram.fit(rows, None, 0, facts).tolist() == [0.25, 0.75]


def test_values_outside_are_refused_without_being_told_or_clipped_on_request() -> None:
    rows = np.array([[-73.25], [0.5], [0.7], [99.5]])
    with pytest.raises(OutOfDomain, match="column pulse has values outside its range") as refusal:
        Histogram(bins=2, low=0, high=1).facts(rows, None, names=["pulse"])
    assert "73" not in str(refusal.value)
    with pytest.raises(OutOfDomain):
        Histogram(bins=2, low=0, high=1).facts(np.array([[np.nan], [0.5]]), None)
    clipped = Histogram(bins=2, low=0, high=1, clip=True)
    facts = clipped.facts(rows, None)
    assert clipped.fit(rows, None, 0, facts).tolist() == [0.25, 0.75]


def test_noised_shares_are_moved_to_the_nearest_that_sum_to_one() -> None:
    facts, generator = FIVE.facts(ROWS, None), np.random.default_rng(8)
    for vector in FIVE.fit(ROWS, None, 0, facts) + generator.normal(0, 0.3, size=(5, 10)):
        value = FIVE.model(vector, facts).value
        assert (value >= 0).all()
        np.testing.assert_allclose(value.sum(axis=1), 1)
        others = generator.dirichlet(np.ones(5), size=(300, 2))
        gaps = np.linalg.norm(others - vector.reshape(2, 5), axis=2)
        assert (np.linalg.norm(value - vector.reshape(2, 5), axis=1) <= gaps).all()


def test_utility_is_the_distance_of_the_models_shares() -> None:
    facts = FIVE.facts(ROWS, None)
    exact = FIVE.fit(ROWS, None, 0, facts)
    vectors = np.stack([exact, np.tile([1.0, 0, 0, 0, 0], 2)])
    found = FIVE.utility(vectors, ROWS, None, facts)
    assert found is not None
    assert found[0] == pytest.approx(0)
    assert found[1] == pytest.approx(-(2 - exact[0] - exact[5]) / 2)


def test_the_model_draws_itself_and_becomes_plain() -> None:
    facts = FIVE.facts(ROWS, None, names=["age", "pulse"])
    model = FIVE.model(FIVE.fit(ROWS, None, 0, facts), facts)
    axes = model.plot()
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["age", "pulse"]
    assert model.plot(axes) is axes
    assert set(model.to_dict()) == {"value", "names", "columns", "edges"}


@pytest.mark.parametrize(
    ("parameters", "said"),
    [
        ({}, "public range"),
        ({"low": 0}, "public range"),
        ({"low": 1, "high": 1}, "below high"),
        ({"bins": 0, "low": 0, "high": 1}, "bins"),
        ({"edges": [0, 2, 1]}, "each above"),
        ({"edges": [0]}, "two or more"),
        ({"edges": [0, 1], "low": 0}, "leave out low and high"),
        ({"edges": [0, np.inf]}, "finite"),
    ],
)
def test_impossible_parameters_are_refused(parameters: dict[str, Any], said: str) -> None:
    with pytest.raises(InvalidParameter, match=said):
        Histogram(**parameters)


def test_a_range_for_other_columns_is_refused() -> None:
    with pytest.raises(InvalidParameter, match="high has 2 numbers and X has 1 columns"):
        FIVE.facts(ROWS[:, :1], None)
