"""The whole distribution of the true values, from reports alone."""

from __future__ import annotations

from itertools import pairwise
from typing import Any, Final

import numpy as np

from noisewright.domains import FiniteDomain, Floats
from noisewright.errors import InvalidParameter
from noisewright.estimate import words
from noisewright.estimate.em import Evidence, maximize
from noisewright.estimate.intervals import into_box, share_interval, standard_errors
from noisewright.estimate.inversion import inversion_of
from noisewright.estimate.partition import Functional, equal_bins
from noisewright.estimate.result import LEVEL, Histogram
from noisewright.estimate.smoothing import fit_smoothly
from noisewright.estimate.tally import Tally
from noisewright.mechanisms import Mechanism
from noisewright.parameters import whole

METHODS: Final = ("smoothed", "em", "unbiased")
MOST_BINS: Final = 1024


def distribution(
    reports: Any,
    mechanism: Mechanism | None = None,
    bins: int = 50,
    *,
    method: str = "smoothed",
    level: float = LEVEL,
) -> Histogram:
    """The share of people in each of equal bins, with an interval for each.

    The intervals come from unbiased functions of the reports and lean on no smoothness. The values are by
    ``method``: "smoothed" EM, held within the intervals; plain "em"; or the "unbiased" ones themselves, which
    may be negative. The more bins, the wider their intervals: a bin of its own is hard to tell apart.

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
    found = inversion_of(tally).bounds([_inside(*ends) for ends in pairwise(edges)], bins)
    low, high = share_interval(*found.interval(reach))
    values, steps = found.value, 0
    if method == "em":
        values, steps = maximize(Evidence.of(tally, edges), bins)
    elif method == "smoothed":
        fit = fit_smoothly(tally, bins)
        values, steps = into_box(fit.shares, low, high), fit.steps
    named = {"smoothed": words.SMOOTHED, "em": "plain EM", "unbiased": ""}[method]
    return Histogram(
        values, found.stderr, low, high,
        level=level, count=tally.count, method=words.method(found, value=named),
        assumption=words.assumptions(words.EVEN), edges=edges, iterations=steps,
    )  # fmt: skip


def _inside(low: float, high: float) -> Functional:
    """The share of each bin that lies between two ends."""

    def share(edges: Floats) -> Floats:
        overlap = np.minimum(edges[1:], high) - np.maximum(edges[:-1], low)
        return np.asarray(np.clip(overlap / np.diff(edges), 0.0, 1.0))

    return share
