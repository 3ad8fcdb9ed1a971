"""How long an audit has to be: what a violation costs to see, and what a budget can see."""

from __future__ import annotations

import math

from noisewright.audit.claim import Claim
from noisewright.audit.coordinates import LARGEST
from noisewright.audit.folds import bounding_rows
from noisewright.audit.planning.power import COMPARISONS, Strictness, refutes, runs_needed
from noisewright.errors import InvalidParameter
from noisewright.parameters import real, whole

HALVINGS = 40


def samples_to_refute(
    claim: Claim,
    actual: float,
    rate: float = 0.5,
    *,
    confidence: float = 0.95,
    power: float = 0.9,
    comparisons: float = COMPARISONS,
) -> int:
    """Runs over both inputs until an audit refutes a claim whose true ε is ``actual``.

    The event that shows it is thought to have P(S) = ``rate`` and Q(S) = (rate − δ)·e^−actual. For Laplace
    noise the rate is ½; the rarer the event, the more runs, in proportion.

    >>> samples_to_refute(Claim(1.0), 1.1)
    24364
    """
    strictness = Strictness(confidence, power, comparisons)
    if not real("actual", actual) > claim.epsilon:
        raise InvalidParameter(f"actual must be above the claimed ε = {claim.epsilon:g}, got {actual:g}")
    found = runs_needed(claim, *_event(claim, min(actual, LARGEST), rate), strictness)
    if found is None:
        raise InvalidParameter(
            f"a difference from {claim.epsilon:g} to {actual:g} is too small for any audit"
        )
    return found


def smallest_visible(
    claim: Claim,
    samples: int,
    rate: float = 0.5,
    *,
    confidence: float = 0.95,
    power: float = 0.9,
    comparisons: float = COMPARISONS,
) -> float:
    """The smallest true ε at which so many runs refute a claim with the wanted power; inf if none is.

    >>> round(smallest_visible(Claim(1.0), 60_000), 3)
    1.062
    """
    rows = bounding_rows(whole("samples", samples, 1, 1 << 62))
    return visible_from(claim, rows, rate, Strictness(confidence, power, comparisons))


def visible_from(claim: Claim, rows: int, rate: float, strictness: Strictness) -> float:
    """The smallest true ε that a bound on ``rows`` outputs of each input refutes; inf if none is."""

    def visible(epsilon: float) -> bool:
        p, q = _event(claim, epsilon, rate)
        return rows > 0 and refutes(claim, p, q, rows, strictness)

    if not visible(LARGEST):
        return math.inf
    low, high = claim.epsilon, LARGEST
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (low, middle) if visible(middle) else (middle, high)
    return high


def plan_sentence(claim: Claim, actual: float, rate: float = 0.5, **strictness: float) -> str:
    """What :func:`samples_to_refute` found, for people.

    >>> plan_sentence(Claim(1.0), 1.1)
    'To see a violation of ε = 1 → 1.1 you need about 25,000 runs.'
    """
    runs = samples_to_refute(claim, actual, rate, **strictness)
    digits = 2 - len(str(runs))
    rounded = f"{math.ceil(runs * 10.0**digits) * 10**-digits:,}" if digits < 0 else f"{runs:,}"
    return f"To see a violation of ε = {claim.epsilon:g} → {actual:g} you need about {rounded} runs."


def _event(claim: Claim, epsilon: float, rate: float) -> tuple[float, float]:
    if not claim.delta < real("rate", rate) <= 1:
        raise InvalidParameter(f"rate must be above the claim's delta and at most 1, got {rate:g}")
    return rate, (rate - claim.delta) * math.exp(-epsilon)
