"""Fairness of a prediction: which group keeps the most utility, which the least, and how sure that is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from noisewright.utility.prediction import Prediction


@dataclass(frozen=True)
class Gap:
    """The groups with the least and the most utility at one mechanism and ε, by their estimates.

    How far the best and the worst served group lie apart is between ``low`` and ``high``.
    """

    least: str
    most: str
    low: float
    high: float

    def to_dict(self) -> dict[str, Any]:
        """The groups and their difference, for JSON."""
        return {"least": self.least, "most": self.most, "low": self.low, "high": self.high}


def ranked_groups(prediction: Prediction, row: int, column: int) -> list[str]:
    """The groups by their estimates, the lowest first."""
    bands = prediction.groups
    return sorted(bands, key=lambda name: (float(bands[name].estimate[row, column]), name))


def widest_gap(prediction: Prediction, row: int, column: int) -> Gap | None:
    """The gap between the groups at one mechanism and ε; nothing where there are fewer than two."""
    if (band := prediction.group_gap()) is None:
        return None
    order = ranked_groups(prediction, row, column)
    return Gap(order[0], order[-1], float(band.low[row, column]), float(band.high[row, column]))
