"""The conjugate-gradient classifier of Kraus & Stefanucci (2019), for many samples at once.

Fisher's direction solves covariance · direction = difference of the class means. For curves the covariance
has no bounded inverse, and under noise its small eigenvalues are noise too, so the equation is not solved
but approached: a few steps of conjugate gradients, which are partial least squares. The number of steps is
the regularisation; as many steps as columns give linear discriminant analysis.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from noisewright.domains import Floats
from noisewright.learn.bases.base import LinearBase
from noisewright.learn.bases.design import row_products, weighted_rows
from noisewright.parameters import whole

SOLVED = 1e-24
"""Share of the first squared residual below which further steps would only amplify rounding."""

NO_SPREAD = 1e-14
"""Share of the total variance below which a direction counts as having none."""


def conjugate_gradients(spread: Floats, difference: Floats, steps: int) -> Floats:
    """Return directions (B, d) after ``steps`` steps towards spread · direction = difference.

    A sample stops early when its equation is solved. Where a search direction has no spread at all, the
    classes lie perfectly apart along it: it becomes the answer, and that sample stops too.
    """
    found, residual, search = np.zeros_like(difference), difference, difference
    first = length = (difference**2).sum(axis=1)
    size = np.trace(spread, axis1=1, axis2=2) + length
    moving = length > 0
    for _ in range(min(steps, difference.shape[1])):
        image = row_products(spread, search)
        along = (search * image).sum(axis=1)
        narrow = moving & (along <= NO_SPREAD * size * (search**2).sum(axis=1))
        found[narrow] = search[narrow]
        moving &= ~narrow
        stride = _ratios(length, along, moving)
        found, residual = found + stride * search, residual - stride * image
        before, length = length, (residual**2).sum(axis=1)
        moving &= length > SOLVED * first
        search = residual + _ratios(length, before, moving) * search
    return found


def _ratios(above: Floats, below: Floats, wanted: NDArray[np.bool_]) -> Floats:
    """Return quotients as a column, zero where they are not wanted."""
    return np.divide(above, below, out=np.zeros_like(above), where=wanted)[:, None]


ROUNDING = 1e-12
"""Share of a column's largest value below which a difference of its means is none."""


@dataclass(frozen=True)
class ConjugateGradient(LinearBase):
    """A centroid classifier along Fisher's direction, regularised by stopping early.

    The score is the weights times the distance from the midpoint of the two class means (from the origin
    without intercept). For curves, ``CurveBase`` gives it coordinates in which lengths and angles are theirs.

    Attributes:
        intercept: Whether hyperplanes may miss the origin.
        steps: Number of steps, 1 to 1,000.

    >>> import numpy as np
    >>> units = [[0.0, 0.0], [0.0, 2.0], [4.0, 0.0], [4.0, 2.0]]
    >>> rule = ConjugateGradient(steps=1).fit(units, [-1, -1, 1, 1], np.random.default_rng(0))
    >>> rule.scores(np.array([[2.0, 7.0], [3.0, 0.0]]))
    array([0., 4.])
    """

    steps: int = 2

    def __post_init__(self) -> None:
        whole("steps", self.steps, 1, 1000)

    def coefficients(self, units: Floats, signs: Floats) -> tuple[Floats, Floats]:
        below, above = _means(units, signs < 0), _means(units, signs > 0)
        centred = units - np.where(signs[:, :, None] > 0, above[:, None, :], below[:, None, :])
        spread = np.swapaxes(centred, 1, 2) @ centred / units.shape[1]
        apart = np.abs(above - below) > ROUNDING * np.abs(units).max(axis=1)
        weights = conjugate_gradients(spread, np.where(apart, above - below, 0), self.steps)
        if not self.intercept:
            return weights, np.zeros(len(weights))
        return weights, -(weights * (above + below) / 2).sum(axis=1)


def _means(units: Floats, members: NDArray[np.bool_]) -> Floats:
    """Return the mean units (B, d) of some clients of every sample."""
    return weighted_rows(units, members / members.sum(axis=1, keepdims=True))
