"""Doubles taken apart agree with exact arithmetic."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from noisewright.audit.floating import ZERO_GRAIN, exponents, grains

FINITE = st.floats(allow_nan=False, allow_infinity=False)


@given(FINITE.filter(bool))
def test_a_double_is_an_odd_multiple_of_its_grain(number):
    quotient = Fraction(number) / Fraction(2) ** int(grains(np.array([number]))[0])
    assert quotient.denominator == 1
    assert quotient.numerator % 2 == 1


@given(FINITE.filter(bool))
def test_the_exponent_is_the_place_of_the_highest_digit(number):
    place = int(exponents(np.array([number]))[0])
    assert Fraction(2) ** place <= abs(Fraction(number)) < Fraction(2) ** (place + 1)


def test_zeros_and_what_is_not_finite_have_places_of_their_own():
    numbers = np.array([0.0, -0.0, np.inf, -np.inf, np.nan])
    assert grains(numbers).tolist() == [ZERO_GRAIN] * 5
    assert exponents(numbers).tolist() == [-1075, -1075, 1024, 1024, 1024]


def test_tables_are_taken_apart_cell_by_cell():
    numbers = np.array([[0.5, 3.0], [96.0, -0.1]])[:, ::-1]  # not contiguous
    assert grains(numbers).tolist() == [[0, -1], [-55, 5]]
