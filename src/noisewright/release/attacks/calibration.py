"""Noise for a promised membership success: the least that holds against the best possible attack.

The success of the optimal attack (:mod:`bayes`) rises with the nats that the noise is planned for: an
adversary could always add more noise themselves. So the nats are found by bisection on one set of simulated
releases, and the resulting plan is *certified* on fresh ones: the upper confidence limit of every record's
success must be at most the promised rate.

A plan that fails is replaced by a more private one, whose certificate may err with half the probability. All
certificates together err with probability at most 1 − confidence. If none passes, a theorem gives nats that
always keep the rate.

All of this is a function of the pool, the worlds and public chance. It reveals nothing about the secret
world.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from noisewright.domains import Floats
from noisewright.parameters import whole
from noisewright.release.attacks.bayes import BayesAttack
from noisewright.release.attacks.intervals import Moments
from noisewright.release.attacks.trials import blocks, play
from noisewright.release.basics.budgets import MembershipSuccess, information_for, posterior_success
from noisewright.release.basics.worlds import Worlds
from noisewright.release.noise import NoisePlan, plan_noise
from noisewright.text import ceiling

LEAST_TRIALS = 1 << 10
MOST_TRIALS = 1 << 24
FEW, MANY = 1 << 12, 1 << 16
"""Smallest and largest default of ``trials``; with the latter the limit is within 0.002 of the estimate."""

WORK = 1 << 38
"""Products of a posterior with a membership that a certificate may compute: seconds, up to 15."""

SEARCH_SHARE = 16
"""The search uses one part in this many of the certificate's trials."""

BISECTIONS = 6
"""Bisections of an octave of nats: to about one hundredth, finer than a step down."""

ATTEMPTS = 6
STEP_DOWN = 0.97
"""Factor by which the nats shrink after a failed certificate."""


@dataclass(frozen=True)
class SuccessCertificate:
    """A bound on the success of every attack about every record, for noise calibrated on the best one.

    Attributes:
        rate_upper: With probability ``confidence`` no attack is right about any record more often.
        confidence: Probability over the simulation, not over the data; 1 stands for a bound by theorem.
        trials: Number of fresh releases in the simulation; 0 for a bound by theorem.
        worst_success: Success about the most exposed record, as estimated.
        nats: Mutual information that the noise was planned for.
        attempts: Number of plans that were tried until one passed.
        worst_record: Index of the most exposed record; it depends on the pool, so it is not shown.

    >>> print(SuccessCertificate(0.58794, 0.999, trials=65536, worst_success=0.5861, nats=0.49))
    no attack is right about any record more than 58.8 % of the time
    (65,536 simulated releases, confidence 99.9 %)
    """

    rate_upper: float
    confidence: float
    trials: int
    worst_success: float
    nats: float
    attempts: int = 1
    worst_record: int | None = field(default=None, repr=False)

    def __str__(self) -> str:
        most = f"{ceiling(100 * self.rate_upper, 4).normalize():f} %"
        promise = f"no attack is right about any record more than {most} of the time"
        if not self.trials:
            return promise
        return f"{promise} ({self.trials:,} simulated releases, confidence {100 * self.confidence:g} %)"


def calibrate_success(
    outputs: Floats,
    worlds: Worlds,
    success: MembershipSuccess,
    shape: str = "optimal",
    seed: int | None = None,
    trials: int | None = None,
) -> tuple[NoisePlan, SuccessCertificate]:
    """Return the plan with the least noise that keeps a membership success, and its certificate.

    Args:
        outputs: Output of every world, (worlds, numbers).
        worlds: Public list of worlds.
        success: Success that no attack may exceed, and the confidence of that bound.
        shape: Shape of the noise, one of ``noise.SHAPES``.
        seed: Seed of the simulation; None draws a new one.
        trials: Number of simulated releases for a certificate; more of them bring the limit closer to the
            estimate. None takes as many as a bounded amount of work allows.

    >>> worlds = Worlds(records=20, count=64)
    >>> outputs = worlds.member @ np.random.default_rng(0).normal(size=(20, 2))
    >>> success = MembershipSuccess(0.7)
    >>> plan, certificate = calibrate_success(outputs, worlds, success, seed=1, trials=4096)
    >>> certificate.rate_upper <= 0.7, certificate.nats > information_for(0.7)
    (True, True)
    """
    trials = trials_for(worlds) if trials is None else whole("trials", trials, LEAST_TRIALS, MOST_TRIALS)
    chance, fresh = np.random.SeedSequence(seed).spawn(2)
    search = _Search(outputs, worlds, success, shape, trials, chance)
    nats = search.most_nats()
    generator = np.random.default_rng(fresh)
    for attempt in range(1, ATTEMPTS + 1):
        if nats <= search.proved:
            break
        plan = search.plan(nats)
        found = search.certify(plan, nats, attempt, generator)
        if found.rate_upper <= success.rate:
            return plan, found
        nats *= STEP_DOWN
    return search.by_theorem()


