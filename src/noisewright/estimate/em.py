"""The distribution behind the reports, by expectation–maximization, plain or smoothed.

Each step estimates how many of the reports came from the people of every bin, and sets the shares to that:
f ← f · backward(counts / forward(f)) / n. It never lowers the likelihood, keeps shares
positive and summing to one, and takes reports of several mechanisms at once. Run to the end it overfits
into spikes; so either it stops when a step no longer gains likelihood, or every step is followed by a
light smoothing of neighbouring bins, as in Li et al. 2020. Theirs has a fixed strength; here the strength
is the one that predicts held-back reports best.

Smoothing is the heat equation run for a short time on the bins: it never makes a share negative, keeps
their sum, respects the walls of an interval and the seam of a circle, and its strength has the same
meaning for any number of bins. For each strength of a ladder the distribution is fitted to four fifths of
the reports and judged by how well it predicts the rest; the best one is then fitted to all of them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

import numpy as np

from noisewright.domains import Circle, Floats
from noisewright.estimate.channel import Channel, channel_of
from noisewright.estimate.groups import parts_of
from noisewright.estimate.partition import equal_bins
from noisewright.estimate.tally import Tally

SMOOTHED: Final = "smoothed EM"
PLAIN: Final = "plain EM"

MOST_STEPS = 5000
SETTLED, ROUGHLY = 1e-6, 1e-5
"""Smoothed EM has settled when a step moves a smaller share of people; the second is for fits that only help
to choose a strength."""
GAIN = 1e-3
"""Plain EM stops when a step raises the log-likelihood of all reports by less than this."""

LOOK = 4
"""Plain EM computes the likelihood after every fourth step."""

TINY = 1e-300

FEWEST_EXPECTED = 5.0
"""Reports that χ² needs in a part."""

Step = Callable[[Floats], Floats]


@dataclass(frozen=True, eq=False)
class Evidence:
    """The channel of every mechanism and the counts of its reports.

    Counts may have a row for each of several collections. A step is then taken for all of them at once, from
    a row of shares for each.
    """

    channels: Sequence[Channel]
    counts: Sequence[Floats]

    @classmethod
    def of(cls, tally: Tally, edges: Floats, coarser: int = 1) -> Evidence:
        """Return the evidence of a tally about bins; ``coarser`` is how many parts are joined into one."""
        channels, counts = [], []
        for group in tally.groups:
            parts = parts_of(group.mechanism.reports)
            join = coarser if parts % coarser == 0 and group.mechanism.reports.lattice > parts else 1
            channels.append(channel_of(group.mechanism, edges, parts // join))
            counts.append(group.counts.reshape(-1, join).sum(axis=1).astype(np.float64))
        return cls(channels, counts)

    def step(self, shares: Floats) -> Floats:
        """Take one step of EM."""
        pull = np.zeros_like(shares)
        for channel, seen in zip(self.channels, self.counts, strict=True):
            pull += channel.backward(seen / np.maximum(channel.forward(shares), TINY))
        raised = shares * pull
        total = raised.sum(axis=-1, keepdims=True)  # 0 where nobody reported: then nothing changes
        return np.where(total > 0, raised / np.maximum(total, TINY), shares)

    def likelihood(self, shares: Floats) -> Any:
        """Return the log-likelihood of all reports; an array for several collections."""
        return sum(
            (seen * np.log(np.maximum(channel.forward(shares), TINY))).sum(axis=-1)
            for channel, seen in zip(self.channels, self.counts, strict=True)
        )

    def rows(self, chosen: Any) -> Evidence:
        """Select some of several collections."""
        return Evidence(self.channels, [seen[chosen] for seen in self.counts])

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
    """Run plain EM until the likelihood no longer rises noticeably; return shares and the number of steps.

    Each of several collections stops by itself; the number of steps is that of the last.
    """
    found = np.full((*evidence.counts[0].shape[:-1], bins), 1.0 / bins)
    shares, going = found, np.ones(found.shape[:-1], dtype=bool)
    before: Any = np.full(going.shape, -np.inf)
    for taken in range(1, MOST_STEPS + 1):
        shares = evidence.step(shares)
        if taken % LOOK:
            continue
        reached = evidence.likelihood(shares)
        more, before = reached - before >= GAIN * LOOK, reached
        if not more.all():
            found[going], going[going] = shares, more
            if not going.any():
                return found, taken
            evidence, shares, before = evidence.rows(more), shares[more], before[more]
    found[going] = shares
    return found, MOST_STEPS


def settle(step: Step, shares: Floats, settled: float = SETTLED) -> tuple[Floats, int]:
    """Repeat a step until it settles, with Varadhan and Roland's squared extrapolation between steps.

    Two steps show the direction and the rate at which shares still move; a jump along them replaces
    dozens of steps. A jump that would make a share negative is shortened, in the end to no jump at all.
    """
    for taken in range(0, MOST_STEPS, 2):
        once = step(shares)
        move = once - shares
        if np.abs(move).sum() < settled:
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


LADDER: Final = (4e-2, 2e-2, 1e-2, 5e-3, 2.8e-3, 1.6e-3, 9e-4)
"""Standard deviations of one step's smoothing, in lengths of the domain."""

