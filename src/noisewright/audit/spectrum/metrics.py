"""What bounds on an event say in other languages: trade-off curves, ε at δ, Rényi divergence, zCDP.

For a fixed event everything follows from its two probabilities, and the true ones lie beyond one of the
corners of its region (:mod:`noisewright.audit.bounds.event_bounds`); a metric is the weakest over the
corners, and the best over the events.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from noisewright.audit.bounds.event_bounds import EventBounds
from noisewright.audit.bounds.tally import Counts
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
