"""Planar Laplace masses against SciPy's adaptive integrals, cell by cell, borders and corners too."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.integrate import dblquad

from noisewright.published.routes.planar_laplace import PlanarMasses

COLUMNS, ROWS, WIDTH, HEIGHT = 4, 3, 0.25, 0.4


def integral(rate, left, right, bottom, top):
    """The mass of a box around or beside the origin, one quadrant at a time so that no piece has a kink."""

    def density(y, x):
        return rate**2 / (2 * math.pi) * math.exp(-rate * math.hypot(x, y))

    far = 60 / rate
    total = 0.0
    for low, high in ((max(left, -far), min(right, 0.0)), (max(left, 0.0), min(right, far))):
        for down, up in ((max(bottom, -far), min(top, 0.0)), (max(bottom, 0.0), min(top, far))):
            if low < high and down < up:
                total += dblquad(density, low, high, down, up, epsabs=1e-13, epsrel=1e-10)[0]
    return total


@pytest.mark.parametrize("rate", [0.7, 4.0, 30.0])
@pytest.mark.parametrize("centre", [(0, 0), (1, 1), (3, 2)])
def test_every_cell_has_the_mass_that_clipping_gives_it(rate, centre):
    table = PlanarMasses(rate, COLUMNS, ROWS, WIDTH, HEIGHT).table(*centre)
    across = (np.arange(COLUMNS + 1) - centre[0] - 0.5) * WIDTH
    up = (np.arange(ROWS + 1) - centre[1] - 0.5) * HEIGHT
    across[[0, -1]], up[[0, -1]] = (-math.inf, math.inf), (-math.inf, math.inf)
    for (column, row), mass in np.ndenumerate(table):
        expected = integral(rate, across[column], across[column + 1], up[row], up[row + 1])
        assert mass == pytest.approx(expected, rel=1e-5 if rate > 10 else 1e-7, abs=1e-12)


@pytest.mark.parametrize("rate", [1e-3, 1.0, 50.0])
def test_masses_are_positive_and_sum_to_one_for_noise_of_any_size(rate):
    masses = PlanarMasses(rate, 16, 16, 1 / 16, 1 / 16)
    for centre in ((0, 0), (3, 15), (8, 8)):
        table = masses.table(*centre)
        assert (table > 0).all()
        assert table.sum() == pytest.approx(1.0, abs=1e-12)


def test_masses_mirror_with_the_grid():
    masses = PlanarMasses(3.0, 6, 5, 0.1, 0.2)
    np.testing.assert_allclose(masses.table(1, 2), masses.table(4, 2)[::-1], rtol=1e-12)
