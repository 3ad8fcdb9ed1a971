"""The point estimate of a spectrum: events chosen on one half of the rows, measured on the other.

The best of many events on the rows they are measured by looks better than it is. Here each half measures what
the other chose, the two are averaged, and the result is projected to what a spectrum can be.

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

from noisewright.audit.bounds.tally import AtomTally, Counts, Tally
from noisewright.domains import Floats
from noisewright.errors import InvalidParameter


def cross_fit(tally: Tally, epsilons: Floats) -> Floats:
    """Return an estimate of δ(ε), the larger of both directions."""
    halves = tally.halves()
    forward, backward = (
        (_measured(*halves, epsilons, mirrored) + _measured(*halves[::-1], epsilons, mirrored)) / 2
        for mirrored in (False, True)
    )
    projected = [project_spectrum(epsilons, np.clip(each, 0.0, 1.0)) for each in (forward, backward)]
    return np.maximum(*projected)


def _measured(choosing: Tally, measuring: Tally, epsilons: Floats, mirrored: bool) -> Floats:
    """P̂(S_ε) − e^ε·Q̂(S_ε) on one half, with S_ε the best on the other."""
    if isinstance(choosing, AtomTally) and isinstance(measuring, AtomTally):
        return _by_atoms(choosing, measuring, epsilons, mirrored)
    thresholds = choosing.thresholds()
    chosen, measured = (
        each.mirrored() if mirrored else each
        for each in (choosing.counts(thresholds), measuring.counts(thresholds))
    )
    places = np.argmax(_gains(chosen, epsilons), axis=1)
    factors = np.exp(epsilons)
    return np.asarray(measured.left_share[places] - factors * measured.right_share[places])


def _gains(counts: Counts, epsilons: Floats) -> Floats:
    return counts.left_share - np.exp(epsilons)[:, None] * counts.right_share


def _by_atoms(choosing: AtomTally, measuring: AtomTally, epsilons: Floats, mirrored: bool) -> Floats:
    """With finitely many outputs any subset is an event: those that favour the input on the choosing half."""
    (p, q), (p_measured, q_measured) = (_shares(each, mirrored) for each in (choosing, measuring))
    factors = np.exp(epsilons)[:, None]
    favoured = p - factors * q > 0
    return np.asarray((favoured * (p_measured - factors * q_measured)).sum(axis=1))


def _shares(tally: AtomTally, mirrored: bool) -> tuple[Floats, Floats]:
    left, right = (counts / max(counts.sum(), 1) for counts in tally.atoms())
    return (right, left) if mirrored else (left, right)


# -- projection onto the possible spectra --------------------------------------------------------------


def project_spectrum(epsilons: ArrayLike, deltas: ArrayLike) -> Floats:
    """Return the possible spectrum nearest to an estimate: least Σ (curve − δ)² on a grid of ε ≥ 0.

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
