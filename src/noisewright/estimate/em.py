"""The distribution behind the reports, by expectation–maximization, plain or smoothed.

Each step asks, for every bin, how many of the reports its people would have to have made, and moves the
shares there: f ← f · backward(counts / forward(f)) / n. It never lowers the likelihood, keeps shares
positive and summing to one, and takes reports of several mechanisms at once. Run to the end it overfits
into spikes; so either it stops when a step no longer gains likelihood, or every step is followed by a
light smoothing of neighbouring bins, as in Li et al. 2020. Theirs has a fixed strength; here the strength
is chosen so that reports which were held back are predicted best (``smoothing.py``).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from noisewright.domains import Floats
from noisewright.estimate.channel import Channel, channel_of
from noisewright.estimate.number_group import parts_of
from noisewright.estimate.tally import Tally

MOST_STEPS = 5000
SETTLED = 1e-6
"""A smoothed estimate has settled when a step moves less than this share of people."""
GAIN = 1e-3
"""A plain estimate is done when a step raises the log-likelihood of all reports by less than this."""

LOOK = 4
"""Steps of plain EM from one look at the likelihood to the next."""

TINY = 1e-300

FEWEST_EXPECTED = 5.0
"""Reports that χ² needs in a part."""

Step = Callable[[Floats], Floats]


@dataclass(frozen=True, eq=False)
class Evidence:
    """What is known: for every mechanism its channel and the counts of its reports."""

    channels: Sequence[Channel]
    counts: Sequence[Floats]

    @classmethod
    def of(cls, tally: Tally, edges: Floats, coarser: int = 1) -> Evidence:
        """The channels of a tally between bins and parts; ``coarser`` joins that many parts into one."""
        channels, counts = [], []
        for group in tally.groups:
            parts = parts_of(group.mechanism.reports)
            join = coarser if parts % coarser == 0 and group.mechanism.reports.lattice > parts else 1
            channels.append(channel_of(group.mechanism, edges, parts // join))
            counts.append(group.counts.reshape(-1, join).sum(axis=1).astype(np.float64))
        return cls(channels, counts)

    def step(self, shares: Floats) -> Floats:
        """One step of EM."""
        pull = np.zeros_like(shares)
        for channel, seen in zip(self.channels, self.counts, strict=True):
            pull += channel.backward(seen / np.maximum(channel.forward(shares), TINY))
        raised = shares * pull
        return np.asarray(raised / raised.sum())

    def likelihood(self, shares: Floats) -> float:
        """The logarithm of the likelihood of all reports."""
        return sum(
            float(seen @ np.log(np.maximum(channel.forward(shares), TINY)))
            for channel, seen in zip(self.channels, self.counts, strict=True)
        )

    def misfit(self, shares: Floats) -> float:
        """Return by how many standard deviations χ² of the reports exceeds what chance leaves.

        Parts in which fewer than five reports are expected are left out.
        """
        square = parts = 0.0
        for channel, seen in zip(self.channels, self.counts, strict=True):
            expected = channel.forward(shares) * seen.sum()
            enough = expected >= FEWEST_EXPECTED
            square += float(((seen - expected)[enough] ** 2 / expected[enough]).sum())
            parts += float(enough.sum())
        return (square - parts) / math.sqrt(2 * parts) if parts else 0.0


def maximize(evidence: Evidence, bins: int) -> tuple[Floats, int]:
    """Plain EM, stopped when the likelihood no longer rises noticeably; shares, and the steps taken."""
    shares, before = np.full(bins, 1.0 / bins), -np.inf
    for taken in range(1, MOST_STEPS + 1):
        shares = evidence.step(shares)
        if taken % LOOK:
            continue
        reached = evidence.likelihood(shares)
        if reached - before < GAIN * LOOK:
            return shares, taken
        before = reached
    return shares, MOST_STEPS


def settle(step: Step, shares: Floats) -> tuple[Floats, int]:
    """Repeat a step until it settles, with Varadhan and Roland's squared extrapolation between steps.

    Two steps tell the direction and the rate at which shares still move; a jump along them replaces
    dozens of steps. A jump that would make a share negative is shortened, in the end to no jump at all.
    """
    for taken in range(0, MOST_STEPS, 2):
        once = step(shares)
        move = once - shares
        if np.abs(move).sum() < SETTLED:
            return once, taken + 1
        twice = step(once)
        shares = _jump(shares, move, twice - once - move, twice)
    return shares, MOST_STEPS


def _jump(shares: Floats, move: Floats, bend: Floats, twice: Floats) -> Floats:
    length = float(np.sqrt((move @ move) / max(float(bend @ bend), TINY)))
    while length > 1.01:
        ahead = shares + 2 * length * move + length**2 * bend
        if (ahead > 0).all():
            return np.asarray(ahead / ahead.sum())
        length = (length + 1) / 2
    return twice
