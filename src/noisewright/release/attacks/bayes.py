"""The best membership attack there is, so the worst case of a release.

The adversary knows everything but which world was used. After a release z all they can know about it is the
posterior over the worlds, and about record i

    p_i(z) = Σ_j P(world j | z) · [record i is in world j].

Whatever the attack, given z its guess "in" is right with probability p_i(z) and "out" with 1 − p_i(z). So no
attack is right more often than E max(p_i, 1 − p_i), and guessing by p_i ≥ ½ is right that often. This is
averaged over releases as it stands, in terms between ½ and 1, which varies far less than counting hits
(Rao–Blackwell).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

import numpy as np

from noisewright.domains import Cells, Floats
from noisewright.release.attacks.base import Attack, Scores
from noisewright.release.attacks.intervals import Moments
from noisewright.release.attacks.trials import blocks
from noisewright.release.noise import NoisePlan, table
from noisewright.release.worlds import Worlds

ROUNDING = 1e-9
"""More than the floating-point posterior can be off."""


class BayesAttack(Attack):
    """Membership by the exact posterior over the worlds.

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
        """The posteriors over the worlds, some releases at a time."""
        for piece in blocks(len(cells), max(self.worlds.count, self.worlds.records)):
            yield piece, self.plan.posterior(cells[piece])

    def beyond_half(self, posterior: Floats) -> Floats:
        """p_i − ½ for each release and record."""
        return np.asarray((posterior[:, ::2] - posterior[:, 1::2]) @ self._signs)

    def advantage(self, posterior: Floats) -> Floats:
        """|2p_i − 1|, between 0 and 1: the best guess is right ½ + ½ of this often, given each release."""
        return np.asarray(np.minimum(2 * np.abs(self.beyond_half(posterior)), 1.0))

    def success(self, cells: Cells) -> Floats:
        """How often the best guess about each record is right, averaged over given releases."""
        return 0.5 + self.moments(cells).mean() / 2

    def moments(self, cells: Cells) -> Moments:
        """Mean and spread of the advantage over releases, for each record."""
        found = Moments.of(self.worlds.records)
        for _, posterior in self.posteriors(cells):
            found.add(self.advantage(posterior))
        return found

    @property
    def slack(self) -> float:
        """What the success of the true integers can exceed that of the ideal Gaussian by, rounding included.

        The posterior is that of the ideal law; the table drawn from differs from it by ``off_ideal`` in total
        variation along each direction, once in what is drawn and once in what is believed.
        """
        return 2 * self.plan.steps.size * table.off_ideal() + ROUNDING
