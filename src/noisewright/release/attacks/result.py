"""Results of attacks on a release: each attack, and a report with a verdict on the promise."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, Final, Literal

import numpy as np

from noisewright.domains import Floats
from noisewright.errors import InvalidParameter
from noisewright.estimate import Estimate
from noisewright.release.attacks.intervals import rescale
from noisewright.release.attacks.report import ABOUT, attack_report
from noisewright.release.attacks.roc import Curve, TruePositives, most_true_positives
from noisewright.report import Report, Reportable
from noisewright.report.plots import new_figure
from noisewright.report.terminal import render_text

Verdict = Literal["pass", "fail"]

LEAST_RATE: Final = 1e-4
"""Where the logarithmic axes begin."""


@dataclass(frozen=True, eq=False)
class AttackResult:
    """How often one attack is right about members, on trials that did not choose its threshold.

    Numbers about single records depend on the pool: keep them with the data.

    Attributes:
        name: Short name of the attack.
        title: Its name for readers.
        success: Share of records guessed right, over all records.
        worst: Largest success about any record, with an interval that holds for all records at once.
        records: Success about each record.
        exposed: Index of the most exposed record, chosen by other trials; ``worst`` holds its value.
        area: Area under the pooled curve.
        found: Shares of members that are found at small rates of false alarms.
        curve: Curve pooled over all records.
        exposed_curve: Curve of the most exposed record.
    """

    name: str
    title: str
    success: Estimate
    worst: Estimate
    records: Floats
    exposed: int
    area: Estimate
    found: tuple[TruePositives, ...]
    curve: Curve
    exposed_curve: Curve

    @property
    def advantage(self) -> Estimate:
        """2·success − 1: 0 for blind guessing, 1 for certainty."""
        return rescale(self.success, 2.0, -1.0)

    def exceeds(self, promised: float) -> bool:
        """Return whether the attack was right more often than promised, beyond chance.

        Args:
            promised: Largest success about any record that the release allows.
        """
        return bool(max(self.success.low, self.worst.low) > promised)

    def to_dict(self) -> dict[str, Any]:
        """Return the result in plain JSON values, without single records: a report may be passed on."""
        return {
            "name": self.name,
            "title": self.title,
            "success": self.success.to_dict(),
            "advantage": self.advantage.to_dict(),
            "worst_record_success": self.worst.to_dict(),
            "auc": self.area.to_dict(),
            "true_positives": [point.to_dict() for point in self.found],
            "curve": self.curve.to_dict(),
        }


def largest(records: Estimate, at: int) -> Estimate:
    """Estimate the largest of many means, from intervals that hold for all of them at once.

    The largest *value* is biased upwards by selection; that of a record chosen beforehand (``at``) is not.

    >>> import numpy as np
    >>> each = Estimate(np.array([0.5, 0.6]), np.zeros(2), np.array([0.45, 0.5]), np.array([0.7, 0.65]))
    >>> largest(each, at=1).low, largest(each, at=1).high
    (0.5, 0.7)
    """
    low, high = float(records.low.max()), float(records.high.max())
    value, stderr = max(float(records.value[at]), low), float(records.stderr[at])
    return replace(records, value=value, stderr=stderr, low=low, high=high)


@dataclass(frozen=True, eq=False)
class AttackReport(Reportable):
    """The results of attacks on a release, compared with its promise.

    Attributes:
        attacks: What each attack achieved, the Bayes-optimal one first.
        promised: Largest success that any attack may have about any record.
        information: Nats about the world that were measured.
        information_upper: Nats that the release may carry at most.
        trials: Number of simulated releases.
        confidence: Probability with which all low ends of successes and of the information hold together,
            however many records and attacks there are: a release that keeps its promise fails with at most
            the rest.
    """

    attacks: tuple[AttackResult, ...]
    promised: float
    information: Estimate
    information_upper: float
    trials: int
    confidence: float

    @property
    def verdict(self) -> Verdict:
        """Fail if an attack, or the measured information, exceeds the promise beyond chance; else pass."""
        broken = any(result.exceeds(self.promised) for result in self.attacks)
        return "fail" if broken or self.information.low > self.information_upper else "pass"

    @property
    def passed(self) -> bool:
        """Whether the verdict is "pass"."""
        return self.verdict == "pass"

    @property
    def sentence(self) -> str:
        """The verdict in words: what was exceeded, or that nothing was."""
        promise = f"the promised {_percent(self.promised)}"
        broken = [result for result in self.attacks if result.exceeds(self.promised)]
        if broken:
            lowest = max(max(result.success.low, result.worst.low) for result in broken)
            names = ", ".join(result.title for result in broken)
            least = f"{math.floor(1e4 * lowest) / 100:g} %"
            return f"fail: right at least {least} of the time, above {promise} ({names})"
        if self.information.low > self.information_upper:
            return (
                f"fail: a release reveals at least {self.information.low:.4g} nats, above the "
                f"{self.information_upper:.4g} of its proof"
            )
        return f"pass: no attack exceeded {promise} success about any record"

    @property
    def strongest(self) -> AttackResult:
        """The attack with the largest mean success."""
        return max(self.attacks, key=lambda result: float(result.success.value))

    def __getitem__(self, name: str) -> AttackResult:
        """Return the result of an attack by its name."""
        for result in self.attacks:
            if result.name == name:
                return result
        names = ", ".join(result.name for result in self.attacks)
        raise InvalidParameter(f"there is no attack {name!r} in this report; there are {names}")

    def report(self) -> Report:
        """Describe what attacks achieved as a document."""
        return attack_report(self)

    def __str__(self) -> str:
        return render_text(self.report())

    def to_dict(self) -> dict[str, Any]:
        """Return the report in plain JSON values, without the numbers of single records."""
        return {
            "verdict": self.verdict,
            "sentence": self.sentence,
            "promised_success": self.promised,
            "information": self.information.to_dict(),
            "information_upper": self.information_upper,
            "trials": self.trials,
            "confidence": self.confidence,
            "attacks": [result.to_dict() for result in self.attacks],
            "about": ABOUT,
        }

    def plot(self, axes: Any = None) -> Any:
        """Draw all curves on logarithmic axes under the curve that the promise allows; returns the axes.

        Args:
            axes: Matplotlib axes to draw on; None makes new ones.
        """
        axes = axes if axes is not None else new_figure(5.6, 5.2).add_subplot()
        rates = np.geomspace(LEAST_RATE, 1, 200)
        allowed = most_true_positives(rates, self.promised, self.information_upper)
        axes.fill_between(
            rates, allowed, 1.0, color="tab:red", alpha=0.12, linewidth=0, label="never, as promised"
        )
        for result in self.attacks:
            axes.plot(
                *_within_axes(result.curve),
                linewidth=1.8,
                label=f"{result.title} (AUC {result.area.value:.3f})",
            )
        best = self.attacks[0]
        name = f"{best.title}, most exposed record"
        axes.plot(*_within_axes(best.exposed_curve), color="tab:blue", linestyle=":", label=name)
        axes.plot(rates, rates, color="gray", linestyle="--", linewidth=1, label="blind guessing")
        axes.set(xscale="log", yscale="log", xlim=(LEAST_RATE, 1), ylim=(LEAST_RATE, 1.05))
        axes.set(xlabel="others taken for members", ylabel="members found")
        axes.set_title(self.sentence, fontsize=9, wrap=True)
        axes.legend(loc="lower right", fontsize=8)
        return axes


def _percent(share: float) -> str:
    return f"{round(100 * share, 2):g} %"


def _within_axes(curve: Curve) -> tuple[Floats, Floats]:
    """Return the rates of a curve, moved to where the axes begin."""
    return np.maximum(curve.false_positives, LEAST_RATE), np.maximum(curve.true_positives, LEAST_RATE)
