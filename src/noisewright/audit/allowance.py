"""What a claim allows at most, as curves to hold a measured spectrum against.

Of all pairs of laws that keep (ε₀, δ₀) in both directions one is the worst at every ε together: with
probability δ₀ the input itself is published, otherwise it goes through randomized response at ε₀
(Kairouz, Oh and Viswanath 2015, thm 3.1).
"""

from __future__ import annotations

import numpy as np

from noisewright.audit.claim import Claim
from noisewright.domains import Floats


def allowed_delta(claim: Claim, epsilons: Floats) -> Floats:
    """The largest δ at every ε that a claim leaves room for; more than that refutes it.

    δ(ε) = δ₀ + (1 − δ₀)·(e^ε₀ − e^ε)₊ / (e^ε₀ + 1)

    >>> allowed_delta(Claim(1.0), np.array([0.0, 1.0, 2.0])).round(4).tolist()
    [0.4621, 0.0, 0.0]
    """
    room = -np.expm1(np.minimum(epsilons - claim.epsilon, 0.0)) / (1.0 + np.exp(-claim.epsilon))
    return np.asarray(claim.delta + (1.0 - claim.delta) * room)


def allowed_misses(claim: Claim, false_alarms: Floats) -> Floats:
    """The share of misses that every test has at least, if the claim holds (Dong et al. 2022, prop. 2.4).

    >>> allowed_misses(Claim(0.0), np.array([0.0, 0.25])).tolist()
    [1.0, 0.75]
    """
    steep = 1.0 - claim.delta - claim.factor * false_alarms
    flat = (1.0 - claim.delta - false_alarms) / claim.factor
    return np.maximum(np.maximum(steep, flat), 0.0)
