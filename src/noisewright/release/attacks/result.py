"""What one attack achieved: its success over all records and about the most exposed one, and its curve."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from noisewright.domains import Floats
from noisewright.estimate import Estimate
from noisewright.release.attacks.intervals import rescaled
from noisewright.release.attacks.roc import Curve, TruePositives


@dataclass(frozen=True, eq=False)
class AttackResult:
    """How often one attack told members from others, on trials that did not choose its threshold.

    ``success`` is the mean over records, ``records`` the success about each; ``worst`` is the largest success
    about any record, with an interval that holds for all records at once; its value is that of the record at
    ``exposed``, which other trials chose. ``areas`` are the areas under each record's own curve, ``area`` is
    that under the pooled ``curve``. What concerns single records depends on the pool: keep it with the data.
    """

    name: str
    title: str
    success: Estimate
    worst: Estimate
    records: Floats
    exposed: int
    areas: Floats
    area: Estimate
    found: tuple[TruePositives, ...]
    curve: Curve
    exposed_curve: Curve

    @property
    def advantage(self) -> Estimate:
        """2·success − 1: 0 for blind guessing, 1 for certainty."""
        return rescaled(self.success, 2.0, -1.0)

    def exceeds(self, promised: float) -> bool:
        """Whether the attack was right more often than promised, beyond chance."""
        return bool(max(self.success.low, self.worst.low) > promised)

    def to_dict(self) -> dict[str, Any]:
        """The result in plain JSON values; single records are left out, for a report may travel."""
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
    """The largest of many means, from intervals that hold for all of them at once.

    The largest *value* is large by chance too; that of a record chosen beforehand (``at``) is not.

    >>> import numpy as np
    >>> each = Estimate(np.array([0.5, 0.6]), np.zeros(2), np.array([0.45, 0.5]), np.array([0.7, 0.65]))
    >>> largest(each, at=1).low, largest(each, at=1).high
    (0.5, 0.7)
    """
    low, high = float(records.low.max()), float(records.high.max())
    return Estimate(
        max(float(records.value[at]), low), float(records.stderr[at]), low, high,
        level=records.level, count=records.count, method=records.method, assumption=records.assumption,
    )  # fmt: skip
