"""Doubles taken apart agree with exact arithmetic."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from noisewright.audit.encoding.float_bits import ZERO_GRAIN, exponents, fit_cells, grains

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


# -- Kinds of doubles: every number has one, known from the fitting rows or not


def test_numbers_written_alike_share_a_kind_and_others_do_not():
    cells = fit_cells(np.array([1.5, 1.25, -1.5, 3.0, 1.75]))
    codes = cells.codes(np.array([1.25, 1.75, 1.5, -1.5, 3.0]))
    assert codes[0] == codes[1]  # both between 1 and 2, odd multiples of a quarter
    assert len(set(codes[1:].tolist())) == 4
    assert cells.texts[codes[0]] == "an odd multiple of 2^-2 between 1 and 2"
    assert cells.texts[codes[3]] == "an odd multiple of 2^-1 between -2 and -1"


def test_repeated_numbers_are_told_apart_from_others_of_their_kind():
    cells = fit_cells(np.concatenate([np.full(50, 1.25), np.linspace(1, 2, 999)]))
    codes = cells.codes(np.array([1.25, 1.75]))
    assert cells.texts[codes[0]] == "exactly 1.25"
    assert codes[1] != codes[0]


def test_what_was_never_seen_is_other():
    cells = fit_cells(np.array([1.5, 2.5]))
    unseen = cells.codes(np.array([1e-300, np.nan, np.inf, 0.0]))
    assert (unseen == len(cells.texts) - 1).all()


def test_the_two_zeros_are_two_kinds():
    cells = fit_cells(np.array([0.0, -0.0] * 50 + [0.5] * 50))
    assert len(set(cells.codes(np.array([0.0, -0.0, 0.5])).tolist())) == 3
    assert {"exactly 0.0", "exactly -0.0"} <= set(cells.texts)
