"""How much less a count varies when lies cancel within groups.

A report supports label v with probability ``hit`` if its person holds v, otherwise ``miss``. How likely it
does depends on the person's flag: E[support | truth] − E[support | lie] is some c for holders of v and
another for all others. Two people of one group therefore have Cov = ρ·p·q·c₁·c₂, and two given people share
a group with probability (s − 1)/(n − 1). So with n_v holders among n users the number I of reports that
support v has

    Var[I] = n_v·hit·(1 − hit) + (n − n_v)·miss·(1 − miss) + ρ·p·q·(s − 1)/(n − 1)·((Σc)² − Σc²),

and the estimate (I − n·miss)/(hit − miss) has this over (hit − miss)². The mean of I is the same for every
grouping, so that nothing else is to be added.

    randomized response with k labels: c = 1 for holders, −1/(k − 1) for others;
    symmetric unary encoding:          c = 1 and −1, every bit is a binary response;
    optimized unary encoding:          c = 0 and −1, as holders toss a coin of their own;
    local hashing:                     c = 1 and 0, as other labels are hit by chance, truth or lie.

For k = 2 and pairs this is Zheng 2026, thm 4. The dissertation's table for k labels calls ρ the correlation
of the flags, but there it is ρ/(k − 1).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from noisewright.domains import Floats


@dataclass(frozen=True)
class SharedNoise:
    """The moments of one label's support under shared coins.

    ``covariance`` is ρ·p·q of two flags; ``own`` and ``other`` are c for holders of the label and for others.

    >>> plain = SharedNoise.of_response(truth=0.6, correlation=0.0)
    >>> joint = SharedNoise.of_response(truth=0.6, correlation=-0.5)
    >>> [round(float(noise.count_variance(762, 10_000))) for noise in (plain, joint)]
    [60000, 38448]
    """

    hit: float
    miss: float
    covariance: float
    own: float
    other: float
    group: int = 2

    @classmethod
    def of_response(cls, truth: float, correlation: float, labels: int = 2, group: int = 2) -> SharedNoise:
        """Randomized response: truth with a probability, otherwise any other label."""
        others = labels - 1
        covariance = correlation * truth * (1 - truth)
        return cls(truth, (1 - truth) / others, covariance, 1.0, -1 / others, group)

    def count_variance(self, holders: ArrayLike, users: int) -> Floats:
        """The variance of the estimated number of users who hold a label, given how many do."""
        held = np.asarray(holders, dtype=np.float64)
        rest = users - held
        alone = held * self.hit * (1 - self.hit) + rest * self.miss * (1 - self.miss)
        total, squares = held * self.own + rest * self.other, held * self.own**2 + rest * self.other**2
        together = self.covariance * (self.group - 1) / (users - 1) * (total**2 - squares)
        return np.asarray((alone + together) / (self.hit - self.miss) ** 2)

    def share_variance(self, shares: ArrayLike, users: int) -> Floats:
        """The variance of an estimated share if the users are themselves drawn from a population.

        Who shares coins is then independent of who holds what: each of the s − 1 others of a group adds
        ρ·p·q·E[c]² to the variance of one report.
        """
        share = np.clip(np.asarray(shares, dtype=np.float64), 0.0, 1.0)
        seen = self.miss + (self.hit - self.miss) * share
        pull = share * self.own + (1 - share) * self.other
        together = (self.group - 1) * self.covariance * pull**2
        return np.asarray((seen * (1 - seen) + together) / (self.hit - self.miss) ** 2 / users)
