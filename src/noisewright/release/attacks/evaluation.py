"""Evaluation of attacks: simulate a release many times, and count how often each attack is right.

Thresholds come from one part of the trials, results from the other. The Bayes-optimal attack needs no
threshold, so all trials measure its mean success, by the probability that its guess is right rather than by
counting hits. Its most exposed record is chosen by one part of the trials and judged by the other; its curve
is counted, like those of the other attacks.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from noisewright.domains import Cells, Floats
from noisewright.errors import InvalidParameter
from noisewright.estimate import Estimate
from noisewright.parameters import real
from noisewright.release.attacks.bayes import BayesAttack, gains, information_estimate
from noisewright.release.attacks.intervals import Moments, bounded_mean, hit_rates, rescale
from noisewright.release.attacks.likelihood_ratio import Confidence, EmpiricalLira, GaussianLira, LinearAttack
from noisewright.release.attacks.result import AttackReport, AttackResult, largest
from noisewright.release.attacks.roc import (
    RATES,
    Counts,
    Curve,
    Members,
    area_estimate,
    thresholds,
    true_positives,
)
from noisewright.release.attacks.trials import Attack, Bonferroni, Scores, Split, Trials, play
from noisewright.release.basics.worlds import Worlds
from noisewright.release.execution import Task
from noisewright.release.noise import NoisePlan
from noisewright.statistics.intervals import CONFIDENCE

MOST_SCORES: Final = 1 << 31
"""Largest number of scores of one attack held in memory: 8 GiB."""


def attack(
    plan: NoisePlan,
    worlds: Worlds,
    task: Task,
    promised: float,
    nats: float | None = None,
    trials: int = 1000,
    confidence: float = 0.99,
    seed: int | None = None,
) -> AttackReport:
    """Try to break a release: the optimal attack, a linear one, and LiRA where the algorithm has a score.

    Worlds and noise of the trials are drawn from public chance. LiRA's shadows are separate from the trials
    that judge it.

    Args:
        plan: Noise of the release, with the cells of all worlds.
        worlds: Public list of worlds.
        task: Algorithm that was released, and the pool.
        promised: Largest success about any record that the release allows, from ½ to 1.
        nats: Most information that the release may carry; None takes the bound that its plan proves.
        trials: Number of simulated releases, at least 8.
        confidence: Probability with which all bounds of the report hold together.
        seed: Seed of the simulation; None draws a new one.
    """
    alpha, promised = 1 - CONFIDENCE.check(confidence), real("promised", promised)
    if not 0.5 <= promised <= 1:
        raise InvalidParameter(f"must be a success from 0.5 to 1, got {promised:g}", field="promised")
    split = Split(0.5)
    split.parts(trials)  # rejects too few before anything is drawn
    if trials * worlds.records > MOST_SCORES:  # every attack scores every record in every trial
        raise InvalidParameter(
            f"{trials:,} trials of {worlds.records:,} records are too many scores to hold in memory; take at "
            f"most {MOST_SCORES // worlds.records:,} trials"
        )
    generator = np.random.default_rng(seed)
    shadows, judged = play(plan, trials, generator), play(plan, trials, generator)
    others: list[Attack] = [LinearAttack(plan, worlds)]
    confidences = _confidences(plan, task)
    if confidences is not None:
        others += [kind(confidences, shadows, worlds) for kind in (GaussianLira, EmpiricalLira)]
    each = Bonferroni(2 * len(others) + 3).each(alpha)  # two for each attack, one for the information
    court = Court(judged, worlds, split, failure=each, shown=alpha)
    best, taken = court.judge_bayes(BayesAttack(plan, worlds))
    return AttackReport(
        attacks=(best, *(court.judge(other) for other in others)),
        promised=promised,
        information=information_estimate(taken, plan, each),
        information_upper=plan.information_upper if nats is None else nats,
        trials=trials,
        confidence=confidence,
    )


def _confidences(plan: NoisePlan, task: Task) -> Confidence | None:
    """Return the algorithm's own score of each record, as a function of released cells."""

    def ask(cells: Cells) -> Floats | None:
        return task.algorithm.confidence(plan.vector(cells), task.rows, task.labels, task.facts)

    def confidence(cells: Cells) -> Floats:
        found = ask(cells)
        if found is None or found.shape != (len(cells), len(task.rows)) or not np.isfinite(found).all():
            raise InvalidParameter(
                f"the confidence of {task.algorithm.title} must be a finite number for each vector and row; "
                f"return None if the algorithm has no such score"
            )
        return found

    return None if ask(plan.cells[:1]) is None else confidence


