"""Receiver operating characteristics: how many members are found at each rate of false alarms.

A curve is pooled over all trials and records. Records of one trial share a world and its noise, so only whole
trials are independent: the rate of true positives has a betting interval over trials, the area under the
curve a percentile interval of the cluster bootstrap, which draws whole trials again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from noisewright.domains import Floats
from noisewright.estimate import Estimate
from noisewright.release.attacks.base import Scores
from noisewright.release.attacks.counting import Counts, Members
from noisewright.release.attacks.intervals import INDEPENDENT, bounded_mean

RATES = (0.01, 0.001)
"""False-positive rates at which the true positives are told."""

RESAMPLES = 1000
BOOTSTRAP = "area under the pooled curve, with a percentile interval of the cluster bootstrap over trials"


@dataclass(frozen=True, eq=False)
class Curve:
    """False- and true-positive rates from (0, 0) to (1, 1).

    >>> round(Curve.of(np.array([0.0, 0.5]), np.array([0.5, 1.0])).area, 3)
    0.875
    """

    false_positives: Floats
    true_positives: Floats

    @classmethod
    def of(cls, false_positives: Floats, true_positives: Floats) -> Curve:
        """From the rates at some thresholds; both rise together."""
        return cls(_to_the_ends(false_positives), _to_the_ends(true_positives))

    @classmethod
    def pooled(cls, counts: Counts) -> Curve:
        """From all trials."""
        return cls.of(counts.false_positives, counts.members.sum(axis=0) / counts.all_members.sum())

    @classmethod
    def exact(cls, scores: Scores, member: Members) -> Curve:
        """From all thresholds there are, for the scores of one record over trials."""
        cuts = np.unique(scores)
        flagged = [np.sort(scores[part]).searchsorted(cuts, "right") for part in (~member, member)]
        others, members = (1 - below / max(below[-1], 1) for below in flagged)
        return cls.of(others, members)

    @property
    def area(self) -> float:
        """The chance that a random member scores above a random other; ½ for a useless attack."""
        return float(np.trapezoid(self.true_positives, self.false_positives))

    def to_dict(self) -> dict[str, Any]:
        """The curve in plain JSON values."""
        points = {"false_positives": self.false_positives, "true_positives": self.true_positives}
        return {name: rates.round(6).tolist() for name, rates in points.items()}


@dataclass(frozen=True, eq=False)
class TruePositives:
    """The members found when a threshold lets about ``rate`` of the others through.

    The threshold was chosen on other trials, so ``false_positives`` need not be exactly ``rate``.
    """

    rate: float
    false_positives: float
    found: Estimate

    def to_dict(self) -> dict[str, Any]:
        """The rates in plain JSON values."""
        return {
            "rate": self.rate,
            "false_positives": self.false_positives,
            "true_positives": self.found.to_dict(),
        }


def true_positives(chosen: Counts, judged: Counts, rate: float, failure: float) -> TruePositives:
    """Choose the threshold for a false-positive rate on some trials, and count on others."""
    cut = chosen.at_most(rate)
    shares = judged.members[:, cut] / judged.all_members
    return TruePositives(rate, float(judged.false_positives[cut]), bounded_mean(shares, failure))


def area_estimate(counts: Counts, failure: float) -> Estimate:
    """The area under the pooled curve, with an interval over whole trials."""
    generator = np.random.default_rng(0)  # public and fixed: a report must not change when read again
    trials = len(counts.all_members)
    again = generator.multinomial(trials, np.full(trials, 1 / trials), size=RESAMPLES).astype(np.float64)
    false = again @ counts.others / (again @ counts.all_others)[:, None]
    true = again @ counts.members / (again @ counts.all_members)[:, None]
    areas = np.trapezoid(_to_the_ends(true), _to_the_ends(false), axis=1)
    low, high = np.quantile(areas, [failure / 2, 1 - failure / 2])
    return Estimate(
        Curve.pooled(counts).area, float(np.std(areas)), float(low), float(high),
        level=1 - failure, count=trials, method=BOOTSTRAP, assumption=f"{INDEPENDENT}, and many",
    )  # fmt: skip


def _to_the_ends(rates: Floats) -> Floats:
    """Rates in ascending order from 0 to 1, along the last axis."""
    ends = [(0, 0)] * (rates.ndim - 1) + [(1, 1)]
    return np.pad(np.sort(rates, axis=-1), ends, constant_values=(0.0, 1.0))


def record_areas(scores: Scores, member: Members) -> Floats:
    """The area under each record's own curve, over trials; ½ where a record was always in or always out.

    >>> record_areas(np.float32([[1, 0], [2, 5]]), np.array([[False, True], [True, True]])).tolist()
    [1.0, 0.5]
    """
    return np.array(
        [_area(column[held], column[~held]) for column, held in zip(scores.T, member.T, strict=True)]
    )


def _area(members: Scores, others: Scores) -> float:
    """The share of pairs in which the member scores higher; ties count half."""
    if not members.size or not others.size:
        return 0.5
    ordered = np.sort(others)
    below, reached = (np.searchsorted(ordered, members, side) for side in ("left", "right"))
    return float((below + reached).mean() / (2 * others.size))
