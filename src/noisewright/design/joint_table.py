"""A plan for shared coins in words: which choice to take and why, and what each costs."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from noisewright.design.joint_rows import JointRow, JointTask, finite
from noisewright.mechanisms.joint import JointRandomizedResponse
from noisewright.mechanisms.joint.collector import collector_epsilon, is_worked_out, pair_epsilon
from noisewright.mechanisms.joint.variances import RatioRange
from noisewright.mechanisms.joint.words import sentences, shown
from noisewright.report import Report, Reportable
from noisewright.report.plots import new_axes
from noisewright.text import ceiling, factor

if TYPE_CHECKING:
    from matplotlib.axes import Axes

WORTH = 0.01
"""A smaller gain in variance is not worth the privacy that shared coins cost: everybody answers alone."""

POINTS = 201
"""Shares at which a plot shows the standard error."""


@dataclass(frozen=True)
class JointPlan(Reportable):
    """The best coins for a task, beside randomized response and the published heuristic.

    Attributes:
        task: What the coins are planned for.
        plain: Randomized response without shared coins.
        heuristic: The published parameter search.
        best: The choice to take.
        mechanism: The mechanism with the best coins.
        outcome: What they gain and lose over all shares from 0 to 1, expected or not.
        given: A row for a correlation that the user asked about, if any.
    """

    task: JointTask
    plain: JointRow
    heuristic: JointRow
    best: JointRow
    mechanism: JointRandomizedResponse
    outcome: RatioRange
    given: JointRow | None = None

    @property
    def rows(self) -> list[JointRow]:
        """Every choice, the best last."""
        given = [] if self.given is None else [self.given]
        return [self.plain, self.heuristic, *given, self.best]

    @property
    def variance(self) -> float:
        """The variance of the count with the best coins (``JointRow.variance``)."""
        return self.best.variance

    @property
    def ratio(self) -> float:
        """The variance with the best coins as a share of that of randomized response (``JointRow.ratio``)."""
        return self.best.ratio

    @property
    def shares_coins(self) -> bool:
        """Whether sharing coins helps at all."""
        return self.best.law != self.plain.law

    @property
    def reason(self) -> str:
        """Why these coins, in a sentence."""
        if self.task.averaged:
            return self._on_average()
        if not (self.task.known or self.shares_coins):
            return (
                "Do not share coins: no share is known, and at the worst of all shares, 0 to 1, no "
                f"correlation beats randomized response by {100 * WORTH:g} % or more, so everybody answers "
                "alone (correlation 0). Coins may gain for the share that you expect (--expected-share), for "
                "a range of shares (--share-range), or on average over all shares if a small loss at some is "
                "accepted (--most-loss 0.01); a colluding partner then learns more."
            )
        where = f"for a share of {self.task.share_words}"
        if not self.shares_coins:
            bound = "" if self.task.most_loss is None else f" that costs {self._limit}"
            return (
                f"Do not share coins: {where} no correlation{bound} beats randomized response under these "
                f"caps by {100 * WORTH:g} % or more, so everybody answers alone (correlation 0)."
            )
        size = f"{100 * (1 - self.ratio):.0f} % less"
        way = "cancel" if self.best.correlation < 0 else "come together"
        return (
            f"Share coins with correlation {self.best.correlation:.4g}: {where} the lies of a group {way}, "
            f"and the count has {size} variance than randomized response under the same caps."
        )

    @property
    def _limit(self) -> str:
        """The bound on the loss, in words."""
        loss = self.task.most_loss or 0.0
        return f"at most {100 * loss:g} % more variance at any share"

    def _on_average(self) -> str:
        """Return the reason where no share was named and a loss is accepted."""
        if not self.shares_coins:
            return (
                "Do not share coins: no share is known, and no correlation that costs "
                f"{self._limit} beats randomized response by {100 * WORTH:g} % or more on average over all "
                "shares. Name the share that you expect (--expected-share) or a range of shares "
                "(--share-range) to plan for it."
            )
        return (
            f"Share coins with correlation {self.best.correlation:.4g}: no share is known, and of all coins "
            f"that cost {self._limit} these have the least variance on average over all shares, "
            f"{100 * (1 - self.ratio):.0f} % less than randomized response under the same caps."
        )

    @property
    def losing_shares(self) -> tuple[float, float] | None:
        """True shares between which the best coins would have more error than randomized response."""
        row, users = self.best, self.task.users
        pull = (self.task.group - 1) * row.correlation / (users - 1)
        if not self.shares_coins or pull > 0:
            return None
        if self.task.labels > 2:
            return self._losing_on_a_scale()
        alone = row.truth * (1 - row.truth) / (2 * row.truth - 1) ** 2
        # (2·holders − users)² at equal variance
        squared = users + (self.plain.variance / alone - users) / pull
        half = math.sqrt(max(squared, 0.0)) / users / 2
        return 0.5 - half, 0.5 + half

    def _losing_on_a_scale(self) -> tuple[float, float] | None:
        """Return the same for several labels, to three digits."""
        shares, users = np.linspace(0.0, 1.0, 1001), self.task.users
        best, alone = (self.task.noise(row.truth, row.correlation) for row in (self.best, self.plain))
        more = best.count_variance(shares * users, users) > alone.count_variance(shares * users, users)
        losing = shares[more]
        return (float(losing[0]), float(losing[-1])) if losing.size else None

    @property
    def caution(self) -> list[str]:
        """What the coins cost at unexpected shares: the range of such shares, and the worst cost."""
        found, where = self.outcome, ""
        if not self.shares_coins:
            return []
        if self.losing_shares is not None:
            low, high = (f"{share:.2f}" for share in self.losing_shares)
            if low != high:
                where = f"If the true share lies between {low} and {high}, answering alone has less error. "
        loss = ceiling(100 * max(found.most - 1, 1e-6)).normalize()
        return [
            f"{where}Over all shares, these coins have from {100 * (1 - found.least):.0f} % less variance "
            f"than randomized response (a share of {found.least_at:.2g}) to {loss:f} % more (a share of "
            f"{found.most_at:.2g})."
        ]

    def collector(self, row: JointRow) -> float | None:
        """Return the ε against an observer of all reports who knows the share; None if not computed."""
        if not is_worked_out(self.task.users, self.task.labels, self.task.group):
            return None
        if row.law == self.plain.law:
            return row.numbers.epsilon_average  # reports that share no coins say nothing about each other
        return max(collector_epsilon(row.law, self.task.users, share) for share in self.task.turning_shares)

    def privacy(self, row: JointRow) -> list[str]:
        """Return both privacy numbers of a row in words, and what a collector learns from all reports."""
        seen, found = self.collector(row), sentences(row.numbers)
        who = "A collector who sees all reports and knows the share in the population learns"
        if row.law == self.plain.law:
            more = [] if seen is None else [f"{who} no more than from one: nobody shares coins."]
        elif seen is None:
            more = [
                "A collector who sees all reports learns more than from one. How much is not computed here, "
                "so the number given that the partner colludes is the one that counts."
            ]
        else:
            known = max(pair_epsilon(row.law, share) for share in self.task.turning_shares)
            more = [
                f"{who} more, although nobody colludes: in 95 % of rounds, {_most(seen)}.",
                f"If it knows who was paired with whom, too, {_most(known)}.",
            ]
        return [*found, *more]

    @property
    def heuristic_warnings(self) -> list[str]:
        """The caps that the published choice breaks, always with what a colluding partner learns."""
        lost = []
        if self.heuristic.ratio > 1 + 1e-9:
            more = ceiling(100 * max(self.heuristic.ratio - 1, 1e-6)).normalize()
            lost = [f"It has {more:f} % more variance than randomized response {self.task.statistic}."]
        return [*self.heuristic.warnings(self.task), *lost, sentences(self.heuristic.numbers)[1]]

    def to_dict(self) -> dict[str, Any]:
        """Return the plan in strict JSON values."""
        return {
            "users": self.task.users,
            "colluders": self.task.colluders,
            "group": self.task.group,
            "labels": self.task.labels,
            "epsilon": self.task.epsilon,
            "cap_average": self.task.cap_average,
            "cap_colluding": self.task.cap_colluding,
            "shares": list(self.task.shares),
            "share_known": self.task.known,
            "most_loss": self.task.most_loss,
            "statistic": self.task.statistic,
            "rows": [self._row(row) for row in self.rows],
            "shares_coins": self.shares_coins,
            "variance_ratio": {"planned": self.ratio, **asdict(self.outcome)},
            "losing_shares": self.losing_shares and list(self.losing_shares),
            "reason": self.reason,
            "mechanism": self.mechanism.to_dict(),
            "guarantee": self.mechanism.guarantee.to_dict(),
        }

    def _row(self, row: JointRow) -> dict[str, Any]:
        warnings = self.heuristic_warnings if row is self.heuristic else row.warnings(self.task)
        seen = self.collector(row)
        return {
            **row.to_dict(),
            "epsilon_collector": None if seen is None else finite(seen),
            "privacy": self.privacy(row),
            "warnings": warnings,
        }

    def plot(self, axes: Axes | None = None) -> Axes:
        """Draw the standard error of the count against the true share, one line a choice.

        Args:
            axes: Matplotlib axes to draw on; by default, new ones. The expected range of shares is shaded.
        """
        axes = axes if axes is not None else new_axes()
        shares, users = np.linspace(0.0, 1.0, POINTS), self.task.users
        for row in self.rows:
            variance = self.task.noise(row.truth, row.correlation).count_variance(shares * users, users)
            axes.plot(shares, np.sqrt(np.maximum(variance, 0.0)), label=row.name)
        if self.task.known:
            low, high = self.task.shares
            axes.axvspan(low - 0.002, high + 0.002, alpha=0.15, label="expected share")
        what = '"yes"' if self.task.labels == 2 else "the label"
        axes.set(xlabel=f"true share of {what}", ylabel="standard error of the count", xlim=(0, 1))
        axes.set_ylim(0, None)
        axes.legend()
        return axes

    def report(self) -> Report:
        """Describe the plan as a document."""
        from noisewright.design.joint_report import joint_report  # noqa: PLC0415  (it needs this module)

        return joint_report(self)


def _most(epsilon: float) -> str:
    """Return the largest factor by which odds can move, in words."""
    most = "there is no bound" if epsilon == math.inf else f"at most a factor of {factor(epsilon)}"
    return f"{most} (ε = {shown(epsilon)})"
