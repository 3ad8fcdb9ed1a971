"""Quantiles: NumPy's, and rising again after the noise."""

from typing import Any

import numpy as np
import pytest

from noisewright.errors import InvalidParameter
from noisewright.release.algorithms.statistics import Quantiles

ROWS = np.random.default_rng(9).normal(size=(41, 2))
QUARTILES = Quantiles([0.25, 0.5, 0.75])


def test_the_vector_is_numpys_quantiles_column_after_column() -> None:
    facts = QUARTILES.facts(ROWS, None)
    vector = QUARTILES.fit(ROWS, None, 0, facts)
    np.testing.assert_allclose(vector[3:], np.quantile(ROWS[:, 1], [0.25, 0.5, 0.75]))
    np.testing.assert_array_equal(QUARTILES.fit(ROWS[::-1], None, 1, facts), vector)
    assert QUARTILES.coordinates(facts)[3] == "0.25 quantile of x1"
    np.testing.assert_allclose(QUARTILES.model(vector, facts).value.ravel(), vector)


def test_noised_quantiles_rise_and_stay_in_range() -> None:
    quantiles = Quantiles([0.1, 0.5, 0.9], low=[-1, 0], high=2)
    facts, generator = quantiles.facts(ROWS, None), np.random.default_rng(10)
    for vector in generator.normal(0, 3, size=(20, 6)):
        value = quantiles.model(vector, facts).value
        assert (np.diff(value, axis=1) >= 0).all()
        assert (value >= [[-1], [0]]).all()
        assert (value <= 2).all()


def test_no_rising_row_is_closer_to_the_noised_one() -> None:
    facts = QUARTILES.facts(ROWS[:, :1], None)
    value = QUARTILES.model(np.array([2.0, 0.0, 4.0]), facts).value
    assert value.tolist() == [[1.0, 1.0, 4.0]]


def test_one_limit_is_enough_and_one_level_is_a_median() -> None:
    median = Quantiles(0.5, high=0.25)
    facts = median.facts(ROWS, None)
    assert median.levels == (0.5,)
    assert median.model(np.array([-9.0, 9.0]), facts).value.tolist() == [[-9.0], [0.25]]


def test_utility_is_the_error_of_the_model() -> None:
    facts = QUARTILES.facts(ROWS, None)
    exact = QUARTILES.fit(ROWS, None, 0, facts)
    np.testing.assert_allclose(
        QUARTILES.utility(np.stack([exact, exact + 0.5]), ROWS, None, facts), [0, -0.5], atol=1e-12
    )


@pytest.mark.parametrize(
    ("parameters", "said"),
    [
        ({"levels": []}, "levels"),
        ({"levels": "median"}, "levels"),
        ({"levels": [0.5, 0.5]}, "each above"),
        ({"levels": [-0.1, 0.5]}, "between 0 and 1"),
        ({"levels": [0.5, 1.1]}, "between 0 and 1"),
        ({"levels": 0.5, "low": 1, "high": 0}, "below high"),
        ({"levels": 0.5, "low": np.nan}, "low"),
    ],
)
def test_impossible_parameters_are_refused(parameters: dict[str, Any], said: str) -> None:
    with pytest.raises(InvalidParameter, match=said):
        Quantiles(**parameters)


def test_limits_for_other_columns_are_refused() -> None:
    with pytest.raises(InvalidParameter, match="low has 3 numbers and X has 2 columns"):
        Quantiles(0.5, low=[0, 0, 0]).facts(ROWS, None)
