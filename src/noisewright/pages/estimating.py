"""Asking a collection of reports everything at once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from noisewright.domains import Bins, FiniteDomain, Interval
from noisewright.domains.finite import MOST_LABELS
from noisewright.engine.tallies import Tallies
from noisewright.errors import InvalidParameter, NoisewrightError
from noisewright.estimate import Tally, distribution, frequencies, mean, quantile, variance
from noisewright.estimate.consistency import check_choice
from noisewright.estimate.distributions import METHODS, MOST_BINS
from noisewright.estimate.intervals import CONFIDENCE
from noisewright.pages.estimates import ColumnEstimates, Estimates
from noisewright.pages.label_estimates import TOP, BinEstimates, LabelEstimates
from noisewright.parameters import whole

QUARTILES = (0.25, 0.5, 0.75)


@dataclass(frozen=True)
class Request:
    """What is asked about every column, checked before any report is read.

    >>> Request(bins=1)
    Traceback (most recent call last):
    ...
    noisewright.errors.InvalidParameter: bins must be a whole number from 2 to 1024, got 1
    """

    bins: int = 20
    shares: tuple[float, ...] = QUARTILES
    method: str = "smoothed"
    level: float = 0.95
    consistency: str = "none"
    top: int | None = TOP

    def __post_init__(self) -> None:
        whole("bins", self.bins, 2, MOST_BINS)
        CONFIDENCE.check(self.level)
        if self.method not in METHODS:
            raise InvalidParameter(f"method must be one of {', '.join(METHODS)}, got {self.method!r}")
        check_choice(self.consistency)
        if self.top is not None:
            whole("top", self.top, 1, MOST_LABELS)
        for share in self.shares:
            if not 0 < share < 1:
                raise InvalidParameter(
                    f"a quantile is asked for by a share between 0 and 1, got {share:g}; the median is 0.5"
                )


def estimate_all(
    tallies: Tallies,
    request: Request | None = None,
    progress: Callable[[int, int | None], None] | None = None,
) -> Estimates:
    """Everything that is asked about every column; ``progress`` is told how many reports are dealt with.

    >>> import numpy as np, pyarrow as pa
    >>> from noisewright.engine import perturb_table, tally_table
    >>> from noisewright.mechanisms import SW
    >>> readings = pa.table({"pulse": np.random.default_rng(1).normal(80, 10, 20_000)})
    >>> found = estimate_all(tally_table(perturb_table(readings, {"pulse": SW(Interval(0, 200), 4.0)})))
    >>> bool(found.columns[0].mean.low < 80.5 and found.columns[0].mean.high > 79.5)
    True
    """
    request = request or Request()
    total, done = sum(tally.count for tally in tallies.values()), 0
    columns = []
    for name, tally in tallies.items():
        columns.append(_about(name, tally, request))
        done += tally.count
        if progress:
            progress(done, total)
    return Estimates(tallies, tuple(columns))


def _about(name: str, tally: Tally, request: Request) -> ColumnEstimates | LabelEstimates:
    """The estimates of one column; a refusal names it."""
    ask = _labels if isinstance(tally.domain, FiniteDomain) else _numbers
    try:
        return ask(name, tally, request)
    except NoisewrightError as refusal:
        raise type(refusal)(f"column {name!r}: {refusal}") from None


def _labels(name: str, tally: Tally, request: Request) -> LabelEstimates:
    found = frequencies(tally, level=request.level, consistency=request.consistency)
    kind = BinEstimates if isinstance(tally.domain, Bins) else LabelEstimates
    return kind(name, tally, found, request.top)


def _numbers(name: str, tally: Tally, request: Request) -> ColumnEstimates:
    level, line = request.level, isinstance(tally.domain, Interval)
    return ColumnEstimates(
        name,
        tally,
        mean=mean(tally, level=level),
        variance=variance(tally, level=level) if line else None,
        shares=request.shares,
        quantiles=quantile(tally, share=request.shares, level=level) if line else None,
        histogram=distribution(tally, bins=request.bins, method=request.method, level=level),
    )
