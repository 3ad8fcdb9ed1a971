"""Budgets of a release, in nats or as the success of a membership attack, and how to convert them.

I(secret; release) ≤ β bounds *every* question about the secret. If an observer's best blind answer is right
with probability p, the release lifts that to at most the q ≥ p with

    q·ln(q/p) + (1 − q)·ln((1 − q)/(1 − p)) = β,

because the question and its answer are functions of the secret and of the release (data processing).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from scipy.special import gammaln, logsumexp

from noisewright.errors import InvalidParameter
from noisewright.guarantees import PACPrivacy
from noisewright.guarantees.base import round_up
from noisewright.parameters import Parameter, real, whole

NATS = Parameter(
    name="budget",
    meaning="mutual information in nats that the release may carry about which world was used",
    above=1e-6,
    at_most=100,
    usual=(1 / 64, 1 / 16, 1 / 4, 1),
)

LEAST_RATE = 0.501
"""The smallest rate that a simulation can tell apart from blind guessing."""

EXACT = 2000
"""Number of records up to which a tail is summed in whole numbers."""


@dataclass(frozen=True)
class MutualInformation:
    """A bound on the nats that a release carries about which world was used.

    Args:
        nats: Mutual information, above 10⁻⁶ and at most 100; from ln 2 ≈ 0.69 upwards, nothing is promised
            about one record.

    >>> MutualInformation(1 / 4)
    MutualInformation(nats=0.25)
    """

    nats: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "nats", NATS.check(self.nats))


@dataclass(frozen=True)
class MembershipSuccess:
    """A bound on how often *any* attack is right about whether one record was in the world that was used.

    The noise is calibrated against the best possible attack, simulated on the worlds.

    Args:
        rate: Largest share of right answers, from 0.501 to below 1; blind guessing has 0.5.
        confidence: Confidence of the Monte-Carlo limit on that share, for one simulation; trying several
            seeds and keeping the plan with the least noise voids it.

    >>> MembershipSuccess(0.588)
    MembershipSuccess(rate=0.588, confidence=0.999)
    """

    rate: float
    confidence: float = 0.999

    def __post_init__(self) -> None:
        for name, low in (("rate", LEAST_RATE), ("confidence", 0.5)):
            value = real(f"the {name} of a MembershipSuccess", getattr(self, name))
            if not low <= value < 1:
                raise InvalidParameter(
                    f"the {name} of a MembershipSuccess must be at least {low} and below 1, got {value:g}"
                )
            object.__setattr__(self, name, value)


Budget = MutualInformation | MembershipSuccess


def check_budget(budget: Any) -> None:
    """Reject anything that is not a budget, in particular a plain number: it could be nats or a success."""
    if not isinstance(budget, Budget):
        raise InvalidParameter(
            "must be a MutualInformation in nats, as MutualInformation(1/4), or a MembershipSuccess, "
            f"not {type(budget).__name__}",
            field="budget",
        )


def posterior_success(information: float, prior: float = 0.5) -> float:
    """Return how often an observer can be right after a release that carries ``information``; rounded up.

    Args:
        information: Nats that the release carries at most.
        prior: Probability that the best blind answer is right, above 0 and at most 1.

    >>> from noisewright.text import ceiling
    >>> [str(ceiling(100 * posterior_success(nats), 6)) for nats in (1 / 64, 1 / 32, 1 / 4)]
    ['58.8158', '62.4345', '83.7894']
    >>> posterior_success(math.log(2))
    1.0
    """
    return 1.0 if prior == 1 else PACPrivacy(information).success_upper(prior)


def information_for(success: float, prior: float = 0.5) -> float:
    """Return the most nats with which an observer is right at most ``success`` of the time; rounded down.

    Args:
        success: Probability of being right that is allowed, above ``prior`` and at most 1.
        prior: Probability that the best blind answer is right.

    >>> round(information_for(0.588158), 6)
    0.015625
    """
    success, prior = _chance("success", success), _chance("prior", prior)
    if success <= prior:
        raise InvalidParameter(
            f"must be above the prior {prior:g}: blind guessing is right that often, got {success:g}",
            field="success",
        )
    wrong = (1 - success) * (math.log1p(-success) - math.log1p(-prior)) if success < 1 else 0.0
    exact = success * (math.log(success) - math.log(prior)) + wrong
    return max(exact - 4e-15 * (1 + abs(exact)), 0.0)


def equivalent_epsilon(success: float) -> float:
    """Return the ε of pure differential privacy that allows the same success from a prior of ½; rounded up.

    Under ε-DP a record that is in or out by a fair coin is guessed right at most 1/(1 + e^(−ε)) of the time.
    The two promises are not alike: this one protects which world was used, on average over worlds.

    Args:
        success: Probability of being right about one record; at 1 the result is infinite.

    >>> round(equivalent_epsilon(0.588158), 3)
    0.356
    """
    success = _chance("success", success)  # Kairouz, Oh & Viswanath 2015; Sridhar et al. 2024, eq. 2
    if success == 1:
        return math.inf
    return max(math.log(success) - math.log1p(-success), 0.0) * (1 + 1e-14)


def generalized_prior(records: int, correct: int) -> float:
    """Return the chance that a blind guess of half the records names at least ``correct`` of the used ones.

    The world is uniform among all halves of the pool, so this is a hypergeometric tail, rounded up. In an odd
    pool, the guess and the world both count as the larger half. (With a public list of worlds, a guess can do
    better: ``Worlds.prior_upper``.)

    Args:
        records: Number of records in the pool, from 2 to a million.
        correct: Number of records named correctly, from 0 to half the records.

    >>> f"{100 * generalized_prior(100, 32):.4f} %", f"{generalized_prior(100, 35):.4g}"
    ('0.4492 %', '6.034e-05')
    """
    records = whole("records", records, 2, 1_000_000)
    half = (records + 1) // 2
    correct = whole("correct", correct, 0, half)
    # Sridhar et al. 2024, eq. 6, prints Σ C(n/2, k); overlaps of two halves are C(half, k)·C(rest, half − k)
    overlaps = range(max(correct, 2 * half - records), half + 1)
    if records > EXACT:
        return _many_records(records, half, overlaps)
    ways = sum(math.comb(half, k) * math.comb(records - half, half - k) for k in overlaps)
    return round_up(Fraction(ways, math.comb(records, half)))


def _many_records(records: int, half: int, overlaps: range) -> float:
    """Return the same tail by logarithms, which are off by less than 10⁻⁷ in a million records."""
    k = np.arange(overlaps.start, overlaps.stop)
    ways = _log_choose(half, k) + _log_choose(records - half, half - k) - _log_choose(records, half)
    return min(float(np.exp(logsumexp(ways) + 1e-6)), 1.0)


def _log_choose(total: int, chosen: Any) -> Any:
    return gammaln(total + 1) - gammaln(chosen + 1) - gammaln(total - chosen + 1)


def _chance(what: str, value: float) -> float:
    chance = real(what, value)
    if not 0 < chance <= 1:
        raise InvalidParameter(f"{what} must be a probability above 0 and at most 1, got {chance:g}")
    return chance