FOLDS: Final = 3
FIFTHS: Final = 5
FAVOUR: Final = 0.5
"""Nats by which plain EM must predict held-back reports better, on average over the five fifths."""

REFUTED: Final = 4.0
"""Standard deviations of χ²: from there on a fit is refuted (once in 30,000 if it is right)."""

CLOSE: Final = 1.0
"""Smaller differences between predicted log-likelihoods depend on which reports were held back."""
ENOUGH: Final = 4.0
"""When the predicted likelihood has fallen this far below the best, weaker smoothing is not tried."""

COARSE_BINS: Final = 128
COARSER: Final = 8
"""Bins while a strength is being chosen; parts of the reports joined into one, there and in every choice."""

MOST_FITTED: Final = 512
"""Whole numbers, at most, that have a share of their own in a fit for fewer bins."""

PLAIN_COARSER: Final = 4
"""Parts of the reports joined into one for plain EM."""

SMALL: Final = 256
"""Bins up to which the flow is a matrix; beyond, a cosine transform is faster."""

SEED: Final = 20_260_101
"""Which reports are held back is fixed, so that an estimate is the same every time."""

Smoother = Callable[[Floats], Floats]


@dataclass(frozen=True, eq=False)
class Fit:
    """The shares of equal bins, the strength of the smoothing (0 for none) and the steps that it took."""

    shares: Floats
    strength: float
    steps: int

    @property
    def method(self) -> str:
        """How the shares were found, for people to read."""
        return SMOOTHED if self.strength else PLAIN


def fit_smoothly(tally: Tally, bins: int, *, strength: float | None = None) -> Fit:
    """Fit a smooth distribution to the reports; the strength is chosen if it is not given.

    The choice is made on at most 128 bins, and a finer fit starts from the fit on those.
    """
    domain = tally.domain
    bins = equal_bins(domain, bins).size - 1
    around, few = isinstance(domain, Circle), min(bins, COARSE_BINS)
    coarse = Evidence.of(tally, equal_bins(domain, few), COARSER)
    chosen = choose_strength(coarse, few, around=around) if strength is None else strength
    shares, steps = _fitted(coarse, smoother(few, chosen, around=around), np.full(few, 1.0 / few))
    if bins == few:
        return Fit(shares, chosen, steps)
    start = _stretched(shares, bins)
    fine = Evidence.of(tally, equal_bins(domain, bins))
    shares, more = _fitted(fine, smoother(bins, chosen, around=around), start)
    return Fit(shares, chosen, steps + more)


def fit_plainly(tally: Tally, bins: int) -> Fit:
    """Fit the distribution by plain EM; its strength is 0."""
    edges = equal_bins(tally.domain, bins)
    shares, steps = maximize(Evidence.of(tally, edges, PLAIN_COARSER), edges.size - 1)
    return Fit(shares, 0.0, steps)


@lru_cache(maxsize=8)
def fit_best(tally: Tally, bins: int) -> Fit:
    """Fit the smoothed distribution, or that of plain EM where the reports favour it.

    People who heap on round numbers leave spikes, which smoothing spreads and plain EM finds. Plain EM is
    taken if it predicts held-back reports better, or if χ² of all reports refutes the smoothed fit and plain
    EM explains much of the misfit.
    """
    smoothed = fit_smoothly(tally, bins)
    edges = equal_bins(tally.domain, bins)
    smooth = smoother(smoothed.shares.size, smoothed.strength, around=isinstance(tally.domain, Circle))
    kept, held = _fifths(Evidence.of(tally, edges, COARSER))
    expected = [_fitted(kept.rows(fold), smooth, smoothed.shares)[0] for fold in range(FIFTHS)]
    spiky, _ = maximize(kept, smoothed.shares.size)
    gain = float((held.likelihood(spiky) - held.likelihood(np.array(expected))).mean())
    evidence = Evidence.of(tally, edges, PLAIN_COARSER)
    misfit = evidence.misfit(smoothed.shares)
    if gain <= FAVOUR and misfit <= REFUTED:
        return smoothed
    plain = fit_plainly(tally, bins)
    explained = misfit - evidence.misfit(plain.shares)
    return plain if gain > FAVOUR or explained > REFUTED else smoothed


