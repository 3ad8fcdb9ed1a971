"""Judging an attack on trials: thresholds from one part of them, numbers from the other.

The Bayes-optimal attack needs no threshold, so every trial judges its mean success, and by the chance that
its guess is right rather than by the hit itself. Its most exposed record is chosen by one part of the trials
and judged by the other, and its curve is counted, like those of the other attacks.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from noisewright.domains import Floats
from noisewright.estimate import Estimate
from noisewright.release.attacks.base import Attack, Scores
from noisewright.release.attacks.bayes import BayesAttack
from noisewright.release.attacks.counting import Counts, Members, thresholds
from noisewright.release.attacks.information import gains
from noisewright.release.attacks.intervals import Moments, bounded_mean, hit_rates, rescaled
from noisewright.release.attacks.result import AttackResult, largest
from noisewright.release.attacks.roc import RATES, Curve, area_estimate, record_areas, true_positives
from noisewright.release.attacks.selection import Split
from noisewright.release.attacks.trials import Trials
from noisewright.release.worlds import Worlds


@dataclass(frozen=True, eq=False)
class Court:
    """The trials of a report, how they are split, and the errors that its statements may have.

    ``failure`` is that of each success (of the mean, and of the worst record), ``shown`` that of areas and
    rates, which decide nothing.
    """

    trials: Trials
    worlds: Worlds
    split: Split
    failure: float
    shown: float

    def judge(self, attack: Attack) -> AttackResult:
        """The result of an attack whose threshold, and whose most exposed record, have to be chosen."""
        scored = self._scored(attack.scores(self.trials.cells))
        best = scored.chosen.best()
        exposed = int(scored.hits(best, scored.choice).argmax())
        each = hit_rates(scored.hits(best, scored.rest), len(scored.judged.all_members), self.failure)
        mean = bounded_mean(scored.judged.success(best), self.failure)
        return _result(attack, mean, each, exposed, scored.curves(exposed, self.shown))

    def judge_bayes(self, attack: BayesAttack) -> tuple[AttackResult, Floats]:
        """The result of the optimal attack, and the nats that each release told about the world."""
        chosen, judged = (Moments.of(self.worlds.records) for _ in range(2))
        means, taken = [], []
        scores = np.empty((len(self.trials), self.worlds.records), dtype=np.float32)
        for part, records in zip(self.split.parts(len(self.trials)), (chosen, judged), strict=True):
            for piece, posterior in attack.posteriors(self.trials.cells[part]):
                scores[part][piece] = attack.beyond_half(posterior)
                advantage = attack.advantage(posterior)
                records.add(advantage)
                means.append(advantage.mean(axis=1))
                taken.append(gains(attack.plan, [posterior]))
        mean = rescaled(bounded_mean(np.concatenate(means), self.failure), 0.5, 0.5)
        each = rescaled(judged.estimate(self.failure), 0.5, 0.5)
        exposed = int(chosen.mean().argmax())
        curves = self._scored(scores).curves(exposed, self.shown)
        return _result(attack, mean, each, exposed, curves), np.concatenate(taken)

    def _scored(self, scores: Scores) -> _Scored:
        return _Scored.of(scores, self.trials.member(self.worlds), self.split)


@dataclass(frozen=True, eq=False)
class _Scored:
    """The scores of all trials, and counts above each threshold in those that choose and those that judge."""

    scores: Scores
    member: Members
    choice: slice
    rest: slice
    cuts: Scores
    chosen: Counts
    judged: Counts

    @classmethod
    def of(cls, scores: Scores, member: Members, split: Split) -> _Scored:
        choice, rest = split.parts(len(scores))
        cuts = thresholds(scores[choice], member[choice])
        chosen, judged = (Counts.of(scores[part], member[part], cuts) for part in (choice, rest))
        return cls(scores, member, choice, rest, cuts, chosen, judged)

    def hits(self, cut: int, part: slice) -> Floats:
        """How often each record is told right at one threshold, in a part of the trials."""
        right = (self.scores[part] > self.cuts[cut]) == self.member[part]
        return np.asarray(right.sum(axis=0), dtype=np.float64)

    def curves(self, exposed: int, failure: float) -> dict[str, Any]:
        """What is read off thresholds of all heights."""
        scores, member = self.scores[self.rest], self.member[self.rest]
        points = (true_positives(self.chosen, self.judged, rate, failure) for rate in RATES)
        return {
            "areas": record_areas(scores, member),
            "area": area_estimate(self.judged, failure),
            "found": tuple(points),
            "curve": Curve.pooled(self.judged),
            "exposed_curve": Curve.exact(scores[:, exposed], member[:, exposed]),
        }


def _result(
    attack: Attack, mean: Estimate, each: Estimate, exposed: int, curves: dict[str, Any]
) -> AttackResult:
    return AttackResult(
        attack.name, attack.title, mean, largest(each, exposed), each.value, exposed, **curves
    )
