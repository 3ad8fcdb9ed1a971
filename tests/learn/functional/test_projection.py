"""Least squares on a grid, and rescaling into [-1, 1]."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from noisewright.errors import BadTable, InvalidParameter, OutOfDomain
from noisewright.learn.functional import (
    BSplineBasis,
    FourierBasis,
    MaxAbs,
    Projection,
    Tanh,
    even_grid,
    find_rescaling,
)

UNEVEN = np.linspace(0, 1, 40) ** 1.7


@pytest.mark.parametrize("basis", [BSplineBasis(4), BSplineBasis(9), FourierBasis(6)], ids=repr)
@pytest.mark.parametrize("grid", [np.linspace(0, 1, 101), UNEVEN], ids=["even", "uneven"])
def test_curves_in_the_span_are_recovered(basis, grid):
    coefficients = np.random.default_rng(1).normal(size=(20, basis.functions))
    projection = Projection(basis, grid)
    curves = projection.curves(coefficients)
    assert np.allclose(projection.coefficients(curves), coefficients, rtol=0, atol=1e-11)


def test_the_rest_of_a_curve_is_orthogonal_to_the_basis():
    projection = Projection(BSplineBasis(5), UNEVEN)
    curves = np.random.default_rng(2).normal(size=(3, 40))
    rest = curves - projection.curves(projection.coefficients(curves))
    assert np.abs(rest @ projection.basis.values(UNEVEN)).max() < 1e-12


def test_a_curve_alone_has_the_same_coefficients_as_among_others():
    projection = Projection(BSplineBasis(6), np.linspace(0, 1, 101))
    curves = np.random.default_rng(3).normal(size=(257, 101))
    together = projection.coefficients(curves)
    for place in (0, 100, 256):
        assert np.array_equal(projection.coefficients(curves[[place]])[0], together[place])


@pytest.mark.parametrize(
    ("grid", "sentence"),
    [
        ([0.0, 0.5, 1.0], "4 functions need a grid of at least as many points, got 3"),
        ([0.0, 0.5, 0.5, 0.7, 1.0], "increasing order"),
        ([0.0, 0.5, np.nan, 0.7, 1.0], "finite numbers"),
        ([], "finite numbers"),
        ([[0.0, 1.0]], "must be a row"),
    ],
)
def test_grids_that_cannot_serve_are_refused(grid, sentence):
    with pytest.raises(InvalidParameter, match=sentence):
        Projection(BSplineBasis(4), grid)


def test_a_grid_that_misses_a_part_of_the_domain_is_refused():
    with pytest.raises(InvalidParameter, match="too few points in a part of the domain"):
        Projection(BSplineBasis(8, degree=1), np.linspace(0, 0.3, 50))


def test_a_gap_is_refused_by_its_place_without_values():
    curves = np.full((3, 21), 77.125)
    curves[1, 4] = np.nan
    with pytest.raises(OutOfDomain, match=r"curves\[1, 4\] is missing") as refusal:
        Projection(BSplineBasis(4), np.linspace(0, 1, 21)).coefficients(curves)
    assert "77" not in str(refusal.value)


def test_curves_of_another_grid_are_refused():
    with pytest.raises(BadTable, match="rows of 21 values"):
        Projection(BSplineBasis(4), even_grid(BSplineBasis(4), 21)).coefficients(np.zeros((2, 20)))


finite = st.floats(-1e300, 1e300)


@given(arrays(np.float64, (3, 4), elements=finite))
@pytest.mark.parametrize("rescaling", [Tanh(), Tanh(1e-3), Tanh(50.0), MaxAbs()], ids=repr)
def test_rescaled_coefficients_lie_between_minus_one_and_one(rescaling, coefficients):
    units = rescaling.shrink(coefficients)
    assert np.isfinite(units).all()
    assert (np.abs(units) <= 1).all()
    assert (units * coefficients >= 0).all()
    assert np.isfinite(rescaling.undo(units)).all()


@given(arrays(np.float64, (3, 4), elements=st.floats(-10, 10)))
def test_tanh_is_undone(coefficients):
    again = Tanh(2.0).undo(Tanh(2.0).shrink(coefficients))
    assert np.allclose(again, coefficients, rtol=0, atol=1e-10)


def test_max_abs_forgets_the_size_of_a_curve_and_nothing_else():
    coefficients = np.array([[1.0, -2.0, 0.5]])
    assert np.array_equal(MaxAbs().shrink(coefficients), [[0.5, -1.0, 0.25]])
    assert np.array_equal(MaxAbs().shrink(1024 * coefficients), MaxAbs().shrink(coefficients))


@pytest.mark.parametrize(("name", "scale"), [("sigmoid", 1.0), (None, 1.0), ("tanh", 0.0), ("tanh", np.nan)])
def test_unknown_rescalings_are_refused(name, scale):
    with pytest.raises(InvalidParameter, match=r"rescale must be one of tanh, max-abs|scale must be"):
        find_rescaling(name, scale)
