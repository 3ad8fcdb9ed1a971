"""The distribution of the true values and its quantiles, from reports alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from noisewright.domains import FiniteDomain, Floats, Integers, Interval
from noisewright.errors import InvalidParameter
from noisewright.estimate.channel import countable, two_valued
from noisewright.estimate.em import MOST_FITTED, fit_best, fit_plainly
from noisewright.estimate.functional import Share
from noisewright.estimate.partition import equal_bins
from noisewright.estimate.result import LEVEL, SAMPLE, Estimate, Histogram
from noisewright.estimate.sandwich import Bracket, bracket, bracket_numbers, method_of, upper_ends
from noisewright.estimate.tally import Tally
from noisewright.mechanisms import Mechanism
from noisewright.parameters import whole
from noisewright.statistics.intervals import share_interval, standard_errors

METHODS: Final = ("smoothed", "em", "unbiased")
MOST_BINS: Final = 1024
ALONE: Final = 64
"""Bins up to which each gets the best functions of its own; twice as many of few whole numbers."""

FINE_BINS: Final = 128
"""Bins of the fit that the values of fewer bins are summed from."""


def distribution(
    reports: Any,
    mechanism: Mechanism | None = None,
    bins: int = 50,
    *,
    method: str = "smoothed",
    level: float = LEVEL,
) -> Histogram:
    """Estimate the share of people in each of equal bins, with an interval for each.

    The intervals hold for every population, smooth or heaped: they come from two functions of the reports
    that lie below and above the share for every true value (``sandwich.py``). On :class:`Interval` many
    people may have exactly the value of an edge; the intervals of both bins then reach from the share without
    these people to the share with them. On :class:`Integers` edges lie between whole numbers, and this cannot
    happen.

    Args:
        reports: Reports of ``mechanism``, or a :class:`Tally` of reports, or several tallies.
        mechanism: The mechanism that made the reports; a tally knows its own.
        bins: How many bins, from 2 to 1,024; of whole numbers at most one for each.
        method: How the values are found: "smoothed" EM, or plain EM where that predicts held-back reports
            better; plain "em"; or the "unbiased" middle of the two functions' averages, which may be
            negative. The intervals are the same, except that they are widened to include the value. With
            two whole numbers there is nothing to smooth: "smoothed" is then the unbiased middle, kept
            within 0 and 1.
        level: How often each interval holds the truth.

    >>> from noisewright import Interval
    >>> from noisewright.mechanisms import SW
    >>> from noisewright.randomness import SeededSource
    >>> mechanism = SW(Interval(0, 1), epsilon=1.0)
    >>> truth = np.random.default_rng(1).beta(2, 5, 100_000)
    >>> found = distribution(mechanism.perturb(truth, SeededSource(1)), mechanism, bins=10)
    >>> true = np.histogram(truth, found.edges)[0] / truth.size
    >>> bool(np.abs(found.value - true).sum() / 2 < 0.05)
    True
    """
    tally, bins = Tally.of(reports, mechanism), whole("bins", bins, 2, MOST_BINS)
    if isinstance(tally.domain, FiniteDomain):
        raise InvalidParameter("labels have no bins; ask for their frequencies")
    if method not in METHODS:
        raise InvalidParameter(f"a distribution's method is one of {', '.join(METHODS)}, not {method!r}")
    edges, reach = equal_bins(tally.domain, bins), standard_errors(level, tally.count)
    if method == "unbiased" and edges.size - 1 > ALONE and not _few_numbers(tally):
        raise InvalidParameter(
            f"unbiased shares are estimated for at most {ALONE} bins of an interval or a circle"
        )
    found = _bracket(tally, edges, reach)
    low, high = share_interval(*found.interval(reach))
    middle = method == "unbiased" or (method == "smoothed" and two_valued(tally.domain))
    values, steps, named = (found.middle, 0, "") if middle else _values(tally, edges, method)
    if method == "smoothed" and middle:
        values = np.clip(values, low, high)
    if not middle:
        low, high = np.minimum(low, values), np.maximum(high, values)
    return Histogram(
        values, (high - low) / (2 * reach), low, high,
        level=level, count=tally.count, method=method_of(tally, value=named),
        assumption=SAMPLE, edges=edges, iterations=steps,
    )  # fmt: skip


def _bracket(tally: Tally, edges: Floats, reach: float) -> Bracket:
    """Lower and upper averages of the bins' shares; each bin's own, unless there are many.

    Many bins of a continuum are too narrow to be told apart: each may be empty, and has at most as many
    people as the group of bins that it belongs to. Many bins of whole numbers share one inversion as well.
    """
    bins, shares = edges.size - 1, [Share(tally.domain, *ends) for ends in pairwise(edges.tolist())]
    few = isinstance(tally.domain, Integers) and tally.domain.size <= 2 * FINE_BINS
    if bins <= (2 * ALONE if few else ALONE):
        return bracket(tally, shares, reach)
    group = np.arange(bins) // -(-bins // ALONE)
    cuts = np.append(edges[:-1][np.flatnonzero(np.diff(group, prepend=-1))], edges[-1])
    if _few_numbers(tally):
        groups = [Share(tally.domain, *ends) for ends in pairwise(cuts.tolist())]
        return bracket_numbers(tally, shares, groups, group, reach)
    wide = _bracket(tally, cuts, reach)
    nothing = np.zeros(bins)
    return Bracket(nothing, nothing, wide.high[group], wide.high_stderr[group])


def _few_numbers(tally: Tally) -> bool:
    """Whether the true values are whole numbers, few enough for one inversion to tell them all apart."""
    return countable(tally.domain) and tally.domain.size <= MOST_BINS


def _values(tally: Tally, edges: Floats, method: str) -> tuple[Floats, int, str]:
    """The fitted shares of the bins, the steps of the fit, and a sentence on how they were found.

    The fit is made on finer bins, or on the whole numbers themselves: people need not be spread evenly over
    a bin.
    """
    bins = edges.size - 1
    whole = isinstance(tally.domain, Integers)
    fine = max(bins, MOST_FITTED) if whole else bins * max(1, FINE_BINS // bins)
    finer = equal_bins(tally.domain, fine)
    fit = fit_plainly(tally, fine) if method == "em" else fit_best(tally, fine)
    below = np.concatenate([[0.0], np.cumsum(fit.shares)])
    values = np.diff(np.interp(edges, finer, below))
    return values, fit.steps, fit.method


FITTED_BINS = 256
"""Bins of the fit of an interval."""

CUTS = 4096
"""Places at which an interval can be cut in two."""

PLACES = 8
EACH = 32
"""Cuts that are tried at a time: of an interval, and of whole numbers, where each is cheap."""

ROOM = 1.5
"""How far from the height of the fitted quantile cuts are tried first, in widths of the band there."""


def quantile(
    reports: Any, mechanism: Mechanism | None = None, share: ArrayLike = 0.5, *, level: float = LEVEL
) -> Estimate:
    """Estimate the least value at or below which a given share of the people lies; the median by default.

    A value can be the quantile if the share of people up to it may reach the given share, and the share below
    it may fall short of that. The interval reaches from the first to the last value that passes both tests
    (Woodruff's interval); the bands that it is read from hold for every population (``sandwich.py``). The
    value itself is by smoothed or plain EM.

    Args:
        reports: Reports of ``mechanism``, or a :class:`Tally` of reports, or several tallies.
        mechanism: The mechanism that made the reports; a tally knows its own.
        share: The share of people, or several, between 0 and 1.
        level: How often each interval holds the truth.

    >>> from noisewright import Interval
    >>> from noisewright.mechanisms import SW
    >>> from noisewright.randomness import SeededSource
    >>> mechanism = SW(Interval(0, 1), epsilon=2.0)
    >>> truth = np.random.default_rng(1).beta(2, 5, 100_000)
    >>> found = quantile(mechanism.perturb(truth, SeededSource(1)), mechanism, [0.25, 0.5])
    >>> bool((found.low < np.quantile(truth, [0.25, 0.5])).all())
    True
    """
    tally = Tally.of(reports, mechanism)
    if not isinstance(tally.domain, Interval):
        raise InvalidParameter("quantiles need an order from least to most, which only an interval has")
    wanted = np.atleast_1d(np.asarray(share, dtype=np.float64))
    if not ((wanted > 0) & (wanted < 1)).all():
        raise InvalidParameter("a quantile's share must lie between 0 and 1, for example 0.5 for the median")
    reach = standard_errors(level, tally.count)
    heights, edges, named = _fitted(tally)
    value = _inverse(heights, edges, tally.domain, wanted)
    found = [_Search(tally, reach, each).ends(heights, edges) for each in wanted.tolist()]
    low, high = np.array(found).T
    if isinstance(tally.domain, Integers):  # from the cuts to the whole numbers beside them
        low, high = np.ceil(low), np.floor(high)
    low, high = np.minimum(low, value), np.maximum(high, value)
    pick = (lambda array: float(array[0])) if np.ndim(share) == 0 else np.asarray
    return Estimate(
        pick(value),
        pick((high - low) / (2 * reach)),
        pick(low),
        pick(high),
        level=level,
        count=tally.count,
        method=method_of(tally, value=named),
        assumption=SAMPLE,
    )


def _inverse(heights: Floats, edges: Floats, domain: Interval, wanted: Floats) -> Floats:
    """Where the fitted cumulative distribution reaches given heights; whole numbers for a domain of those."""
    if isinstance(domain, Integers) and heights.size == domain.size + 1:
        reached = np.searchsorted(heights[1:-1], wanted - 1e-12)
        return np.asarray(domain.low + 0.5 + reached)
    value = np.asarray(np.interp(wanted, heights, edges))
    return domain.clip(value) if isinstance(domain, Integers) else value


def _fitted(tally: Tally) -> tuple[Floats, Floats, str]:
    """The fitted cumulative distribution, where it is known, and a sentence on how it was found."""
    bins = MOST_FITTED if countable(tally.domain) else FITTED_BINS
    fit = fit_best(tally, bins)
    heights = np.concatenate([[0.0], np.cumsum(fit.shares)])
    return heights, equal_bins(tally.domain, bins), fit.method


class _Search:
    """The search for the ends of a quantile's interval among the places where a domain can be cut in two.

    Whole numbers are cut between any two of them, an interval at ``CUTS`` places. If the people up to a cut
    may reach the wanted share, the quantile may lie before the cut; if they may fall short of it, after it.
    Only cuts near the fitted quantile are tried, and then finer ones around the first and the last that pass.
    """

    def __init__(self, tally: Tally, reach: float, wanted: float) -> None:
        domain = tally.domain
        inner = (
            domain.values[:-1] + 0.5
            if countable(domain)
            else np.linspace(domain.low, domain.high, CUTS + 1)[1:-1]
        )
        self.cuts = np.asarray(inner)
        self.edges = np.concatenate([[domain.low], inner, [domain.high]])
        self._tally, self._reach, self._wanted = tally, reach, wanted
        self._each = PLACES if not countable(domain) else EACH

    def ends(self, heights: Floats, edges: Floats) -> tuple[float, float]:
        """Return the cuts between which the quantile lies; ends of the domain where no cut bounds it."""
        at = self._nearest(heights, edges, self._wanted)
        band = next(self._most_below([at])) + next(self._most_above([at])) - 1
        room = ROOM * abs(band)
        first = min(self._nearest(heights, edges, self._wanted - room), at)
        last = max(self._nearest(heights, edges, self._wanted + room), at)
        return self._lower(first, at), self._upper(at, last)

    def _lower(self, first: int, last: int) -> float:
        """The last cut before all that the quantile may lie before."""
        while True:
            tried = self._sample(first, last)
            found = _first(self._may_be_before(tried), tried.size)
            if found == 0 and first > 0:
                first = max(0, 2 * first - last - 1)
            elif found == tried.size and last < self.cuts.size - 1:
                last = min(self.cuts.size - 1, 2 * last - first + 1)
            else:
                break
        outside, inside = np.concatenate([[first - 1], tried, [last + 1]])[found : found + 2].tolist()
        finer = self._sample(outside + 1, inside - 1)
        found = _first(self._may_be_before(finer), finer.size)
        return float(self.edges[np.append(outside, finer)[found] + 1])

    def _upper(self, first: int, last: int) -> float:
        """The first cut after all that the quantile may lie after."""
        while True:
            tried = self._sample(first, last)
            found = tried.size - _first(self._may_be_after(tried[::-1]), tried.size)
            if found == tried.size and last < self.cuts.size - 1:
                last = min(self.cuts.size - 1, 2 * last - first + 1)
            elif found == 0 and first > 0:
                first = max(0, 2 * first - last - 1)
            else:
                break
        inside, outside = np.concatenate([[first - 1], tried, [last + 1]])[found : found + 2].tolist()
        finer = self._sample(inside + 1, outside - 1)
        found = finer.size - _first(self._may_be_after(finer[::-1]), finer.size)
        return float(self.edges[np.append(finer, outside)[found] + 1])

    def _nearest(self, heights: Floats, edges: Floats, height: float) -> int:
        place = np.interp(height, heights, edges)
        return int(np.clip(np.searchsorted(self.cuts, place), 0, self.cuts.size - 1))

    def _sample(self, first: int, last: int) -> NDArray[np.int64]:
        """Cuts from the first to the last, evenly, not too many."""
        size = max(last - first + 1, 0)
        return np.unique(np.linspace(first, last, min(size, self._each)).round().astype(np.int64))

    def _may_be_before(self, cuts: Iterable[int]) -> Iterator[bool]:
        return (share >= self._wanted for share in self._most_below(cuts))

    def _may_be_after(self, cuts: Iterable[int]) -> Iterator[bool]:
        return (1 - share < self._wanted for share in self._most_above(cuts))

    def _most_below(self, cuts: Iterable[int]) -> Iterator[float]:
        """The largest share of people that may lie before each cut."""
        domain = self._tally.domain
        shares = (Share(domain, domain.low, float(self.cuts[cut])) for cut in cuts)
        return upper_ends(self._tally, shares, self._reach)

    def _most_above(self, cuts: Iterable[int]) -> Iterator[float]:
        """The largest share of people that may lie after each cut."""
        domain = self._tally.domain
        shares = (Share(domain, float(self.cuts[cut]), domain.high) for cut in cuts)
        return upper_ends(self._tally, shares, self._reach)


def _first(passed: Iterator[bool], size: int) -> int:
    """The place of the first that passes, or one beyond the last; the rest are never computed."""
    return next((place for place, passes in enumerate(passed) if passes), size)
