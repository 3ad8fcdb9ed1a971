"""Power: the runs that a violation takes to be seen, and the violation that a number of runs can see.

Whether one event would refute a claim is decided by the exact bound of the audit, at unlucky counts.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist
from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from noisewright.audit.basics.budget import bounding_rows
from noisewright.audit.basics.claim import LARGEST, Claim, read_confidence, read_law
from noisewright.audit.bounds.event_bounds import EventBounds, lean_at
from noisewright.domains import Floats
from noisewright.errors import InvalidParameter, NoisewrightError
from noisewright.parameters import real, whole
from noisewright.statistics import bisect, last_true

COMPARISONS = 6.0
"""An audit leaves about one part in this number of its failure probability to the event against a claim."""

MOST_RUNS = 10**15


@dataclass(frozen=True)
class Strictness:
    """The confidence of the audit, and its power to find a violation.

    >>> round(Strictness(0.95, 0.9, 6).failure, 5)
    0.00833
    """

    confidence: float = 0.95
    power: float = 0.9
    comparisons: float = COMPARISONS

    def __post_init__(self) -> None:
        read_confidence(self.confidence)
        if not 0 < real("power", self.power) < 1:
            raise InvalidParameter(f"must lie between 0 and 1, got {self.power:g}", field="power")
        if not real("comparisons", self.comparisons) >= 1:
            raise InvalidParameter(f"must be at least 1, got {self.comparisons:g}", field="comparisons")

    @property
    def failure(self) -> float:
        """The failure probability that is left for one event."""
        return (1 - self.confidence) / self.comparisons


def runs_needed(claim: Claim, p: float, q: float, strictness: Strictness) -> int | None:
    """Return the runs over both inputs that refute a claim by an event with P(S) = p and Q(S) = q, or None.

    In simulations the bound needs this many within a tenth; if only a few hits decide, up to a third fewer.

    Args:
        claim: The claim to refute.
        p: How often the event comes up with the input it speaks for.
        q: How often with the other input.
        strictness: The confidence and power of the audit.

    >>> runs_needed(Claim(1.0), 0.5, 0.1, Strictness()), runs_needed(Claim(1.0), 0.5, 0.2, Strictness())
    (1064, None)
    """
    if p - claim.factor * q <= claim.delta or not refutes(claim, p, q, MOST_RUNS, strictness):
        return None
    low, high = 0, 1
    while not refutes(claim, p, q, high, strictness):
        low, high = high, 2 * high
    while high - low > 1 + low // 1000:
        middle = (low + high) // 2
        low, high = (low, middle) if refutes(claim, p, q, middle, strictness) else (middle, high)
    # the fewest runs that leave ``high`` outputs of each input for bounds
    return 2 * last_true(lambda each: bounding_rows(2 * each) >= high, 2 * high, high)


def refutes(claim: Claim, p: float, q: float, rows: int, strictness: Strictness) -> bool:
    """Return whether a bound on ``rows`` outputs of each input refutes a claim with the wanted power.

    Of all counts that put p̂ − e^ε·q̂ at its unlucky quantile, it takes the likeliest.

    Args:
        claim: The claim to refute.
        p: How often the event comes up with the input it speaks for.
        q: How often with the other input.
        rows: Outputs of each input that the bound rests on.
        strictness: The confidence and power of the audit.
    """
    unlucky = NormalDist().inv_cdf(strictness.power)
    spread_p, spread_q = p * (1 - p) / rows, claim.factor * q * (1 - q) / rows
    spread = math.sqrt(spread_p + claim.factor * spread_q)
    step = unlucky / spread if spread else 0.0
    hits = min(max(math.floor(rows * (p - step * spread_p)), 0), rows)
    other = min(max(math.ceil(rows * (q + step * spread_q)), 0), rows)
    aim = math.log(max(p - claim.delta, q) / q) if q else math.inf  # an audit aims at the largest ε
    bounds = EventBounds.of([hits], rows, [other], rows, strictness.failure, lean_at(p, q, aim))
    return bool(bounds.deltas(claim.epsilon)[0, 0] > claim.delta)


# -- runs for a violation, and the smallest violation for some runs ------------------------------------


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
    """Return the runs over both inputs after which an audit refutes a claim whose true ε is ``actual``.

    The event that shows it is assumed to have P(S) = ``rate`` and Q(S) = (rate − δ)·e^−actual. For Laplace
    noise the rate is ½; the rarer the event, the more runs, in proportion.

    Args:
        claim: The claim to refute.
        actual: The true ε, above the claimed one.
        rate: How often the event comes up with the input it speaks for, above the claim's δ and at most
            1.
        confidence: The confidence of the audit.
        power: How often such an audit should find it, between 0 and 1.
        comparisons: The event gets one part in this number of the failure probability.

    >>> samples_to_refute(Claim(1.0), 1.1)
    24364
    """
    strictness = Strictness(confidence, power, comparisons)
    if not real("actual", actual) > claim.epsilon:
        raise InvalidParameter(
            f"must be above the claimed ε = {claim.epsilon:g}, got {actual:g}", field="actual"
        )
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
    """Return the smallest true ε at which ``samples`` runs refute a claim with the wanted power, or inf.

    Args:
        claim: The claim to refute.
        samples: Runs over both inputs.
        rate: As in :func:`samples_to_refute`.
        confidence: As in :func:`samples_to_refute`.
        power: As in :func:`samples_to_refute`.
        comparisons: As in :func:`samples_to_refute`.

    >>> round(smallest_visible(Claim(1.0), 60_000), 3)
    1.062
    """
    rows = bounding_rows(whole("samples", samples, 1, 1 << 62))
    return visible_from(claim, rows, rate, Strictness(confidence, power, comparisons))


def visible_from(claim: Claim, rows: int, rate: float, strictness: Strictness) -> float:
    """Return the smallest true ε that a bound on ``rows`` outputs of each input refutes; inf if none is.

    Args:
        claim: The claim to refute.
        rows: Outputs of each input that the bound rests on.
        rate: How often the event comes up with the input it speaks for.
        strictness: The confidence and power of the audit.
    """

    def visible(epsilon: float) -> bool:
        p, q = _event(claim, epsilon, rate)
        return rows > 0 and refutes(claim, p, q, rows, strictness)

    if not visible(LARGEST):
        return math.inf
    least, _ = bisect(lambda epsilon: visible(float(epsilon)), LARGEST, claim.epsilon, HALVINGS)
    return float(least)


def plan_sentence(claim: Claim, actual: float, rate: float = 0.5, **strictness: float) -> str:
    """Return the result of :func:`samples_to_refute` as a sentence.

    Args:
        claim: The claim to refute.
        actual: The true ε, above the claimed one.
        rate: As in :func:`samples_to_refute`.
        strictness: ``confidence``, ``power`` and ``comparisons`` of :func:`samples_to_refute`.

    >>> plan_sentence(Claim(1.0), 1.1)
    'To see a violation of ε = 1 → 1.1 you need about 25,000 runs.'
    """
    runs = samples_to_refute(claim, actual, rate, **strictness)
    digits = 2 - len(str(runs))
    rounded = f"{math.ceil(runs * 10.0**digits) * 10**-digits:,}" if digits < 0 else f"{runs:,}"
    return f"To see a violation of ε = {claim.epsilon:g} → {actual:g} you need about {rounded} runs."


def _event(claim: Claim, epsilon: float, rate: float) -> tuple[float, float]:
    if not claim.delta < real("rate", rate) <= 1:
        raise InvalidParameter(f"must be above the claim's delta and at most 1, got {rate:g}", field="rate")
    return rate, (rate - claim.delta) * math.exp(-epsilon)


# -- known laws: the event that would refute a claim soonest -------------------------------------------


@dataclass(frozen=True)
class BestEvent:
    """Outputs, by their places in the laws, that refute a claim soonest, and the input that they favour."""

    direction: str
    outputs: tuple[int, ...]
    left_rate: float
    right_rate: float
    samples: int


def best_event(
    claim: Claim,
    left: ArrayLike,
    right: ArrayLike,
    *,
    confidence: float = 0.95,
    power: float = 0.9,
    comparisons: float = COMPARISONS,
) -> BestEvent | None:
    """Return the event that an ideal audit of two known laws would bound; None if the claim holds.

    The best events are the outputs whose likelihood ratio is largest, so in each direction only as many have
    to be tried as there are outputs.

    Args:
        claim: The claim to refute.
        left: The probability of each output with the left input.
        right: The same with the right input.
        confidence: As in :func:`samples_to_refute`.
        power: As in :func:`samples_to_refute`.
        comparisons: As in :func:`samples_to_refute`.

    >>> best_event(Claim(0.5), [0.6, 0.3, 0.1], [0.2, 0.3, 0.5]).outputs
    (2,)
    """
    strict = Strictness(confidence, power, comparisons)
    p, q = read_law("left", left), read_law("right", right)
    if p.shape != q.shape:
        raise InvalidParameter("left and right must be laws over the same outputs, in the same order")
    found = [*_by_ratio("left", p, q, claim, strict), *_by_ratio("right", q, p, claim, strict)]
    return min(found, key=lambda event: event.samples, default=None)


def _by_ratio(direction: str, p: Floats, q: Floats, claim: Claim, strictness: Strictness) -> list[BestEvent]:
    with np.errstate(divide="ignore", invalid="ignore"):
        order = np.argsort(-np.where(p > 0, p / q, -1.0), kind="stable")
    events = []
    for size, (here, there) in enumerate(zip(np.cumsum(p[order]), np.cumsum(q[order]), strict=True), start=1):
        rates = min(float(here), 1.0), min(float(there), 1.0)
        runs = runs_needed(claim, *rates, strictness)
        if runs is not None:
            outputs = tuple(sorted(order[:size].tolist()))
            events.append(
                BestEvent(direction, outputs, *(rates if direction == "left" else rates[::-1]), runs)
            )
    return events


# -- a finished audit: what it would have seen, and what larger ones would -----------------------------


POWER = 0.92
"""The chance of finding what is called visible, with a margin for what the choosing runs miss."""


def visible(event: EventBounds, claim: Claim, rows: int, confidence: float) -> float:
    """Return the smallest true ε that one event would have shown against the claim; infinite if none.

    Args:
        event: The event, with its counts.
        claim: The claim to refute.
        rows: Outputs of each input that the bound rests on.
        confidence: The confidence of the audit.
    """
    rate = float(event.hits[0] / event.count[0])
    if rate <= claim.delta:
        return math.inf
    strictness = Strictness(confidence, POWER, float((1 - confidence) / event.failures[0]))
    return visible_from(claim, rows, rate, strictness)


BEYOND: Final = (1.05, 1.1, 1.25, 1.5, 2.0)
"""True ε of a plan, as multiples of the claimed one."""

RAREST: Final = 1e-6
COMMONEST: Final = 0.999
"""The range of event rates for which runs can be planned."""


def outlook(claim: Claim, rate: float, confidence: float) -> list[tuple[float, int]]:
    """Return pairs of a true ε and the runs that show it by an event of this rate, if any do.

    >>> outlook(Claim(1.0), rate=0.5, confidence=0.95)[1]
    (1.1, 24364)
    """
    found = []
    for actual in (factor * claim.epsilon for factor in BEYOND):
        try:
            runs = samples_to_refute(claim, actual, min(max(rate, RAREST), COMMONEST), confidence=confidence)
        except NoisewrightError:  # too small a difference, or too rare an event
            continue
        found.append((actual, runs))
    return found
