"""The estimated spectrum, and what bounds on events say in other measures: trade-off, Rényi divergence, zCDP.

For a fixed event everything follows from its two probabilities, and the true ones lie beyond one of the
corners of its region (:mod:`noisewright.audit.bounds.event_bounds`); a metric is the weakest over the
corners, and the best over the events.

The best of many events on the rows they are measured by looks better than it is. So for the estimated curve
each half of the rows measures what the other chose, the two are averaged, and the result is projected to what
a spectrum can be: as a function of u = e^ε, δ(u) = max over events S of P(S) − u·Q(S) is a maximum of falling
straight lines, each P(S) ≤ 1 at u = 0. For u ≥ 1 it is convex, decreasing and never negative, and the line
back from any stretch of it meets u = 0 at 1 or less. Every such curve is the spectrum of some pair.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import nnls

from noisewright.audit.bounds.event_bounds import EventBounds
from noisewright.audit.bounds.tally import AtomTally, Counts, Tally
from noisewright.domains import Floats
from noisewright.errors import InvalidParameter
from noisewright.parameters import real

if TYPE_CHECKING:
    from noisewright.audit.basics.claim import Claim

ORDERS = np.concatenate([np.linspace(1.05, 2, 20), np.geomspace(2.2, 256, 40)])
"""Orders of Rényi divergence at which zCDP is read."""


@dataclass(frozen=True, eq=False)
class TradeOff:
    """How well any test can tell the two inputs apart: false alarms against misses.

    Attributes:
        false_alarms: Rates at which a test says left for the right input, rising from 0 to 1.
        misses: About the least share of misses at each rate.
        misses_upper: The trade-off function f of the mechanism (f-DP) lies nowhere above it, at the
            audit's confidence.
    """

    false_alarms: Floats
    misses: Floats
    misses_upper: Floats

    def plot(self, axes: Any = None, *, claim: Claim | None = None) -> Any:
        """Draw misses over false alarms, with the least that a claim allows if one is given; returns axes."""
        from noisewright.audit.spectrum.plots import plot_tradeoff  # noqa: PLC0415  (drawing is seldom wanted)

        return plot_tradeoff(self, axes, claim=claim)


def estimate_misses(counts: Counts, false_alarms: Floats) -> Floats:
    """Return about the trade-off function at each rate of false alarms, the lower of both directions.

    Whoever says "left" above a threshold makes false alarms among the right outputs that score above it, and
    misses the left ones that do not.
    """
    curves = [
        np.interp(false_alarms, *_rising(each.right_share, 1 - each.left_share))
        for each in (counts, counts.mirrored())
    ]
    return np.minimum(*curves)


def _rising(false_alarms: Floats, misses: Floats) -> tuple[Floats, Floats]:
    """The points of a curve from (0, 1) to (1, 0), by rising false alarms."""
    order = np.lexsort((-misses, false_alarms))
    return (
        np.concatenate([[0.0], false_alarms[order], [1.0]]),
        np.concatenate([[1.0], misses[order], [0.0]]),
    )


def misses_upper(corners: Floats, false_alarms: Floats) -> Floats:
    """Return an upper bound on the trade-off function at each rate of false alarms.

    A test with false alarms q and misses 1 − p can be mixed with blind guessing, so the function lies below
    the lines from (0, 1) over (q, 1 − p) to (1, 0).

    >>> misses_upper(np.array([[[0.5, 0.1]]]), np.array([0.0, 0.1, 1.0])).tolist()
    [1.0, 0.5, 0.0]
    """
    best = 1 - false_alarms
    for event in corners:
        lines = [np.interp(false_alarms, [0.0, q, 1.0], [1.0, 1 - p, 0.0]) for p, q in event if 0 < q < 1]
        if len(lines) == len(event):
            best = np.minimum(best, np.max(lines, axis=0))
    return np.asarray(best)


def estimate_epsilon(bounds: EventBounds, delta: float) -> float:
    """Return about the ε at δ, a guess without a promise: the log-ratio of the event that is bounded best.

    Of the events that were chosen before the bounding runs it is the one with the largest lower bound, so
    that the luck of a rare event does not choose it, and its two shares are those of the bounding runs:

        ln((hits + ½)/(n + 1) − δ) − ln((other hits + ½)/(m + 1)),

    or 0 if that is less. The halves keep it finite where the other input never gave the event; they are
    also what brings the mean of ln(hits + ½) nearest to the logarithm of what is expected (Anscombe 1956).

    >>> one = EventBounds.of([600], 1000, [200], 1000, 0.01)
    >>> round(estimate_epsilon(one, 0.0), 3), round(estimate_epsilon(one, 0.2), 3)
    (1.097, 0.691)
    """
    best = int(np.argmax(bounds.log_ratios(delta)))
    share = (bounds.hits[best] + 0.5) / (bounds.count[best] + 1) - delta
    other = (bounds.other_hits[best] + 0.5) / (bounds.other_count[best] + 1)
    return max(float(np.log(share / other)), 0.0) if share > 0 else 0.0


def renyi_lower(corners: Floats, order: float) -> float:
    """Return a lower bound on the Rényi divergence of the given order above 1, the larger of both directions.

    Merging outputs into "in S" and "not in S" never raises a divergence, so that of two coins with
    probabilities p and q is a bound.

    >>> round(renyi_lower(np.array([[[0.75, 0.25]]]), 2.0), 4)
    0.8473
    """
    if not real("order", order) > 1:
        raise InvalidParameter(f"the order of a Rényi divergence must be above 1, got {order:g}")
    p, q = corners[..., 0], corners[..., 1]
    with np.errstate(divide="ignore", invalid="ignore"):
        inside = order * np.log(p) + (1 - order) * np.log(q)
        outside = order * np.log1p(-p) + (1 - order) * np.log1p(-q)
        divergence = np.logaddexp(inside, outside) / (order - 1)
    telling = np.where(p > q, divergence, 0.0)  # a corner that does not favour its input says nothing
    return float(np.nan_to_num(telling, nan=0.0, posinf=np.inf).min(axis=1).max(initial=0.0))


def zcdp_lower(corners: Floats) -> float:
    """No smaller ρ gives zCDP: the largest of divergence / order."""
    return max(renyi_lower(corners, float(order)) / float(order) for order in ORDERS)


# -- the estimated curve -------------------------------------------------------------------------------


def cross_fit(tally: Tally, epsilons: Floats) -> Floats:
    """Return an estimate of δ(ε), the larger of both directions."""
    halves = tally.halves()
    forward, backward = (
        (_measure(*halves, epsilons, mirrored) + _measure(*halves[::-1], epsilons, mirrored)) / 2
        for mirrored in (False, True)
    )
    projected = [project_spectrum(epsilons, np.clip(each, 0.0, 1.0)) for each in (forward, backward)]
    return np.maximum(*projected)


def _measure(choosing: Tally, measuring: Tally, epsilons: Floats, mirrored: bool) -> Floats:
    """P̂(S_ε) − e^ε·Q̂(S_ε) on one half, with S_ε the best on the other."""
    if isinstance(choosing, AtomTally) and isinstance(measuring, AtomTally):
        return _by_atoms(choosing, measuring, epsilons, mirrored)
    thresholds = choosing.thresholds()
    chosen, measured = (
        each.mirrored() if mirrored else each
        for each in (choosing.counts(thresholds), measuring.counts(thresholds))
    )
    factors = np.exp(epsilons)
    places = np.argmax(chosen.left_share - factors[:, None] * chosen.right_share, axis=1)
    return np.asarray(measured.left_share[places] - factors * measured.right_share[places])


def _by_atoms(choosing: AtomTally, measuring: AtomTally, epsilons: Floats, mirrored: bool) -> Floats:
    """With finitely many outputs any subset is an event: those that favour the input on the choosing half."""
    shares = [[counts / max(counts.sum(), 1) for counts in each.atoms()] for each in (choosing, measuring)]
    (p, q), (p_measured, q_measured) = (each[::-1] if mirrored else each for each in shares)
    factors = np.exp(epsilons)[:, None]
    favoured = p - factors * q > 0
    return np.asarray((favoured * (p_measured - factors * q_measured)).sum(axis=1))


# -- projection onto the possible spectra --------------------------------------------------------------


def project_spectrum(epsilons: ArrayLike, deltas: ArrayLike) -> Floats:
    """Return the possible spectrum nearest to an estimate: least Σ (curve − δ)² on a grid of ε ≥ 0.

    A projection onto a convex set moves away from none of its points: the true spectrum is as near as before,
    or nearer.

    >>> project_spectrum([0, 0.5, 1], [0.3, 0.32, -0.01]).round(4).tolist()
    [0.3558, 0.2304, 0.0238]
    """
    grid, values = _check_curve(epsilons, deltas)
    corners = simplest_spectra(grid)
    # The nearest mixture: as Σ share = 1, the error is Σ share·(corner − values), and one more row asks for
    # Σ share = 1. For a mixture stretched by t the sum of squares is t²·error + (1 − t)², whose least value
    # over t grows with the error: the best direction is that of the best mixture, exactly.
    system = np.vstack([corners - values[:, None], np.ones(corners.shape[1])])
    shares, _ = nnls(system, np.append(np.zeros(len(values)), 1.0), maxiter=50 * corners.shape[1])
    return np.asarray(np.clip(corners @ (shares / shares.sum()), 0.0, 1.0))


def simplest_spectra(epsilons: Floats) -> Floats:
    """The curves that no others average to, one a column: constant 1, then the lines that end at each point.

    >>> simplest_spectra(np.log([1.0, 2.0, 4.0])).tolist()
    [[1.0, 0.0, 0.5, 0.75], [1.0, 0.0, 0.0, 0.5], [1.0, 0.0, 0.0, 0.0]]
    """
    steps = epsilons[None, :] - epsilons[:, None]
    lines = -np.expm1(-np.maximum(steps, 0.0))  # (end − u) / end, without an e^ε that could overflow
    return np.hstack([np.ones((len(epsilons), 1)), lines])


def _check_curve(epsilons: ArrayLike, deltas: ArrayLike) -> tuple[Floats, Floats]:
    grid, values = np.asarray(epsilons, dtype=np.float64), np.asarray(deltas, dtype=np.float64)
    if grid.ndim != 1 or not grid.size or not grid.shape == values.shape:
        raise InvalidParameter("epsilons and deltas must be lists of one length, and not empty")
    if not (np.isfinite(grid).all() and np.isfinite(values).all()):
        raise InvalidParameter("epsilons and deltas must be finite; leave out what is not known")
    if grid[0] < 0 or (np.diff(grid) <= 0).any():
        raise InvalidParameter("must increase and start at 0 or more", field="epsilons")
    return grid, values
