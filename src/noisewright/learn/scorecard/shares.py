"""Shares of people in cells, ratios and differences of them, with intervals that hold, from noisy cells.

Each person is in one cell of a table, and reports it through k-ary randomized response. Whether a report is
in a set S of cells is one coin of chance

    ρ(S) = |S| · miss + (hit − miss) · P(S),

so the count has a binomial law and the *share* P(S) an exact interval (Clopper and Pearson 1934).

Of two disjoint sets, let τ be the chance of a report in either and θ that such a report is in the first.
Given how many are in either, the first's count is binomial with chance θ exactly. With b = |S|/|S ∪ T|:

    ratio       P(S)/(P(S) + P(T)) = b + (θ − b) · τ/(τ − |S ∪ T| · miss)
    difference  P(S) − P(T)        = (2θ − 1) · τ/(hit − miss)          if both have equally many cells.

Both are monotone in θ and in τ, so exact intervals of θ and of τ give an interval of each, at the sum of
the two errors. τ gets a tenth of the allowed error: it moves the result far less (Berger and Boos 1994).

Cells that were observed instead of reported are the case hit = 1, miss = 0.

**Balanced accuracy** is a mean of ratios whose denominators are known by noisy counts; its interval is
conservative on purpose. Given how many reports name each true class, the numbers found in the classes are
independent binomials. So the chances of being reported as found are each within an exact interval (their
errors add up). What is left is the share of the classes. With two classes it is *one* number, which raises
one recall as it lowers the other; the mean is taken at the worst value that the answers leave possible.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from noisewright.domains import Cells, Floats
from noisewright.errors import InvalidParameter
from noisewright.estimate import Estimate
from noisewright.estimate.result import SAMPLE
from noisewright.statistics.intervals import exact_chance, share_interval, within

METHOD: Final = "exact binomial (Clopper-Pearson) intervals of the counts, mapped through the channel"


def share_estimate(value: Any, stderr: Any, low: Any, high: Any, alpha: float, people: int) -> Estimate:
    """Return an estimate from counts, with its numbers as floats."""
    numbers = (float(value), float(stderr), float(low), float(high))
    return Estimate(*numbers, level=1 - alpha, count=people, method=METHOD, assumption=SAMPLE)


def stack_estimates(estimates: Sequence[Estimate], shape: tuple[int, ...] = (-1,)) -> Estimate:
    """Return estimates from the same reports as one estimate of arrays."""
    names = ("value", "stderr", "low", "high")
    arrays: dict[str, Any] = {
        name: np.array([getattr(each, name) for each in estimates]).reshape(shape) for name in names
    }
    return replace(estimates[0], **arrays)


OUTWARD: Final = 1e-9
"""How far ends of chances are moved apart: more than rounding, and than the 2⁻³² that cells are uneven by."""

NUISANCE: Final = 0.1
"""The part of the allowed error that is spent on τ."""

UNBOUNDED: Final = 1e12
"""A boost after which a ratio may be anything: any lean that is more than rounding leaves 0 to 1."""

Chosen = NDArray[np.bool_]
"""A selection of cells of the table."""


@dataclass(frozen=True, eq=False)
class CellShares:
    """Counts of reports in the cells of a table, and the channel that they came through.

    >>> cells = CellShares(np.array([[30, 10], [5, 55]]))
    >>> print(cells.share(np.eye(2, dtype=bool), 0.05))
    0.85 (95 % interval 0.764692 to 0.913546, 100 reports)
    """

    counts: Cells
    hit: float = 1.0
    miss: float = 0.0

    def __post_init__(self) -> None:
        if not self.people:
            raise InvalidParameter("a scorecard needs at least one answer")

    @property
    def people(self) -> int:
        """How many reports there are."""
        return int(self.counts.sum())

    def share(self, chosen: Chosen, alpha: float) -> Estimate:
        """Estimate the share of people in the chosen cells; the interval misses it with at most ``alpha``."""
        rates = np.array([self._rate(chosen), *self.rate_ends(chosen, alpha)])
        value, low, high = (rates - self.by_chance(chosen)) / self._slope
        return self._estimate(value, self.spread(chosen / self._slope), low, high, alpha)

    def ratio(self, part: Chosen, whole: Chosen, alpha: float) -> Estimate:
        """Estimate the share of people of ``whole`` who are in ``part``; NaN if nobody seems to be in it."""
        base, known = part.sum() / whole.sum(), self.error_of_rate(alpha)
        lean_low, lean_high = self.lean_ends(part, whole, alpha - known)
        most, least = (self.boost(end, whole) for end in self.rate_ends(whole, known))
        low = base + lean_low * (least if lean_low > 0 else most)
        high = base + lean_high * (most if lean_high > 0 else least)
        value, stderr = self.ratio_value(part, whole), self.spread(self.ratio_slope(part, whole))
        return self._estimate(value, stderr, low, high, alpha)

    def difference(self, first: Chosen, second: Chosen, alpha: float) -> Estimate:
        """Estimate the share in the first cells less that in the second, disjoint and equally many."""
        either, known = first | second, NUISANCE * alpha
        lean_low, lean_high = (2 * end - 1 for end in self._portion_ends(first, either, alpha - known))
        least, most = (end / self._slope for end in self.rate_ends(either, known))
        low = lean_low * (least if lean_low > 0 else most)
        high = lean_high * (most if lean_high > 0 else least)
        gradient = (first.astype(np.float64) - second) / self._slope
        value = float((gradient * self.counts).sum()) / self.people
        ends = within(low, high, (-1.0, 1.0))
        return share_estimate(np.clip(value, -1.0, 1.0), self.spread(gradient), *ends, alpha, self.people)

    def ratio_value(self, part: Chosen, whole: Chosen) -> float:
        """Return the estimated ratio by itself, within 0 and 1."""
        seen, of = self._visible(part), self._visible(whole)
        return float(np.clip(seen / of, 0.0, 1.0)) if of > 0 else np.nan

    def ratio_slope(self, part: Chosen, whole: Chosen) -> Floats:
        """Return how the estimated ratio changes with the rate of each cell (for standard errors)."""
        of = self._visible(whole)
        if of <= 0:
            return np.full(self.counts.shape, np.inf)
        return np.asarray((part - self.ratio_value(part, whole) * whole) / of)

    def spread(self, slope: Floats) -> float:
        """Return the standard error of an estimate that changes by ``slope`` with the rate of each cell."""
        if not np.isfinite(slope).all():
            return np.inf
        # Rates are kept within what the channel can produce: ten reports that all agree leave doubt.
        rates = np.clip(self.counts / self.people, self.miss, self.hit)
        rates = rates / rates.sum()
        variance = (slope**2 * rates).sum() - (slope * rates).sum() ** 2
        return float(np.sqrt(max(variance, 0.0) / max(self.people - 1, 1)))

    # -- exact pieces ----------------------------------------------------------------------------------

    def error_of_rate(self, alpha: float) -> float:
        """Return the part of an allowed error that a ratio spends on τ; without noise it does not matter."""
        return 0.0 if self.miss == 0 else NUISANCE * alpha

    def rate_ends(self, chosen: Chosen, alpha: float) -> tuple[float, float]:
        """Return the possible chances of a report in the chosen cells; all, if no error is allowed."""
        if alpha == 0:
            return 0.0, 1.0
        return _chance_ends(int(self.counts[chosen].sum()), self.people, alpha)

    def lean_ends(self, part: Chosen, whole: Chosen, alpha: float) -> tuple[float, float]:
        """Return how much likelier a report of the whole may be in the part than by chance: θ − b."""
        base = float(part.sum() / whole.sum())
        low, high = self._portion_ends(part, whole, alpha)
        return low - base, high - base

    def by_chance(self, chosen: Chosen) -> float:
        """Return how often a report is in the chosen cells though its person is not: the least rate."""
        return float(chosen.sum() * self.miss)

    def boost(self, rate: float, whole: Chosen) -> float:
        """Return how much farther true people lean than their reports do: τ/(τ − |whole| · miss).

        It is kept below a number that stands for "unbounded", where all reports may be by chance.
        """
        if self.miss == 0:
            return 1.0
        more = rate - self.by_chance(whole)
        return min(rate / more, UNBOUNDED) if more > 0 else UNBOUNDED

    # -- rates of reports ------------------------------------------------------------------------------

    @property
    def _slope(self) -> float:
        return self.hit - self.miss

    def _rate(self, chosen: Chosen) -> float:
        return float(self.counts[chosen].sum()) / self.people

    def _visible(self, chosen: Chosen) -> float:
        """Return the rate of reports beyond chance."""
        return self._rate(chosen) - self.by_chance(chosen)

    def _portion_ends(self, part: Chosen, whole: Chosen, alpha: float) -> tuple[float, float]:
        """Return the possible chances that a report of the whole is in the part."""
        return _chance_ends(int(self.counts[part].sum()), int(self.counts[whole].sum()), alpha)

    def _estimate(self, value: float, stderr: float, low: float, high: float, alpha: float) -> Estimate:
        """Return an estimate of a share, with everything brought within 0 and 1."""
        ends = share_interval(np.array(low), np.array(high))
        return share_estimate(np.clip(value, 0.0, 1.0), stderr, *ends, alpha, self.people)


def _chance_ends(hits: int, people: int, alpha: float) -> tuple[float, float]:
    """Return the chances of a hit that a count leaves possible, moved outward (even beyond 0 and 1)."""
    if not people:
        return 0.0 - OUTWARD, 1.0 + OUTWARD
    low, high = exact_chance(hits, people, alpha)
    return float(low) - OUTWARD, float(high) + OUTWARD


def balanced_ends(
    cells: CellShares, found: Sequence[Chosen], true: Sequence[Chosen], alpha: float
) -> tuple[float, float]:
    """Return the ends between which the mean recall lies, except with probability ``alpha``.

    ``true`` are the cells of each class, ``found`` those among them in which it is predicted.

    >>> true = [np.array([[True, False]] * 2), np.array([[False, True]] * 2)]
    >>> found = [true[0] & [[True], [False]], true[1] & [[False], [True]]]
    >>> ends = balanced_ends(CellShares(np.array([[60, 10], [5, 25]])), found, true, 0.05)
    >>> [round(end, 3) for end in ends]
    [0.664, 0.924]
    """
    if len(true) == 2:
        low, high = _two_ends(cells, found, true, alpha)
    else:  # the means of the ends of all recalls, each of which may miss with its part of the error
        pairs = zip(found, true, strict=True)
        recalls = stack_estimates([cells.ratio(some, whole, alpha / len(true)) for some, whole in pairs])
        low, high = float(recalls.low.mean()), float(recalls.high.mean())
    if low > high:  # answers that no truth explains show nothing
        return 0.0, 1.0
    return float(np.clip(low, 0, 1)), float(np.clip(high, 0, 1))


def _two_ends(
    cells: CellShares, found: Sequence[Chosen], true: Sequence[Chosen], alpha: float
) -> tuple[float, float]:
    """Return the extremes over the one share of two classes, while both recalls stay between 0 and 1."""
    known = cells.error_of_rate(alpha)
    pairs = list(zip(found, true, strict=True))
    leans = np.array([cells.lean_ends(some, whole, (alpha - known) / 2) for some, whole in pairs])
    base = np.array([some.sum() / whole.sum() for some, whole in pairs])
    rates = cells.rate_ends(true[1], known)
    lows, highs = (base + _reaches(cells, true, lean, rates) for lean in leans.T)
    # Two bounds from the same exact pieces, so both hold at once: the worst mean, and the mean of the worst.
    low = max(lows.mean(axis=1).min(), lows.clip(0, 1).min(axis=0).mean())
    high = min(highs.mean(axis=1).max(), highs.clip(0, 1).max(axis=0).mean())
    return float(low), float(high)


def _reaches(cells: CellShares, true: Sequence[Chosen], leans: Floats, ends: tuple[float, float]) -> Floats:
    """Return how far each recall is above chance, one row for each rate of class 1 that may be worst.

    The mean of both boosted leans is extreme at the ends, or where its slope is zero: the boost is
    1 + h/(τ − h), so that is where lean₁/(τ − h)² = lean₀/(1 − τ − h)².
    """
    by_chance = cells.by_chance(true[1])
    roots = np.sqrt(np.abs(leans))
    level = by_chance + (1 - 2 * by_chance) * roots[1] / max(roots.sum(), np.finfo(float).tiny)
    rates = [*ends, float(np.clip(level, *ends))]
    boosts = [[cells.boost(1 - rate, true[0]), cells.boost(rate, true[1])] for rate in rates]
    return np.asarray(leans * np.array(boosts))


@dataclass(frozen=True, eq=False)
class ClassShares:
    """Cells of a table whose columns are the true classes; ``said`` is the predicted class of each row.

    >>> found = ClassShares(CellShares(np.array([[60, 10], [5, 25]])), np.array([0, 1]))
    >>> found.accuracy(0.05).value, found.majority(0.05)[0], round(found.balanced_accuracy(0.05).value, 4)
    (0.85, 0, 0.8187)
    """

    cells: CellShares
    said: Cells

    def accuracy(self, alpha: float) -> Estimate:
        """Estimate the share of people whose class is predicted."""
        return self.cells.share(self._right, alpha)

    def predicted(self, alpha: float) -> Estimate:
        """Estimate the share of people predicted to be in each class."""
        return stack_estimates([self.cells.share(self._said(code), alpha) for code in self._codes])

    def confusion(self, alpha: float) -> Estimate:
        """Return the share of every pair [predicted, true] of classes among all people."""
        pairs = [self._said(one) & self._true(other) for one in self._codes for other in self._codes]
        return stack_estimates([self.cells.share(pair, alpha) for pair in pairs], (len(self._codes), -1))

    def recall(self, alpha: float) -> Estimate:
        """Estimate the share of the people of each class who are found."""
        return stack_estimates(
            [self.cells.ratio(self._found(code), self._true(code), alpha) for code in self._codes]
        )

    def balanced_accuracy(self, alpha: float) -> Estimate:
        """Return the mean recall of the classes."""
        found, true = ([each(code) for code in self._codes] for each in (self._found, self._true))
        value = np.mean(list(map(self.cells.ratio_value, found, true)))
        slope = np.mean(list(map(self.cells.ratio_slope, found, true)), axis=0)
        ends = balanced_ends(self.cells, found, true, alpha)
        return share_estimate(value, self.cells.spread(slope), *ends, alpha, self.cells.people)

    def majority(self, alpha: float) -> tuple[int, Estimate]:
        """Return the code of the class that seems most frequent, and the share of the most frequent class.

        The largest share lies between the largest low and the largest high end if all classes are within
        their intervals. With two classes the intervals mirror each other, so they miss together.
        """
        count = len(self._codes)
        part = alpha if count == 2 else alpha / count
        shares = stack_estimates([self.cells.share(self._true(code), part) for code in self._codes])
        most = int(np.argmax(shares.value))
        low, high = max(shares.low.max(), 1 / count), shares.high.max()
        return most, share_estimate(
            shares.value[most], shares.stderr[most], low, high, alpha, self.cells.people
        )

    def advantage(self, alpha: float) -> Estimate:
        """Estimate the accuracy less the rate of the majority class, from the same answers.

        Against class c only people count whom the rule gets right in other classes, or wrong in class c. For
        everybody else the constant answer c does as well. The advantage is the least over all c, so a low
        end needs the whole error for the true majority class only; a high end shares it among all.
        """
        rivals = [self._against(code, alpha) for code in self._codes]
        shared = [self._against(code, alpha / len(rivals)) for code in self._codes]
        closest = min(rivals, key=lambda rival: float(rival.value))
        low, high = min(rival.low for rival in rivals), min(rival.high for rival in shared)
        return replace(closest, low=low, high=high)

    def _against(self, code: int, alpha: float) -> Estimate:
        """Return the accuracy less the share of one class."""
        elsewhere = ~self._said(code)
        return self.cells.difference(elsewhere & self._right, elsewhere & self._true(code), alpha)

    # -- sets of cells ---------------------------------------------------------------------------------

    @property
    def _codes(self) -> range:
        return range(self.cells.counts.shape[1])

    @property
    def _right(self) -> Chosen:
        return np.asarray(self.said[:, None] == np.arange(len(self._codes)))

    def _said(self, code: int) -> Chosen:
        return np.repeat((self.said == code)[:, None], len(self._codes), axis=1)

    def _true(self, code: int) -> Chosen:
        return np.tile(np.arange(len(self._codes)) == code, (len(self.said), 1))

    def _found(self, code: int) -> Chosen:
        return self._said(code) & self._true(code)
