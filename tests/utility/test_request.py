"""What is asked about a model and a file, checked before anything is opened."""

import pytest

from noisewright import Interval
from noisewright.errors import InvalidParameter
from noisewright.utility import ForecastRequest

AGE = {"age": Interval(0, 100)}


@pytest.mark.parametrize("share", [0.0, 1.0, -0.5, float("nan"), float("inf")])
def test_shares(share):
    with pytest.raises(InvalidParameter, match=r"^target must be between 0 and 1"):
        ForecastRequest(AGE, target=share)
    with pytest.raises(InvalidParameter, match=r"^width must be between 0 and 1"):
        ForecastRequest(AGE, width=share)


@pytest.mark.parametrize(
    ("field", "value"),
    [("per", "person"), ("confidence", 0.2), ("queries", 0), ("seed", -1), ("groups", ("sex", "sex"))],
)
def test_fields_without_a_meaning(field, value):
    with pytest.raises(InvalidParameter, match=field):
        ForecastRequest(AGE, **{field: value})
