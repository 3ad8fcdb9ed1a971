"""What a promise allows at each false-positive rate: the curve that no attack's curve may cross.

A record is in or out by a fair coin, so an attack with rates f and t is right ½(t + 1 − f) of the time: a
promised success s allows t ≤ f + 2s − 1. A release of β nats carries at most β about the record, and so does
the attack's answer: h((t + f)/2) − ½h(t) − ½h(f) ≤ β with h the entropy of a coin, which is far stricter at
small f. Both hold for each record, and for the mean of all (the second because mutual information is convex
in the channel).
"""

from __future__ import annotations

import math

import numpy as np

from noisewright.domains import Floats


def most_by_success(false_positives: Floats, success: float) -> Floats:
    """The largest true-positive rates that a promised success allows.

    >>> most_by_success(np.array([0.01, 0.9]), success=0.6).round(3).tolist()
    [0.21, 1.0]
    """
    return np.minimum(false_positives + (2 * success - 1), 1.0)


def most_by_information(false_positives: Floats, nats: float) -> Floats:
    """The largest true-positive rates that so many nats about a fair coin allow; rounded up.

    >>> most_by_information(np.array([0.001, 0.01, 1.0]), nats=1 / 64).round(3).tolist()
    [0.05, 0.078, 1.0]
    """
    low, high = false_positives.astype(np.float64), np.ones(false_positives.shape)
    if nats >= math.log(2):
        return high
    for _ in range(50):
        middle = (low + high) / 2
        kept = _information(false_positives, middle) <= nats + 1e-12
        low, high = np.where(kept, middle, low), np.where(kept, high, middle)
    return high


def most_true_positives(false_positives: Floats, success: float, nats: float) -> Floats:
    """The stricter of the two bounds at each rate."""
    return np.minimum(most_by_success(false_positives, success), most_by_information(false_positives, nats))


def _information(false: Floats, true: Floats) -> Floats:
    """Nats between a fair coin and an answer with these rates."""
    return np.asarray(_entropy((true + false) / 2) - _entropy(true) / 2 - _entropy(false) / 2)


def _entropy(chance: Floats) -> Floats:
    from scipy.special import entr  # noqa: PLC0415  (scipy is slow to load)

    return np.asarray(entr(chance) + entr(1 - chance))
