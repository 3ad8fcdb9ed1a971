"""Receiver operating characteristics: how many members are found at each rate of false alarms.

A curve is pooled over all trials and records. Records of one trial share a world and its noise, so only whole
trials are independent: the rate of true positives has a betting interval over trials, the area under the
curve a percentile interval of the cluster bootstrap, which resamples whole trials.

**What a promise allows** at each false-positive rate is a curve that no attack's curve may cross. A record is
in or out by a fair coin, so an attack with rates f and t is right ½(t + 1 − f) of the time: a promised
success s allows t ≤ f + 2s − 1. A release of β nats carries at most β about the record, and so does the
attack's answer: h((t + f)/2) − ½h(t) − ½h(f) ≤ β with h the entropy of a coin, which is far stricter at small
f. Both hold for each record, and for the mean of all (the second because mutual information is convex in the
channel).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import entr

from noisewright.domains import Floats
from noisewright.estimate import Estimate
from noisewright.release.attacks.intervals import INDEPENDENT, bounded_mean
from noisewright.release.attacks.trials import Scores, blocks
from noisewright.statistics.roots import bisect

RATES = (0.01, 0.001)
"""False-positive rates at which the share of true positives is reported."""

RESAMPLES = 1000
BOOTSTRAP = "area under the pooled curve, with a percentile interval of the cluster bootstrap over trials"

Members = NDArray[np.bool_]

_LOW = np.geomspace(1e-4, 0.1, 61)  # holds 0.001 and 0.01
LEVELS: Floats = np.unique(np.concatenate([_LOW, np.linspace(0.0, 1.0, 101), 1 - _LOW]))
"""False-positive rates of the thresholds: an even grid joined with a logarithmic one."""

MOST_SCORES = 1 << 20
"""Largest number of scores from which thresholds are computed."""


def thresholds(scores: Scores, member: Members) -> Scores:
    """Return ascending thresholds that others pass with the rates of ``LEVELS``, from the choosing trials."""
    others = scores[~member]
    others = others[:: max(1, others.size // MOST_SCORES)]
    return np.unique(np.quantile(others, 1 - LEVELS).astype(np.float32))


@dataclass(frozen=True, eq=False)
class Counts:
    """Flagged members and flagged others, (trials, thresholds); totals of both, (trials,)."""

    members: Floats
    others: Floats
    all_members: Floats
    all_others: Floats

    @classmethod
    def of(cls, scores: Scores, member: Members, cuts: Scores) -> Counts:
        """Count the scores above each threshold.

        >>> scores, member = np.float32([[3, 1, 2, 0]]), np.array([[True, True, False, False]])
        >>> counts = Counts.of(scores, member, np.float32([0.5, 1.5]))
        >>> counts.members.tolist(), counts.others.tolist()
        ([[2.0, 1.0]], [[1.0, 1.0]])
        """
        pieces = [
            _count_flagged(scores[piece], member[piece], cuts)
            for piece in blocks(len(scores), scores.shape[1])
        ]
        members, others = (np.concatenate(part) for part in zip(*pieces, strict=True))
        held = member.sum(axis=1).astype(np.float64)
        return cls(members, others, held, member.shape[1] - held)

    @property
    def false_positives(self) -> Floats:
        """Share of others that are flagged at each threshold, pooled over trials."""
        return np.asarray(self.others.sum(axis=0) / self.all_others.sum())

    def success(self, cut: int) -> Floats:
        """Return the share of records guessed right in each trial, at one threshold."""
        right = self.members[:, cut] + self.all_others - self.others[:, cut]
        return np.asarray(right / (self.all_members + self.all_others))

    def best(self) -> int:
        """Return the threshold at which most records are guessed right."""
        return int(np.argmax((self.members - self.others).sum(axis=0)))

    def at_most(self, rate: float) -> int:
        """Return the lowest threshold that flags at most a share ``rate`` of others, else the highest."""
        return int(np.argmax(np.append(self.false_positives[:-1] <= rate, True)))


def _count_flagged(scores: Scores, member: Members, cuts: Scores) -> tuple[Floats, Floats]:
    """Count members and others above each threshold, for each trial."""
    passed = np.searchsorted(cuts, scores, side="left")  # number of thresholds below the score
    width = cuts.size + 1
    cell = passed + width * np.arange(len(scores))[:, None]
    tables = (np.bincount(cell[part], minlength=width * len(scores)) for part in (member, ~member))
    above = (table.reshape(-1, width)[:, :0:-1].cumsum(axis=1)[:, ::-1] for table in tables)
    members, others = (np.asarray(table, dtype=np.float64) for table in above)
    return members, others


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
        """Return the curve through the rates at some thresholds; both rise together."""
        return cls(_to_the_ends(false_positives), _to_the_ends(true_positives))

    @classmethod
    def pooled(cls, counts: Counts) -> Curve:
        """Return the curve of all trials together."""
        return cls.of(counts.false_positives, counts.members.sum(axis=0) / counts.all_members.sum())

    @classmethod
    def exact(cls, scores: Scores, member: Members) -> Curve:
        """Return the curve at all possible thresholds, for the scores of one record over trials."""
        cuts = np.unique(scores)
        flagged = [np.sort(scores[part]).searchsorted(cuts, "right") for part in (~member, member)]
        others, members = (1 - below / max(below[-1], 1) for below in flagged)
        return cls.of(others, members)

    @property
    def area(self) -> float:
        """The chance that a random member scores above a random other; ½ for a useless attack."""
        return float(np.trapezoid(self.true_positives, self.false_positives))

    def to_dict(self) -> dict[str, Any]:
        """Return the curve in plain JSON values."""
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
        """Return the rates in plain JSON values."""
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
    """Estimate the area under the pooled curve, with an interval over whole trials."""
    generator = np.random.default_rng(0)  # public and fixed: a report must not change when it is made again
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
    """Return rates in ascending order from 0 to 1, along the last axis."""
    ends = [(0, 0)] * (rates.ndim - 1) + [(1, 1)]
    return np.pad(np.sort(rates, axis=-1), ends, constant_values=(0.0, 1.0))


def most_by_success(false_positives: Floats, success: float) -> Floats:
    """Return the largest true-positive rates that a promised success allows.

    >>> most_by_success(np.array([0.01, 0.9]), success=0.6).round(3).tolist()
    [0.21, 1.0]
    """
    return np.minimum(false_positives + (2 * success - 1), 1.0)


def most_by_information(false_positives: Floats, nats: float) -> Floats:
    """Return the largest true-positive rates that ``nats`` about a fair coin allow; rounded up.

    >>> most_by_information(np.array([0.001, 0.01, 1.0]), nats=1 / 64).round(3).tolist()
    [0.05, 0.078, 1.0]
    """
    if nats >= math.log(2):
        return np.ones(false_positives.shape)
    spared = _entropy(false_positives) / 2

    def allowed(true: Floats) -> NDArray[np.bool_]:
        """Return where an answer with these rates carries at most ``nats`` about a fair coin."""
        carried = _entropy((true + false_positives) / 2) - _entropy(true) / 2 - spared
        return np.asarray(carried <= nats + 1e-12)

    return bisect(allowed, false_positives, np.ones(false_positives.shape), steps=50)[1]


def most_true_positives(false_positives: Floats, success: float, nats: float) -> Floats:
    """Return the stricter of the two bounds at each rate."""
    return np.minimum(most_by_success(false_positives, success), most_by_information(false_positives, nats))


def _entropy(chance: Floats) -> Floats:
    return np.asarray(entr(chance) + entr(1 - chance))
