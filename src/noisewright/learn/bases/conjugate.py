"""Conjugate gradients on all samples of a stack at once, in any inner product."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from noisewright.domains import Floats
from noisewright.learn.bases.design import row_products

SOLVED = 1e-24
"""Share of the first squared residual below which further steps would only amplify rounding."""

NO_SPREAD = 1e-14
"""Share of the total variance below which a direction counts as having none."""


def conjugate_gradients(spread: Floats, difference: Floats, metric: Floats, steps: int) -> Floats:
    """Directions (B, d) after so many steps towards spread · metric · direction = difference.

    Directions are compared by the inner product leftᵀ · metric · right. A sample stops early when its
    equation is solved. Where a search direction has no spread at all, the classes lie perfectly apart along
    it: it becomes the answer, and that sample stops too.
    """
    found, residual, search = np.zeros_like(difference), difference, difference
    first = length = _squares(difference, metric)
    size = np.trace(spread, axis1=1, axis2=2) + (difference**2).sum(axis=1)
    moving = length > 0
    for _ in range(min(steps, difference.shape[1])):
        weights = search @ metric
        image = row_products(spread, weights)
        along = (weights * image).sum(axis=1)
        narrow = moving & (along <= NO_SPREAD * size * (weights**2).sum(axis=1))
        found[narrow] = search[narrow]
        moving &= ~narrow
        stride = _ratios(length, along, moving)
        found, residual = found + stride * search, residual - stride * image
        before, length = length, _squares(residual, metric)
        moving &= length > SOLVED * first
        search = residual + _ratios(length, before, moving) * search
    return found


def _squares(vectors: Floats, metric: Floats) -> Floats:
    """The squared length of each vector in the metric."""
    squares: Floats = ((vectors @ metric) * vectors).sum(axis=1)
    return squares


def _ratios(above: Floats, below: Floats, wanted: NDArray[np.bool_]) -> Floats:
    """Quotients as a column, zero where they are not wanted."""
    return np.divide(above, below, out=np.zeros_like(above), where=wanted)[:, None]
