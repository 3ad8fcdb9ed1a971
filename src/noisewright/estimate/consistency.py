"""Shares between 0 and 1 that sum to 1: by a named choice, and never by clipping and rescaling.

Unbiased shares of rare labels are negative half the time. Cutting them to 0 and dividing by what is left
turns the noise of all the rare labels into shares, and takes those from the frequent ones: with 10,000
k-RR reports about 100 labels at ε = 1, a share of one half comes out as a sixth.

"norm-sub" subtracts one number from all shares and cuts at 0, with the number that leaves a sum of 1: the
nearest point of the simplex (Wang et al. 2020). "em" is the likeliest point of the simplex, where EM ends.
Both are biased near 0, as every estimate is that stays in the simplex.

**The likeliest shares.** For oracles that report labels the logarithm of the likelihood is Σ support·ln(miss
+ (hit − miss)·share). For the others the law of all counts together is out of reach; each label's count by
itself is that of a coin, and pulls its share with

    (unbiased share − share) / variance(share),

which for a coin is the slope of its log-likelihood (the whole is a composite likelihood). Either way the
slope in a share does not depend on the other shares and falls as the share grows. So at the best point of
the simplex all labels with a positive share have the same slope, which is found by halving: no step of EM
is needed, and no matrix. Tables of laws mix the labels, and EM climbs to the same point (``em.py``).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np

from noisewright.domains import Floats
from noisewright.errors import InvalidParameter
from noisewright.estimate.channel import Channel, DenseChannel, NamedLabels, finite_matrix
from noisewright.estimate.em import Evidence, settle
from noisewright.estimate.groups import Group, SupportGroup
from noisewright.estimate.shares import oracle_part
from noisewright.estimate.tally import Tally
from noisewright.mechanisms import FiniteMechanism
from noisewright.statistics.simplex import norm_sub

CHOICES: Final = ("none", "norm-sub", "em")

NORM_SUB: Final = "the unbiased shares less one number, cut at 0, so that they sum to 1 (norm-sub)"
LIKELIEST: Final = "the shares that sum to 1 under which the reports are likeliest, where EM ends"
COMPOSITE: Final = (
    "the shares that sum to 1 under which the counts of support are likeliest if each label's are taken by "
    "themselves (a composite likelihood), where EM ends"
)
"""How shares were made consistent, for people to read."""

HALVINGS = 50

Slopes = Callable[[Floats], Floats]
"""From a share for each label to the slope of the log-likelihood in it."""


def check_choice(consistency: str) -> str:
    """Return a named choice, or refuse with the list of choices."""
    if consistency not in CHOICES:
        raise InvalidParameter(
            f"must be one of {', '.join(CHOICES)}, not {consistency!r}", field="consistency"
        )
    return consistency


def make_consistent(raw: Floats, tally: Tally, consistency: str) -> tuple[Floats, str]:
    """Return the shares by one of the named choices, and a sentence on how they were made."""
    match check_choice(consistency):
        case "norm-sub":
            return norm_sub(raw), NORM_SUB
        case "em":
            return likeliest(tally)
    return raw, ""


def likeliest(tally: Tally) -> tuple[Floats, str]:
    """Return the shares under which the reports are likeliest, and a sentence on how they were found."""
    oracles, labels = tally.of_kind(SupportGroup), len(tally.domain)
    named = all(isinstance(group.mechanism, FiniteMechanism) for group in tally.groups)
    if len(oracles) == len(tally.groups):
        shares = _of_equal_slope([_slopes(group) for group in oracles], labels)
        return shares, LIKELIEST if named else COMPOSITE
    if not named:
        raise InvalidParameter(
            'consistency "em" cannot join reports of a table with reports that are codes; take "norm-sub"'
        )
    counts = [group.counts.astype(np.float64) for group in tally.groups]
    evidence = Evidence([_channel(group) for group in tally.groups], counts)
    return settle(evidence.step, np.full(labels, 1 / labels))[0], LIKELIEST


def _slopes(group: SupportGroup) -> Slopes:
    oracle, part = group.mechanism, oracle_part(group)
    miss, gain = oracle.miss, oracle.hit - oracle.miss
    if isinstance(oracle, FiniteMechanism):
        return lambda shares: np.asarray(gain * group.counts / (miss + gain * shares))
    return lambda shares: np.asarray((part.value - shares) / part.variance(shares))


def _of_equal_slope(oracles: list[Slopes], labels: int) -> Floats:
    """Shares of equal slope that sum to one; labels whose slope is less even at 0 have none."""

    def slopes(shares: Floats) -> Floats:
        return np.asarray(sum(oracle(shares) for oracle in oracles))

    def shares_of(slope: float) -> Floats:
        low, high = np.zeros(labels), np.ones(labels)
        for _ in range(HALVINGS):
            middle = (low + high) / 2
            steeper = slopes(middle) > slope
            low, high = np.where(steeper, middle, low), np.where(steeper, high, middle)
        return low

    gentle, steep = float(slopes(np.ones(labels)).min()), float(slopes(np.zeros(labels)).max())
    for _ in range(HALVINGS):
        middle = (gentle + steep) / 2
        gentle, steep = (middle, steep) if shares_of(middle).sum() > 1 else (gentle, middle)
    found = shares_of(gentle)
    return np.asarray(found / found.sum())  # more than one by no more than the last halving


def _channel(group: Group) -> Channel:
    mechanism = group.mechanism
    if isinstance(group, SupportGroup):
        return NamedLabels(group.counts.size, group.mechanism.hit, group.mechanism.miss)
    return DenseChannel(finite_matrix(mechanism))
