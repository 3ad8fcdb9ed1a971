"""Kinds of doubles: every number has one, known from the fitting rows or not."""

from __future__ import annotations

import numpy as np

from noisewright.audit.floating import fit_cells


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
