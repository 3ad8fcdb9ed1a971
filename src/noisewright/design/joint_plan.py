"""Choosing shared coins: the share of true answers and their correlation together, or no sharing at all.

Zheng 2026, 4.3.4 fixes p = e^ε/(1 + e^ε) and ρ = 1 − 1/p. That breaks the privacy bound as soon as anyone
colludes. With a smaller p that keeps it, such a strong correlation often loses to plain randomized response.
Here every correlation is tried with the largest p that the caps allow. They are compared by the worst ratio
of the variance to that of randomized response over a range of shares.

At a share of ½ lies do not cancel, so no coins gain at the worst of *all* shares: if no share is known,
everybody answers alone. With ``most_loss`` a small loss at some shares is accepted. Then the average ratio
over all shares counts, among coins that lose no more than that at any share.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache

from noisewright.design.joint_rows import JointRow, JointTask
from noisewright.design.joint_table import WORTH, JointPlan
from noisewright.domains import Categories
from noisewright.errors import InvalidParameter
from noisewright.mechanisms.joint import Collusion, GroupLaw, JointRandomizedResponse
from noisewright.mechanisms.joint.calibration import calibrate, keeps, most_truth
from noisewright.mechanisms.joint.collusion import check_people
from noisewright.mechanisms.joint.flag_shares import NEAR, least_correlation
from noisewright.mechanisms.joint.group_law import MOST_MEMBERS
from noisewright.mechanisms.joint.variances import RatioRange, SharedNoise
from noisewright.parameters import EPSILON, real, whole
from noisewright.statistics import bisect

ALL = (0.0, 1.0)
"""All possible shares."""

GRID = 400
"""Correlations that are tried before the best is refined between its neighbours."""

MOST_LABELS = 1000
"""Most labels of a plan; with more, one would have to be very frequent for coins to gain anything."""

GOLDEN = (math.sqrt(5) - 1) / 2


def joint_plan(
    users: int,
    epsilon: float,
    colluders: int = 0,
    *,
    share: float | None = None,
    shares: tuple[float, float] | None = None,
    most_loss: float | None = None,
    cap_average: float | None = None,
    cap_colluding: float | None = None,
    group: int = 2,
    labels: int = 2,
    domain: Categories | None = None,
) -> JointPlan:
    """Plan the coins with the least error in the count of a label, or none if sharing does not help.

    If the true share is as expected, the count is never worse than that of randomized response; at another
    share it may be, and ``plan.outcome`` shows by how much. Coins that gain less than 1 % are not shared.

    Args:
        users: How many people take part; they must fill whole groups.
        epsilon: The budget of one report.
        colluders: How many of them may reveal their coins to the collector.
        share: The expected share of the label, "yes" or one of several.
        shares: A range of shares instead, over which the worst ratio to randomized response counts; all
            shares, 0 to 1, if neither is given.
        most_loss: The most variance above that of randomized response at any share between 0 and 1, as a
            fraction; no bound if not given. If it is given without a share or range, the plan minimizes the
            average ratio over all shares instead of the worst one.
        cap_average: The most that the averaged privacy number may be; ``epsilon`` if not given.
        cap_colluding: The most that the number given that the partner colludes may be; no bound if not given.
        group: How many people share coins.
        labels: How many answers there are; one of them is counted.
        domain: The answers themselves, instead of ``labels``.

    >>> plan = joint_plan(10_000, epsilon=0.01, colluders=5, share=0.0762)
    >>> f"{plan.best.variance:.3g} against {plan.plain.variance:.3g}"
    '3.55e+07 against 1e+08'
    """
    size = whole("group", group, 2, MOST_MEMBERS)
    people, bad = check_people(users, colluders, size)
    budget = EPSILON.check(epsilon)
    average = budget if cap_average is None else replace(EPSILON, name="cap_average").check(cap_average)
    colluding = None if cap_colluding is None else replace(EPSILON, name="cap_colluding").check(cap_colluding)
    many = whole("labels", labels, 2, MOST_LABELS)
    if domain is None:
        domain = Categories(("no", "yes") if many == 2 else [f"label {place + 1}" for place in range(many)])
    known = share is not None or shares is not None
    counted = _shares(share, shares)
    loss = None if most_loss is None else real("most_loss", most_loss)
    if loss is not None and loss < 0:
        raise InvalidParameter(
            f"must be a number from 0 up, got {loss:g}; 0.01 is 1 % more variance", field="most_loss"
        )
    task = JointTask(people, bad, budget, average, colluding, counted, size, len(domain), known, loss)
    return _plan(task, domain)


def examine(task: JointTask, correlation: float, name: str = "given") -> JointRow:
    """Return the numbers of one correlation, with the largest share of true answers that it allows."""
    law = calibrate(task.caps, task.exposure, task.group, real("correlation", correlation))
    return row_of(task, name, law)


def row_of(task: JointTask, name: str, law: GroupLaw) -> JointRow:
    """Return the numbers of a law: its error at the worst share or on average, and its privacy."""
    numbers = Collusion.of(law, task.exposure, task.users, task.colluders)
    truth, correlation = float(law.truth), float(law.correlation)
    variance = task.planned_variance(truth, correlation)
    return JointRow(name, law, variance, planned_ratio(task, truth, correlation), numbers)


def planned_ratio(task: JointTask, truth: float, correlation: float) -> float:
    """Return the ratio that a plan minimizes: the worst over the expected shares, or the mean over all."""
    found = ratio_range(task, truth, correlation, task.shares)
    return found.mean if task.averaged else found.most


def ratio_range(
    task: JointTask, truth: float, correlation: float, shares: tuple[float, float] = ALL
) -> RatioRange:
    """Return the variance of the count relative to randomized response under the same caps, by share."""
    return RatioRange.of(task.noise(truth, correlation), _alone(task), task.users, shares)


@lru_cache(maxsize=64)
def _alone(task: JointTask) -> SharedNoise:
    """Return the noise of randomized response."""
    return task.noise(float(calibrate(task.caps, task.exposure, task.group, 0.0).truth), 0.0)


def criterion(task: JointTask, truth: float, correlation: float) -> float:
    """Return the planned ratio, or infinity for coins that lose more than is allowed at some share."""
    most = task.most_loss
    if most is not None and ratio_range(task, truth, correlation).most > 1 + most:
        return math.inf
    return planned_ratio(task, truth, correlation)


def _plan(task: JointTask, domain: Categories) -> JointPlan:
    plain = examine(task, 0.0, "randomized response")
    best = _build_row(task, best_correlation(task))
    if criterion(task, best.truth, best.correlation) > 1 - WORTH:
        best = replace(plain, name="best")
    mechanism = JointRandomizedResponse(
        domain,
        task.cap_average,
        users=task.users,
        colluders=task.colluders,
        correlation=float(best.law.correlation) if best.law is not plain.law else 0.0,
        group=task.group,
        colluding_cap=task.cap_colluding,
    )
    found = ratio_range(task, best.truth, best.correlation)
    return JointPlan(task, plain, heuristic(task), best, mechanism, found)


def _build_row(task: JointTask, correlation: float) -> JointRow:
    """Return the row of the best correlation, or of one slightly nearer to 0 if the integers need it."""
    for retreat in (0.0, 1e-9, 1e-7, 1e-5, 1e-3):
        try:
            row = examine(task, correlation * (1 - retreat), "best")
        except InvalidParameter:
            continue
        if criterion(task, row.truth, row.correlation) < math.inf:
            return row
    return examine(task, 0.0, "best")


def heuristic(task: JointTask) -> JointRow:
    """Return the published choice p = e^ε/(k − 1 + e^ε), ρ = 1 − 1/p: as far down as the correlation goes."""
    truth = 1 / (1 + (task.labels - 1) * math.exp(-task.epsilon))
    least = least_correlation(task.group, 1 - truth)
    return row_of(task, "heuristic", GroupLaw.correlated(task.group, truth, least))


def best_correlation(task: JointTask) -> float:
    """Return the correlation with the least criterion, each with the most truth that the caps allow."""
    limits = task.caps

    def ratio(correlation: float) -> float:
        try:
            truth = float(most_truth(limits, task.exposure, task.group, correlation))
        except InvalidParameter:
            return math.inf
        if not task.exposure.least_truth < truth < 1:  # a report would say nothing
            return math.inf
        if correlation < min(0.0, least_correlation(task.group, 1 - truth) * (1 + NEAR / 2)):
            return math.inf  # flags cannot have this correlation
        # With several labels a lie can reveal more than the truth; then no smaller share of truth helps.
        least = truth * (1 - NEAR)
        if task.labels > 2 and not keeps(limits, task.exposure, task.group, correlation, least):
            return math.inf
        return criterion(task, truth, correlation)

    low = -1 / (task.group - 1)
    tried = [low + (1 - low) * step / GRID for step in range(GRID + 1)]
    best = min(range(len(tried)), key=lambda place: ratio(tried[place]))
    ends = [_edge(ratio, tried[best], tried[beside]) for beside in (max(best - 1, 0), min(best + 1, GRID))]
    return min((*ends, _least(ratio, *ends)), key=ratio)


def _edge(function: Callable[[float], float], inside: float, outside: float) -> float:
    """Return the outer place, or the last place before it where the function is finite."""
    if function(outside) < math.inf:
        return outside
    return float(bisect(lambda place: function(float(place)) < math.inf, inside, outside)[0])


def _least(function: Callable[[float], float], left: float, right: float) -> float:
    """Return where a function with one valley is least, by golden sections."""
    for _ in range(60):
        width = GOLDEN * (right - left)
        if function(right - width) <= function(left + width):
            right = left + width
        else:
            left = right - width
    return (left + right) / 2


def _shares(share: float | None, shares: tuple[float, float] | None) -> tuple[float, float]:
    """Return the range of shares that counts."""
    if share is not None and shares is not None:
        raise InvalidParameter("give either one share or a range of shares, not both")
    if share is not None:
        shares = (share, share)
    low, high = shares if shares is not None else ALL
    field = "shares" if share is None else "share"
    ends = real(field, low), real(field, high)
    if share is not None and not 0 <= ends[0] <= 1:
        raise InvalidParameter(f"must be a number between 0 and 1, got {share}", field="share")
    if not 0 <= ends[0] <= ends[1] <= 1:
        raise InvalidParameter(
            f"must lie between 0 and 1, the lower one first, got {low} and {high}", field="shares"
        )
    return ends
