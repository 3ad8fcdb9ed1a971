"""Numbers in words: bounds are never rounded inward, and hardly anything is not nothing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noisewright.text import about, at_least, at_most, confidence_words, percent

VALUES = st.floats(1e-300, 1e300)
SHARES = st.floats(0, 1, exclude_min=True, exclude_max=True, allow_subnormal=False)


def read(text):
    return float(text.removesuffix(" %").replace(",", ""))


@given(VALUES, st.integers(1, 6))
def test_bounds_are_never_rounded_inward(value, digits):
    low, middle, high = (read(shown(value, digits)) for shown in (at_least, about, at_most))
    assert low <= value <= high
    assert middle in (0, low, high)
    assert high - low <= 1.01 * 10.0 ** (1 - digits) * value


@given(SHARES)
def test_a_percentage_is_close_and_neither_0_nor_100(share):
    shown = read(percent(share))
    assert 0 < shown < 100 or share > 1 - 1e-15
    assert shown == pytest.approx(100 * share, rel=0.006)
    assert 100 - shown == pytest.approx(100 - 100 * share, rel=0.06, abs=1e-12)


@given(SHARES)
def test_confidence_is_never_said_to_be_more(share):
    assert read(confidence_words(share)) <= 100 * share * (1 + 1e-15)


@pytest.mark.parametrize(
    ("share", "said"),
    [
        (0.0, "0 %"),
        (1.0, "100 %"),
        (0.5, "50 %"),
        (2e-9, "2e-07 %"),
        (1 - 1e-9, "99.9999999 %"),
        (0.9999999999999999, "99.99999999999999 %"),
    ],
)
def test_percentages_as_a_reader_sees_them(share, said):
    assert percent(share) == said


def test_what_has_no_digits():
    assert [at_least(each) for each in (float("inf"), float("-inf"), float("nan"))] == ["∞", "−∞", "–"]
    assert about(1e-13) == "0"
