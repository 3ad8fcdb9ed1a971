"""Bases of functions: what they promise of themselves."""

from __future__ import annotations

import json

import numpy as np
import pytest

from noisewright.errors import InvalidParameter, OutOfDomain
from noisewright.learn.functional import Basis, BSplineBasis, FourierBasis

BASES = [
    BSplineBasis(4),
    BSplineBasis(7, (-2.0, 5.0)),
    BSplineBasis(5, (0.0, 1.0), degree=1),
    BSplineBasis(3, degree=0),
    FourierBasis(1),
    FourierBasis(4),
    FourierBasis(5, (10.0, 14.0)),
]
each_basis = pytest.mark.parametrize("basis", BASES, ids=repr)


@pytest.mark.parametrize("basis", [basis for basis in BASES if isinstance(basis, BSplineBasis)], ids=repr)
def test_splines_add_up_to_one_and_are_never_negative(basis):
    values = basis.values(np.linspace(*basis.domain, 57))
    assert values.shape == (57, basis.functions)
    assert np.allclose(values.sum(axis=1), 1, rtol=0, atol=1e-14)
    assert (values >= 0).all()


@each_basis
def test_the_gram_matrix_holds_the_integrals_of_products(basis):
    cells = 12_000  # the midpoint rule; a multiple of all numbers of pieces
    points = basis.domain[0] + basis.length * (np.arange(cells) + 0.5) / cells
    values = basis.values(points)
    assert np.allclose(basis.gram, values.T @ values * basis.length / cells, rtol=0, atol=1e-6)
    assert np.array_equal(basis.gram, basis.gram.T)


@pytest.mark.parametrize("functions", [1, 2, 5, 8])
def test_waves_are_orthonormal(functions):
    basis = FourierBasis(functions, (3.0, 11.0))
    points = 3 + 8 * np.arange(64) / 64  # the rectangle rule is exact for waves of so few periods
    values = basis.values(points)
    assert np.allclose(values.T @ values * 8 / 64, np.eye(functions), rtol=0, atol=1e-13)
    assert np.array_equal(basis.gram, np.eye(functions))


@each_basis
def test_a_basis_travels_as_json(basis):
    again = Basis.from_dict(json.loads(json.dumps(basis.to_dict())))
    assert again == basis
    assert hash(again) == hash(basis)
    assert again.gram is basis.gram


def test_a_gram_matrix_cannot_be_changed_under_others():
    with pytest.raises(ValueError, match="read-only"):
        BSplineBasis(4).gram[0, 0] = 1


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: BSplineBasis(3), "need at least 4 functions, got 3"),
        (lambda: BSplineBasis(0), "functions must be a whole number"),
        (lambda: BSplineBasis(4, degree=-1), "degree must be a whole number"),
        (lambda: FourierBasis(10**9), "functions must be a whole number from 1 to"),
        (lambda: FourierBasis(4.0), "functions must be a whole number"),
        (lambda: FourierBasis(4, (1.0, 1.0)), "two numbers, the low end first"),
        (lambda: FourierBasis(4, (0.0, np.inf)), "high end must be a finite number"),
        (lambda: FourierBasis(4, 7), "two numbers, the low end first"),
        (lambda: Basis.from_dict({"basis": "wavelet"}), "unknown basis; known: b-spline, fourier"),
        (lambda: Basis.from_dict(None), "unknown basis"),
        (lambda: Basis.from_dict({"basis": "fourier", "functions": 4, "degree": 3}), "missing or unknown"),
        (lambda: Basis.from_dict({"basis": "fourier"}), "missing or unknown"),
    ],
)
def test_what_is_no_basis_is_refused(make, sentence):
    with pytest.raises(InvalidParameter, match=sentence):
        make()


@pytest.mark.parametrize("grid", [[0.5, 1.1], [np.nan], [[0.5]], [-0.1]])
def test_points_outside_the_domain_are_refused(grid):
    with pytest.raises(OutOfDomain, match="from 0 to 1"):
        FourierBasis(3).values(grid)
