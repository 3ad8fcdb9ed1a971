"""What is typed after ``noisewright predict`` becomes intervals, a curve of ε, columns and records."""

import numpy as np
import pytest

from noisewright import Interval
from noisewright.cli.options import read_list
from noisewright.cli.predict import POINTS, read_curve, read_sensitive, spread
from noisewright.errors import InvalidParameter


def test_a_name_may_hold_an_equals_sign_and_ends_may_be_negative():
    assert read_sensitive(["a=b=-40:60"]) == {"a=b": Interval(-40, 60)}


@pytest.mark.parametrize("texts", [[], ["age"], ["=0:1"], ["age=0"], ["age=a:b"], ["age=1:0"], ["age=1:1"],
                                   ["age=0:inf"], ["age=0:1", "age=0:2"]])  # fmt: skip
def test_sensitive_features_without_a_meaning(texts):
    with pytest.raises(InvalidParameter, match=r"sensitive|age"):
        read_sensitive(texts)


@pytest.mark.parametrize("ends", [(0.5, 8), (0.01, 32), (1, 2), (0.3, 0.9), (3.1, 3.9)])
def test_a_range_ascends_from_end_to_end_with_the_round_numbers(ends):
    values = spread(*ends)
    assert (values[0], values[-1], len(values)) == (*ends, POINTS)
    assert (np.diff(values) > 0).all()
    assert {value for value in (0.5, 1.0, 2.0, 4.0) if ends[0] <= value <= ends[1]} <= set(values)
    # No step is much longer than an equal ratio, so a least ε is found about that well.
    assert np.diff(np.log(values)).max() < 2.1 * np.log(ends[1] / ends[0]) / (POINTS - 1)


@pytest.mark.parametrize(
    "text", ["0", "-1", "nan", "inf", "33", "a", "1:", ":2", "2:1", "1:1", "1:2:3", "1,", "", "0:1"]
)
def test_budgets_without_a_meaning(text):
    with pytest.raises(InvalidParameter, match="epsilon"):
        read_curve(text)


def test_lists():
    assert read_curve("4,1,4") == (1.0, 4.0)
    assert read_list("--features", None) == ()
    for text in ("a,,b", "a,b,a", ""):
        with pytest.raises(InvalidParameter, match="--features"):
            read_list("--features", text)
