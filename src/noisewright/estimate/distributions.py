"""The whole distribution of the true values, from reports alone."""

from __future__ import annotations

from itertools import pairwise
from typing import Any, Final

import numpy as np

from noisewright.domains import FiniteDomain, Floats, Integers
from noisewright.errors import InvalidParameter
from noisewright.estimate import words
from noisewright.estimate.channel import countable, two_valued
from noisewright.estimate.em import MOST_FITTED, fit_best, fit_plainly
from noisewright.estimate.functional import Share
from noisewright.estimate.partition import equal_bins
from noisewright.estimate.result import LEVEL, Histogram
from noisewright.estimate.sandwich import Bracket, bracket, bracket_numbers
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
    """The share of people in each of equal bins, with an interval for each.

    The intervals hold for every population, smooth or heaped: they come from two functions of the reports
    that lie below and above the share for every true value (``sandwich.py``). On :class:`Interval` an edge
    between two bins may cut through people who all have that very value; both bins' intervals then reach from
    without to with them. On :class:`Integers` edges lie between whole numbers and this cannot happen.

    Args:
        reports: Reports of ``mechanism``, or a :class:`Tally` of reports, or several tallies.
        mechanism: The mechanism that made the reports; a tally knows its own.
        bins: How many bins, from 2 to 1,024; of whole numbers at most one for each.
        method: How the values are found: "smoothed" EM, or plain EM where that predicts held-back reports
            better; plain "em"; or the "unbiased" middle of the two functions' averages, which may be
            negative. The intervals are the same, but for being widened to include the value. Between two
            whole numbers nothing is to be smoothed: "smoothed" then is the unbiased middle, kept within 0
            and 1.
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
            f"unbiased shares are told for at most {ALONE} bins of an interval or a circle"
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
        level=level, count=tally.count, method=words.method(tally, value=named),
        assumption=words.SAMPLE, edges=edges, iterations=steps,
    )  # fmt: skip


def _bracket(tally: Tally, edges: Floats, reach: float) -> Bracket:
    """Lower and upper averages of the bins' shares; each bin's own, unless there are many.

    No bin has more people than the group of bins that it belongs to, and each may be empty: so much is told
    of many bins of a continuum, which are too narrow to be told apart. Many bins of whole numbers share one
    inversion, besides.
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
    """Whether the true values are whole numbers, few enough for all of them to be told apart at once."""
    return countable(tally.domain) and tally.domain.size <= MOST_BINS


def _values(tally: Tally, edges: Floats, method: str) -> tuple[Floats, int, str]:
    """The fitted shares of the bins, the steps it took, and how they were found in words.

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
    return values, fit.steps, words.SMOOTHED if fit.strength else words.PLAIN
