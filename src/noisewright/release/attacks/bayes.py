"""The exact posterior over the worlds: the best membership attack, and the information it measures.

The adversary knows everything except which world was used. After a release z, all their knowledge about it is
the posterior over the worlds. About record i it says

    p_i(z) = Σ_j P(world j | z) · [record i is in world j].

No attack is right more often than E max(p_i, 1 − p_i), and guessing by p_i ≥ ½ is right that often. This
expectation is averaged over releases directly, in terms between ½ and 1, which varies far less than counting
hits (Rao–Blackwell).

**Information.** For worlds with prior weights w and posterior P(·|z) after a release z

    I(world; release) = H(w) − E H(P(·|z)),

an average of terms between H(w) − ln m and H(w), for m worlds and one term for each simulated release. The
proof bounds this number from above. The measurement shows how much of the bound is unused, and would catch a
wrong plan.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import ClassVar

import numpy as np
from scipy.special import entr

from noisewright.domains import Cells, Floats
from noisewright.estimate import Estimate
from noisewright.parameters import whole
from noisewright.release.attacks.intervals import Moments, bounded_mean
from noisewright.release.attacks.trials import FEWEST_TRIALS, MOST_TRIALS, Attack, Scores, blocks, play
from noisewright.release.basics.worlds import Worlds
from noisewright.release.noise import NoisePlan, table
from noisewright.statistics.intervals import CONFIDENCE

ROUNDING = 1e-9
"""A bound on the floating-point error of the posterior."""

TRIALS = 4096


class BayesAttack(Attack):
    """The best attack on membership there is: by the exact posterior over the worlds.

    Args:
        plan: Noise of the release, with the cells of all worlds.
        worlds: Public list of worlds.

    >>> from noisewright.release.noise import plan_noise
    >>> worlds = Worlds(records=20, count=32)
    >>> outputs = worlds.member @ np.sqrt(np.arange(20))[:, None]
    >>> leaky = BayesAttack(plan_noise(outputs, nats=20.0), worlds)
    >>> bool(leaky.success(leaky.plan.cells).min() > 0.999)
    True
    """

    name: ClassVar[str] = "bayes"
    title: ClassVar[str] = "Bayes-optimal"

    def __init__(self, plan: NoisePlan, worlds: Worlds) -> None:
        self.plan, self.worlds = plan, worlds
        # worlds 2k and 2k + 1 are complements: one row of signs serves both
        self._signs = np.where(worlds.member[::2], 0.5, -0.5)

    def scores(self, cells: Cells) -> Scores:
        found = np.empty((len(cells), self.worlds.records), dtype=np.float32)
        for piece, posterior in self.posteriors(cells):
            found[piece] = self.beyond_half(posterior)
        return found

    def posteriors(self, cells: Cells) -> Iterator[tuple[slice, Floats]]:
        """Yield the posteriors over the worlds for rows of ``cells``, a block of releases at a time."""
        for piece in blocks(len(cells), max(self.worlds.count, self.worlds.records)):
            yield piece, self.plan.posterior(cells[piece])

    def beyond_half(self, posterior: Floats) -> Floats:
        """Return p_i − ½ for each release and record."""
        return np.asarray((posterior[:, ::2] - posterior[:, 1::2]) @ self._signs)

    def advantage(self, posterior: Floats) -> Floats:
        """Return |2p_i − 1| for each release; its best guess is right with probability ½ + ½ of this."""
        return np.asarray(np.minimum(2 * np.abs(self.beyond_half(posterior)), 1.0))

    def success(self, cells: Cells) -> Floats:
        """Return how often the best guess about each record is right, averaged over rows of ``cells``."""
        return 0.5 + self.moments(cells).mean() / 2

    def moments(self, cells: Cells) -> Moments:
        """Return mean and spread of the advantage over releases, for each record."""
        found = Moments.of(self.worlds.records)
        for _, posterior in self.posteriors(cells):
            found.add(self.advantage(posterior))
        return found

    @property
    def slack(self) -> float:
        """How far the success for the true integers can exceed that for the ideal Gaussian, with rounding.

        The posterior is that of the ideal law. The table that is drawn from differs from it by ``off_ideal``
        in total variation along each direction. This counts twice: in the draw, and in the attack's belief.
        """
        return 2 * self.plan.steps.size * table.off_ideal() + ROUNDING


def measured_information(
    plan: NoisePlan, trials: int = TRIALS, seed: int | None = None, confidence: float = 0.99
) -> Estimate:
    """Measure the nats that releases of a plan carry about the world, given the plan's prior weights.

    The interval holds for every law of the terms. It assumes that trials are independent, and that the
    likelihood of the plan is that of its noise, which is true to within about 10⁻¹³.

    Args:
        plan: Noise of the release, with the cells of all worlds.
        trials: Number of simulated releases, at least 8.
        seed: Seed of the simulation; None draws a new one.
        confidence: Probability with which the interval holds.

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
    """Return H(w) − H(P(·|z)) of each release: by how much it reduced the uncertainty about the world."""
    before = float(_entropy(plan.weights))
    return np.concatenate([before - _entropy(posterior) for posterior in posteriors])


def information_estimate(terms: Floats, plan: NoisePlan, failure: float) -> Estimate:
    """Return the mean gain with an interval, never below 0."""
    before, possible = float(_entropy(plan.weights)), max(int(np.count_nonzero(plan.weights)), 2)
    found = bounded_mean(terms, failure, before - math.log(possible), before)
    return replace(found, low=max(found.low, 0.0), high=max(found.high, 0.0))


def _entropy(masses: Floats) -> Floats:
    """Return the entropy in nats along the last axis."""
    return np.asarray(entr(masses).sum(axis=-1))
