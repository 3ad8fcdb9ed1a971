"""How much a release really tells about which world was used, measured: never more than its budget.

For worlds with prior weights w and posterior P(·|z) after a release z

    I(world; release) = H(w) − E H(P(·|z)),

an average of terms between H(w) − ln m and H(w), one for each of so many simulated releases. The proof bounds
this number from above; the measurement shows how much the proof leaves unused, and would catch a plan
that is wrong.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np

from noisewright.domains import Floats
from noisewright.estimate import Estimate
from noisewright.estimate.intervals import CONFIDENCE
from noisewright.parameters import whole
from noisewright.release.attacks.intervals import bounded_mean
from noisewright.release.attacks.selection import FEWEST_TRIALS, MOST_TRIALS
from noisewright.release.attacks.trials import blocks, play
from noisewright.release.noise import NoisePlan

TRIALS = 4096


def measured_information(
    plan: NoisePlan, trials: int = TRIALS, seed: int | None = None, confidence: float = 0.99
) -> Estimate:
    """The nats that releases of a plan carry about the world, given the plan's prior weights.

    The interval holds for every law of the terms. It assumes that trials are independent, and that the
    likelihood of the plan is that of its noise, as it is but for ~10⁻¹³.

    >>> from noisewright.release.noise import plan_noise
    >>> plan = plan_noise(np.random.default_rng(0).normal(size=(64, 3)), nats=0.25)
    >>> measured = measured_information(plan, trials=2000, seed=1)
    >>> bool(measured.low <= 0.25 <= measured.high), bool(measured.value > 0.2)
    (True, True)
    """
    whole("trials", trials, FEWEST_TRIALS, MOST_TRIALS)
    cells = play(plan, trials, np.random.default_rng(seed)).cells
    posteriors = (plan.posterior(cells[piece]) for piece in blocks(trials, len(plan.weights)))
    return information_estimate(gains(plan, posteriors), plan, 1 - CONFIDENCE.check(confidence))


def gains(plan: NoisePlan, posteriors: Iterable[Floats]) -> Floats:
    """H(w) − H(P(·|z)) of each release: what it took from the uncertainty about the world."""
    before = float(_entropy(plan.weights))
    return np.concatenate([before - _entropy(posterior) for posterior in posteriors])


def information_estimate(terms: Floats, plan: NoisePlan, failure: float) -> Estimate:
    """The mean gain with an interval; never below 0, as no information is."""
    before, possible = float(_entropy(plan.weights)), max(int(np.count_nonzero(plan.weights)), 2)
    found = bounded_mean(terms, failure, before - math.log(possible), before)
    ends = (max(found.low, 0.0), max(found.high, 0.0))
    return Estimate(
        found.value, found.stderr, *ends,
        level=found.level, count=found.count, method=found.method, assumption=found.assumption,
    )  # fmt: skip


def _entropy(masses: Floats) -> Floats:
    """Entropy in nats along the last axis."""
    from scipy.special import entr  # noqa: PLC0415  (scipy is slow to load)

    return np.asarray(entr(masses).sum(axis=-1))