@dataclass(frozen=True, eq=False)
class Court:
    """The trials of a report, their split, and the failure probabilities of its statements.

    Attributes:
        trials: Simulated releases.
        worlds: Public list of worlds.
        split: Which trials choose, and which judge.
        failure: Failure probability of each success: of the mean, and of the worst record.
        shown: Failure probability of areas and rates, which the verdict does not use.
    """

    trials: Trials
    worlds: Worlds
    split: Split
    failure: float
    shown: float

    def judge(self, attack: Attack) -> AttackResult:
        """Judge an attack whose threshold and most exposed record must be chosen."""
        scored = ScoredTrials.of(
            attack.scores(self.trials.cells), self.trials.member(self.worlds), self.split
        )
        best = scored.chosen.best()
        exposed = int(scored.hits(best, scored.choice).argmax())
        each = hit_rates(scored.hits(best, scored.rest), len(scored.judged.all_members), self.failure)
        mean = bounded_mean(scored.judged.success(best), self.failure)
        return scored.result(attack, mean, each, exposed, self.shown)

    def judge_bayes(self, attack: BayesAttack) -> tuple[AttackResult, Floats]:
        """Judge the optimal attack; return its result, and the nats that each release revealed."""
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
        mean = rescale(bounded_mean(np.concatenate(means), self.failure), 0.5, 0.5)
        each = rescale(judged.estimate(self.failure), 0.5, 0.5)
        exposed = int(chosen.mean().argmax())
        scored = ScoredTrials.of(scores, self.trials.member(self.worlds), self.split)
        return scored.result(attack, mean, each, exposed, self.shown), np.concatenate(taken)


@dataclass(frozen=True, eq=False)
class ScoredTrials:
    """The scores of all trials, and counts above each threshold in the choosing and the judging trials."""

    scores: Scores
    member: Members
    choice: slice
    rest: slice
    cuts: Scores
    chosen: Counts
    judged: Counts

    @classmethod
    def of(cls, scores: Scores, member: Members, split: Split) -> ScoredTrials:
        """Return the scores of all trials, with thresholds from the choosing trials."""
        choice, rest = split.parts(len(scores))
        cuts = thresholds(scores[choice], member[choice])
        chosen, judged = (Counts.of(scores[part], member[part], cuts) for part in (choice, rest))
        return cls(scores, member, choice, rest, cuts, chosen, judged)

    def hits(self, cut: int, part: slice) -> Floats:
        """Return how often each record is guessed right at one threshold, in a part of the trials."""
        right = (self.scores[part] > self.cuts[cut]) == self.member[part]
        return np.asarray(right.sum(axis=0), dtype=np.float64)

    def result(
        self, attack: Attack, mean: Estimate, each: Estimate, exposed: int, failure: float
    ) -> AttackResult:
        """Return the result of an attack, including the curve over all thresholds."""
        scores, member = self.scores[self.rest], self.member[self.rest]
        return AttackResult(
            attack.name,
            attack.title,
            success=mean,
            worst=largest(each, exposed),
            records=each.value,
            exposed=exposed,
            area=area_estimate(self.judged, failure),
            found=tuple(true_positives(self.chosen, self.judged, rate, failure) for rate in RATES),
            curve=Curve.pooled(self.judged),
            exposed_curve=Curve.exact(scores[:, exposed], member[:, exposed]),
        )
