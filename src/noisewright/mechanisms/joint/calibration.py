"""The largest share of true answers that keeps every cap, for given coins."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from noisewright.errors import InvalidParameter
from noisewright.mechanisms.basics.exact import exp_lower
from noisewright.mechanisms.joint.collusion import reach_upper
from noisewright.mechanisms.joint.exposure import Exposure, LabelExposure
from noisewright.mechanisms.joint.flag_shares import flag_shares
from noisewright.mechanisms.joint.group_law import WORDS, GroupLaw

STEPS = 200
"""Places at which the share of true answers is searched if there is no formula."""

NEARLY = 1e-6
"""The share of an ε that a search may leave unspent."""


@dataclass(frozen=True)
class Cap:
    """A bound on the ε of a report when colluders share the user's group with a chance ``reach``."""

    reach: Fraction
    epsilon: float

    def kept_by(self, law: GroupLaw, exposure: Exposure) -> bool:
        """Return whether the integers of a law keep the bound for certain."""
        ratio = exposure.ratio(law.shares, self.reach)
        return ratio is not None and ratio <= exp_lower(self.epsilon)

    def spent_by(self, shares: Sequence[float], exposure: Exposure) -> bool:
        """Return whether a law, in floats, comes as close to the bound as a search can."""
        ratio = exposure.ratio(shares, float(self.reach))
        return ratio is None or ratio >= math.exp(self.epsilon * (1 - NEARLY))


def caps(
    users: int, colluders: int, group: int, average: float | None, colluding: float | None
) -> tuple[Cap, ...]:
    """Return the caps that a user set, on either number or on both."""
    chosen = []
    if average is not None:
        chosen.append(Cap(reach_upper(users, colluders, group), average))
    if colluding is not None:
        chosen.append(Cap(Fraction(1), colluding))
    return tuple(chosen)


def calibrate(limits: Sequence[Cap], exposure: Exposure, group: int, correlation: float) -> GroupLaw:
    """Return the law with the most true answers that keeps all caps, checked in integers.

    >>> law = calibrate(caps(1000, 10, 2, 1.0, None), LabelExposure(2), 2, correlation=-0.3)
    >>> round(float(law.truth), 4), round(float(law.correlation), 4)
    (0.7288, -0.3)
    """
    truth = most_truth(limits, exposure, group, correlation)
    if truth <= exposure.least_truth:
        raise _too_much(correlation)
    lie = 1 - Fraction(truth)
    for bits in (0, *range(4, 44, 4)):
        # Retreat, if rounding went the wrong way, by as few of the 2⁶⁴ words as will do.
        words = int(lie * WORDS) + (1 << bits)
        law = GroupLaw.correlated(group, Fraction(WORDS - words, WORDS), correlation)
        if all(limit.kept_by(law, exposure) for limit in limits):
            return law
    raise _too_much(correlation)


def most_truth(limits: Sequence[Cap], exposure: Exposure, group: int, correlation: float) -> float | Fraction:
    """Return the largest share of true answers, before rounding to integers.

    In a pair colluders know most if the partner lied (ρ < 0: truth has probability (1 − ρ)·p) or did not
    (ρ > 0: p + ρ·q). With reach h, p·(1 − h·ρ) or 1 − q·(1 − h·ρ) may be as large as the cap allows.
    """
    if correlation == 0:
        return min(exposure.most_truth(exp_lower(limit.epsilon)) for limit in limits)
    if group > 2 or not isinstance(exposure, LabelExposure):
        return _searched(limits, exposure, group, correlation)
    bound = Fraction(1)
    for limit in limits:
        allowed = exposure.most_truth(exp_lower(limit.epsilon))
        slack = 1 - limit.reach * Fraction(correlation)
        if slack == 0:
            raise _too_much(correlation)
        bound = min(bound, allowed / slack if correlation <= 0 else 1 - (1 - allowed) / slack)
    return bound


def _searched(limits: Sequence[Cap], exposure: Exposure, group: int, correlation: float) -> float:
    """Search the largest share on a fine scale, then between two of its places.

    A share that spends no cap is the largest only because no law exists beyond it. Such a correlation is
    refused as in a pair, by asking for the law that does not exist.
    """
    top = min(float(exposure.most_truth(exp_lower(limit.epsilon))) for limit in limits)
    better = top
    for step in range(STEPS):
        truth = top + (exposure.least_truth - top) * step / STEPS
        if keeps(limits, exposure, group, correlation, truth):
            found = _between(limits, exposure, group, correlation, (truth, better))
            shares = flag_shares(group, 1 - found, correlation)
            if not any(limit.spent_by(shares, exposure) for limit in limits):
                flag_shares(group, 1 - top, correlation)
            return found
        better = truth
    flag_shares(group, 1 - top, correlation)
    raise _too_much(correlation)


def _between(
    limits: Sequence[Cap], exposure: Exposure, group: int, correlation: float, ends: tuple[float, float]
) -> float:
    """Return the largest share that keeps the caps between one that does and one that does not."""
    kept, broken = ends
    for _ in range(60):
        middle = (kept + broken) / 2
        if keeps(limits, exposure, group, correlation, middle):
            kept = middle
        else:
            broken = middle
    return kept


def keeps(limits: Sequence[Cap], exposure: Exposure, group: int, correlation: float, truth: float) -> bool:
    """Return whether a law exists and keeps all caps, in floats."""
    try:
        shares = flag_shares(group, 1 - truth, correlation)
    except InvalidParameter:
        return False
    for limit in limits:
        ratio = exposure.ratio(shares, float(limit.reach))
        if ratio is None or ratio > exp_lower(limit.epsilon):
            return False
    return True


def _too_much(correlation: float) -> InvalidParameter:
    return InvalidParameter(
        f"no share of true answers keeps the caps with a correlation of {correlation:.6g}: what colluding "
        "partners know reveals too much; choose a correlation nearer to 0, or raise the cap"
    )