def choose_strength(evidence: Evidence, bins: int, *, around: bool) -> float:
    """Return the strongest smoothing that predicts held-back reports almost as well as the best."""
    kept, held = _splits(evidence, FOLDS)
    fits, scores = np.full((FOLDS, bins), 1.0 / bins), []
    for strength in LADDER:
        smooth = smoother(bins, strength, around=around)
        for fold in range(FOLDS):  # a stronger fit is a good start
            fits[fold], _ = _fitted(kept.rows(fold), smooth, fits[fold], ROUGHLY)
        scores.append(float(held.likelihood(fits).sum()))
        if scores[-1] < max(scores) - ENOUGH:
            break
    return next(LADDER[place] for place, score in enumerate(scores) if score >= max(scores) - CLOSE)


def smoother(bins: int, strength: float, *, around: bool) -> Smoother:
    """Return the heat flow among equal bins: reflected at walls, or wrapping round.

    The heat kernel of a chain of bins has eigenvalues e^(−v·(1 − cos ω)), with v the variance of the flow
    in squared bins; all its entries are positive.
    """
    if bins <= SMALL:
        flow = _heat(np.eye(bins), (strength * bins) ** 2, around=around)
        return lambda shares: _clean(flow @ shares)
    return lambda shares: _clean(_heat(shares, (strength * bins) ** 2, around=around))


def _heat(shares: Floats, variance: float, *, around: bool) -> Floats:
    """Let shares flow, along the first axis."""
    from scipy.fft import dct, idct  # noqa: PLC0415  (scipy is slow to load)

    bins = shares.shape[0]
    turn = 2 * np.pi / bins if around else np.pi / bins
    waves = np.exp(-variance * (1 - np.cos(turn * np.arange(bins))))
    waves = waves.reshape(-1, *[1] * (shares.ndim - 1))
    if around:
        return np.asarray(np.fft.ifft(np.fft.fft(shares, axis=0) * waves, axis=0).real)
    return np.asarray(idct(dct(shares, axis=0) * waves, axis=0))


def _stretched(shares: Floats, bins: int) -> Floats:
    """Shares of few bins spread over many, through their cumulative sum."""
    total = np.concatenate([[0.0], np.cumsum(shares)])
    return _clean(np.diff(np.interp(np.linspace(0, shares.size, bins + 1), np.arange(total.size), total)))


def _clean(shares: Floats) -> Floats:
    """Rounding may leave a share of −10⁻¹⁸; EM needs positive ones."""
    raised = np.maximum(shares, 1e-15)
    return np.asarray(raised / raised.sum())


def _fitted(
    evidence: Evidence, smooth: Smoother, start: Floats, settled: float = SETTLED
) -> tuple[Floats, int]:
    return settle(lambda shares: smooth(evidence.step(shares)), start, settled)


def _splits(evidence: Evidence, splits: int) -> tuple[Evidence, Evidence]:
    """Hold back a random fifth of the reports, several times: the reports kept and held back, by row."""
    random = np.random.default_rng(SEED)
    drawn = [
        [random.binomial(seen.astype(np.int64), 1 / FIFTHS) for seen in evidence.counts]
        for _ in range(splits)
    ]
    return _without(evidence, [np.array(rows, dtype=np.float64) for rows in zip(*drawn, strict=True)])


def _fifths(evidence: Evidence) -> tuple[Evidence, Evidence]:
    """Hold back each of five random fifths once, so that every report judges: kept and held back, by row."""
    random, even = np.random.default_rng(SEED), np.full(FIFTHS, 1 / FIFTHS)
    drawn = [random.multinomial(seen.astype(np.int64), even) for seen in evidence.counts]
    return _without(evidence, [parts.T.astype(np.float64) for parts in drawn])


def _without(evidence: Evidence, held: Sequence[Floats]) -> tuple[Evidence, Evidence]:
    kept = [seen - out for seen, out in zip(evidence.counts, held, strict=True)]
    return Evidence(evidence.channels, kept), Evidence(evidence.channels, held)