def trials_for(worlds: Worlds) -> int:
    """Return as many trials as make the limit tight, within a bounded amount of work.

    >>> trials_for(Worlds(records=100)), trials_for(Worlds(records=13_611))
    (65536, 19721)
    """
    return min(max(WORK // (worlds.count * worlds.records), FEW), MANY)


@dataclass(frozen=True, eq=False)
class _Search:
    """One calibration: its request, the trials of a certificate, the public chance of the search."""

    outputs: Floats
    worlds: Worlds
    success: MembershipSuccess
    shape: str
    trials: int
    chance: np.random.SeedSequence

    @property
    def proved(self) -> float:
        """Nats that keep the rate by theorem."""
        return information_for(self.success.rate)

    def plan(self, nats: float) -> NoisePlan:
        return plan_noise(self.outputs, nats, self.shape)

    def most_nats(self) -> float:
        """Return the most nats at which every record's limit would pass if the search sample were fresh."""
        most = math.log(self.worlds.count)  # identifies the world outright: no plan is needed for more
        low, high = self.proved, 2 * self.proved
        while high < most and self._keeps(high):
            low, high = high, 2 * high
        high = max(min(high, most), low)
        for _ in range(BISECTIONS):
            middle = (low * high) ** 0.5
            low, high = (middle, high) if self._keeps(middle) else (low, middle)
        return low

    def _keeps(self, nats: float) -> bool:
        """Return whether a plan would be certified, judged by a few trials that all plans share."""
        generator = np.random.default_rng(self.chance)
        attack = BayesAttack(self.plan(nats), self.worlds)
        found = _moments(attack, self.trials // SEARCH_SHARE, generator)
        beyond = found.reach(self._failure(1), self.trials)  # as far as the certificate will reach
        limit = found.mean() + beyond
        return bool(0.5 + limit.max() / 2 + attack.slack <= self.success.rate)

    def certify(
        self, plan: NoisePlan, nats: float, attempt: int, generator: np.random.Generator
    ) -> SuccessCertificate:
        """Return the largest upper limit of any record's success on fresh trials of a plan."""
        attack = BayesAttack(plan, self.worlds)
        found = _moments(attack, self.trials, generator)
        mean, limit = 0.5 + found.mean() / 2, found.mean() + found.reach(self._failure(attempt))
        return SuccessCertificate(
            rate_upper=float(min(0.5 + limit.max() / 2 + attack.slack, 1.0)),
            confidence=self.success.confidence,
            trials=self.trials,
            worst_success=float(mean.max()),
            nats=nats,
            attempts=attempt,
            worst_record=int(mean.argmax()),
        )

    def by_theorem(self) -> tuple[NoisePlan, SuccessCertificate]:
        """Return the plan that keeps the rate for any outputs, by theorem."""
        bound = posterior_success(self.proved)
        return self.plan(self.proved), SuccessCertificate(bound, 1.0, 0, bound, self.proved, ATTEMPTS + 1)

    def _failure(self, attempt: int) -> float:
        """Return ½, ¼, … of the error, so that all attempts together keep the confidence."""
        return (1 - self.success.confidence) / 2.0**attempt


def _moments(attack: BayesAttack, trials: int, generator: np.random.Generator) -> Moments:
    """Sum the optimal attack's advantage over fresh releases, with one block in memory at a time."""
    found = Moments.of(attack.worlds.records)
    for piece in blocks(trials, max(attack.worlds.count, attack.worlds.records)):
        found += attack.moments(play(attack.plan, piece.stop - piece.start, generator).cells)
    return found
