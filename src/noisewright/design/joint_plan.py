"""Choosing shared coins: the share of true answers and their correlation together, or no sharing at all.

Zheng 2026, 4.3.4 fixes p = e^ε/(1 + e^ε) and ρ = 1 − 1/p. That breaks the privacy bound as soon as anyone
colludes; with a smaller p that keeps it, so strong a correlation often loses to plain randomized response.
Here every correlation is tried with the largest p that it leaves under the caps, by its worst variance over a
range of shares. The variance (Zheng 2026, thm 4) is a monotone function of |2·share − 1|, so the worst share
of a range is one of its ends or ½.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from noisewright.design.joint_rows import JointRow, JointTask
from noisewright.design.joint_table import WORTH, JointPlan
from noisewright.domains import Categories
from noisewright.errors import InvalidParameter
from noisewright.mechanisms.joint import Collusion, GroupLaw, JointRandomizedResponse
from noisewright.mechanisms.joint.calibration import calibrate, caps, most_truth
from noisewright.mechanisms.joint.collusion import check_people
from noisewright.mechanisms.joint.exposure import LabelExposure
from noisewright.mechanisms.joint.flag_shares import NEAR, least_correlation
from noisewright.mechanisms.joint.group_law import group_size
from noisewright.mechanisms.joint.variances import SharedNoise
from noisewright.parameters import EPSILON, real

GRID = 400
"""Correlations that are tried before the best is refined between its neighbours."""

BINARY = LabelExposure(2)
GOLDEN = (math.sqrt(5) - 1) / 2


def joint_plan(
    users: int,
    epsilon: float,
    colluders: int = 0,
    *,
    share: float | None = None,
    shares: tuple[float, float] | None = None,
    cap_average: float | None = None,
    cap_colluding: float | None = None,
    group: int = 2,
    domain: Categories | None = None,
) -> JointPlan:
    """The coins with the least error in a count of "yes", never worse than randomized response.

    ``share`` is the expected share of "yes"; ``shares`` a range of shares, over which the worst counts; all
    shares if neither is given. The averaged privacy number is kept below ``cap_average`` (``epsilon`` if not
    given), the number given that the partner colludes below ``cap_colluding``, if given. Coins that gain less
    than 1 % of the variance are not shared.

    >>> plan = joint_plan(10_000, epsilon=0.01, colluders=5, share=0.0762)
    >>> f"{plan.best.variance:.3g} against {plan.plain.variance:.3g}"
    '3.55e+07 against 1e+08'
    """
    size = group_size(group)
    people, bad = check_people(users, colluders, size)
    budget = EPSILON.check(epsilon)
    average = budget if cap_average is None else EPSILON.check(cap_average)
    colluding = None if cap_colluding is None else EPSILON.check(cap_colluding)
    task = JointTask(people, bad, budget, average, colluding, _shares(share, shares), size)
    asked = Categories(("no", "yes")) if domain is None else domain
    if len(asked) != 2:
        raise InvalidParameter(f"a plan is for two labels, got {len(asked)}; plan for each label by itself")
    return _plan(task, asked)


def examine(task: JointTask, correlation: float, name: str = "given") -> JointRow:
    """The numbers of one correlation, with the largest share of true answers that it leaves."""
    limits = caps(task.users, task.colluders, task.group, task.cap_average, task.cap_colluding)
    return row_of(task, name, calibrate(limits, BINARY, task.group, real("correlation", correlation)))


def row_of(task: JointTask, name: str, law: GroupLaw) -> JointRow:
    """The numbers of a law: its worst error over the shares, and what it costs."""
    numbers = Collusion.of(law, BINARY, task.users, task.colluders)
    return JointRow(name, law, worst_variance(task, float(law.truth), float(law.correlation)), numbers)


def worst_variance(task: JointTask, truth: float, correlation: float) -> float:
    """The largest variance of the count over the shares."""
    holders = [share * task.users for share in task.turning_shares]
    noise = SharedNoise.of_response(truth, correlation, group=task.group)
    return float(noise.count_variance(holders, task.users).max())


def _plan(task: JointTask, domain: Categories) -> JointPlan:
    plain = examine(task, 0.0, "randomized response")
    best = examine(task, best_correlation(task), "best")
    if best.variance > (1 - WORTH) * plain.variance:
        best = JointRow("best", plain.law, plain.variance, plain.numbers)
    mechanism = JointRandomizedResponse(
        domain,
        task.cap_average,
        users=task.users,
        colluders=task.colluders,
        correlation=float(best.law.correlation) if best.law is not plain.law else 0.0,
        group=task.group,
        colluding_cap=task.cap_colluding,
    )
    return JointPlan(task, plain, heuristic(task), best, mechanism)


def heuristic(task: JointTask) -> JointRow:
    """The published choice p = e^ε/(1 + e^ε), ρ = 1 − 1/p: as far down as the correlation goes."""
    truth = 1 / (1 + math.exp(-task.epsilon))
    least = least_correlation(task.group, 1 - truth)
    return row_of(task, "heuristic", GroupLaw.correlated(task.group, truth, least))


def best_correlation(task: JointTask) -> float:
    """The correlation with the least worst variance, each with the most truth that the caps leave it."""
    limits = caps(task.users, task.colluders, task.group, task.cap_average, task.cap_colluding)

    def variance(correlation: float) -> float:
        try:
            truth = float(most_truth(limits, BINARY, task.group, correlation))
        except InvalidParameter:
            return math.inf
        if not _exists(task.group, truth, correlation):
            return math.inf
        return worst_variance(task, truth, correlation)

    low = -1 / (task.group - 1)
    tried = [low + (1 - low) * step / GRID for step in range(GRID + 1)]
    best = min(range(len(tried)), key=lambda place: variance(tried[place]))
    ends = [_edge(variance, tried[best], tried[beside]) for beside in (max(best - 1, 0), min(best + 1, GRID))]
    return min((*ends, _least(variance, *ends)), key=variance)


def _exists(group: int, truth: float, correlation: float) -> bool:
    """Whether flags can be so correlated, and a report still says something."""
    if not 0.5 < truth < 1:
        return False
    return correlation >= 0 or correlation >= least_correlation(group, 1 - truth) * (1 + NEAR / 2)


def _edge(function: Callable[[float], float], inside: float, outside: float) -> float:
    """The outer place, or the last one on the way to it where the function is finite."""
    if function(outside) < math.inf:
        return outside
    for _ in range(60):
        middle = (inside + outside) / 2
        inside, outside = (middle, outside) if function(middle) < math.inf else (inside, middle)
    return inside


def _least(function: Callable[[float], float], left: float, right: float) -> float:
    """Where a function with one valley is least, by golden sections."""
    for _ in range(60):
        width = GOLDEN * (right - left)
        if function(right - width) <= function(left + width):
            right = left + width
        else:
            left = right - width
    return (left + right) / 2


def _shares(share: float | None, shares: tuple[float, float] | None) -> tuple[float, float]:
    """The range of shares that counts."""
    if share is not None and shares is not None:
        raise InvalidParameter("give either one share or a range of shares, not both")
    if share is not None:
        shares = (share, share)
    low, high = shares if shares is not None else (0.0, 1.0)
    ends = real("a share", low), real("a share", high)
    if share is not None and not 0 <= ends[0] <= 1:
        raise InvalidParameter(f"share must be a number between 0 and 1, got {share}")
    if not 0 <= ends[0] <= ends[1] <= 1:
        raise InvalidParameter(f"shares must lie between 0 and 1, the lower one first, got {low} and {high}")
    return ends
