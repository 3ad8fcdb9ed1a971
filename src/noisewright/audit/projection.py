"""From a raw estimate of δ(ε) to the nearest curve that some pair of laws could really have.

An estimated spectrum wiggles, rises or dips below zero. A true one, as a function of u = e^ε, is
δ(u) = max over events S of P(S) − u·Q(S): a maximum of falling straight lines, each P(S) ≤ 1 at u = 0.
So for u ≥ 1 it is convex, decreasing and never negative, and the line back from any stretch of it meets u = 0
at 1 or less. That is all there is to ask: every such curve is the spectrum of some pair.

On a grid these curves are the weighted averages of a few simplest ones (nothing ever leaks; the input is told
with some probability; a line that falls from 1 at u = 0 to 0 at one grid point), and the nearest average is a
least-squares problem with weights that may not be negative.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import nnls

from noisewright.domains import Floats
from noisewright.errors import InvalidParameter


def project_spectrum(epsilons: ArrayLike, deltas: ArrayLike) -> Floats:
    """The possible spectrum nearest to an estimate: least Σ (curve − δ)² on a grid of ε ≥ 0.

    A projection onto a convex set moves away from none of its points: the true spectrum is as near as before,
    or nearer.

    >>> project_spectrum([0, 0.5, 1], [0.3, 0.32, -0.01]).round(4).tolist()
    [0.3558, 0.2304, 0.0238]
    """
    grid, values = _checked(epsilons, deltas)
    corners = simplest_spectra(grid)
    return np.clip(corners @ _nearest_mixture(corners, values), 0.0, 1.0)


def simplest_spectra(epsilons: Floats) -> Floats:
    """The curves that no others average to, one a column: constant 1, then the lines that end at each point.

    >>> simplest_spectra(np.log([1.0, 2.0, 4.0])).tolist()
    [[1.0, 0.0, 0.5, 0.75], [1.0, 0.0, 0.0, 0.5], [1.0, 0.0, 0.0, 0.0]]
    """
    steps = epsilons[None, :] - epsilons[:, None]
    lines = -np.expm1(-np.maximum(steps, 0.0))  # (end − u) / end, without an e^ε that could overflow
    return np.hstack([np.ones((len(epsilons), 1)), lines])


def _nearest_mixture(corners: Floats, values: Floats) -> Floats:
    """Shares of a mixture, least squares: as Σ share = 1, the error is Σ share·(corner − values).

    One more row asks for Σ share = 1. For a mixture stretched by t the sum of squares is t²·error + (1 − t)²,
    whose least value over t grows with the error: the best direction is that of the best mixture, exactly.
    """
    system = np.vstack([corners - values[:, None], np.ones(corners.shape[1])])
    wanted = np.append(np.zeros(len(values)), 1.0)
    shares, _ = nnls(system, wanted, maxiter=50 * corners.shape[1])
    return np.asarray(shares / shares.sum(), dtype=np.float64)


def _checked(epsilons: ArrayLike, deltas: ArrayLike) -> tuple[Floats, Floats]:
    grid, values = np.asarray(epsilons, dtype=np.float64), np.asarray(deltas, dtype=np.float64)
    if grid.ndim != 1 or not grid.size or not grid.shape == values.shape:
        raise InvalidParameter("epsilons and deltas must be lists of one length, and not empty")
    if not (np.isfinite(grid).all() and np.isfinite(values).all()):
        raise InvalidParameter("epsilons and deltas must be finite; leave out what is not known")
    if grid[0] < 0 or (np.diff(grid) <= 0).any():
        raise InvalidParameter("epsilons must increase and start at 0 or more")
    return grid, values
