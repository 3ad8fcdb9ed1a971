"""All estimates of all columns of a collection of reports.

>>> import numpy as np, pyarrow as pa
>>> from noisewright import Interval
>>> from noisewright.io import perturb_table, tally_table
>>> from noisewright.mechanisms import SW
>>> readings = pa.table({"pulse": np.random.default_rng(1).normal(80, 10, 20_000)})
>>> found = estimate_all(tally_table(perturb_table(readings, {"pulse": SW(Interval(0, 200), 4.0)})))
>>> bool(found.columns[0].mean.low < 80.5 and found.columns[0].mean.high > 79.5)
True
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

import numpy as np

from noisewright.design.blind_spots import blind_spots, only_mean
from noisewright.domains import Bins, FiniteDomain, Interval
from noisewright.domains.finite import MOST_LABELS
from noisewright.errors import InvalidParameter, NoisewrightError
from noisewright.estimate import (
    Estimate,
    Frequencies,
    Histogram,
    Tally,
    distribution,
    frequencies,
    mean,
    quantile,
    variance,
)
from noisewright.estimate.consistency import check_choice
from noisewright.estimate.distributions import METHODS, MOST_BINS
from noisewright.estimate.partition import common_zones
from noisewright.io.tallies import Tallies
from noisewright.parameters import whole
from noisewright.progress import Progress
from noisewright.report import Report, Reportable
from noisewright.statistics import CONFIDENCE

if TYPE_CHECKING:
    from matplotlib.figure import Figure

QUARTILES = (0.25, 0.5, 0.75)

TOP = 20
"""Labels that a report shows unless more are asked for."""

UNKNOWN = "unknown"
"""Stands for a number that the reports leave open."""


@dataclass(frozen=True)
class EstimateRequest:
    """The questions about every column, checked before any report is read.

    Attributes:
        bins: Bins of a histogram, 2 to 1,024.
        shares: Quantiles, by the share of people below each.
        method: How the bars of a histogram are found: "smoothed", "em" or "unbiased".
        level: How often each interval holds the truth.
        consistency: How shares of labels are made to sum to 1: "none", "norm-sub" or "em".
        top: Labels that a report shows, the most frequent first; None shows all.

    >>> EstimateRequest(bins=1)
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
            raise InvalidParameter(
                f"must be one of {', '.join(METHODS)}, got {self.method!r}", field="method"
            )
        check_choice(self.consistency)
        if self.top is not None:
            whole("top", self.top, 1, MOST_LABELS)
        for share in self.shares:
            if not 0 < share < 1:
                raise InvalidParameter(
                    f"must be shares of people between 0 and 1, got {share:g}; the median is 0.5",
                    field="quantile",
                )


@dataclass(frozen=True, eq=False)
class ColumnEstimates:
    """The estimates of one column of numbers; hours and bearings have no variance and no quantiles."""

    name: str
    tally: Tally
    mean: Estimate
    variance: Estimate | None
    shares: tuple[float, ...]
    quantiles: Estimate | None
    histogram: Histogram

    @property
    def level(self) -> float:
        """How often each interval holds the truth."""
        return self.mean.level

    @property
    def deviation(self) -> Estimate | None:
        """The standard deviation: the root of the variance and of its ends."""
        return None if self.variance is None else _root(self.variance)

    @property
    def undivided(self) -> list[tuple[float, float]]:
        """Stretches of values, longer than a bin, that cannot be told apart: their reports have one law."""
        zones = common_zones([group.mechanism for group in self.tally.groups])
        bin_width = float(np.diff(self.histogram.edges).min())
        return [(low, high) for low, high in zones if high - low > bin_width * (1 + 1e-9)]

    @property
    def left_open(self) -> tuple[str, ...]:
        """What these reports leave open, however many there are."""
        return left_open(self.tally)

    @property
    def only_mean(self) -> bool:
        """Whether the reports reveal the mean only, so that no other number is shown."""
        return all(only_mean(group.mechanism) for group in self.tally.groups)

    def parts(self) -> dict[str, Estimate]:
        """Return the estimates by name: those that the domain has and the reports allow."""
        if self.only_mean:
            return {"mean": self.mean}
        direction = "mean" if self.variance is not None else "mean direction"
        found = {
            direction: self.mean,
            "standard deviation": self.deviation,
            "quantiles": self.quantiles,
            "shares of bins": self.histogram,
        }
        return {what: estimate for what, estimate in found.items() if estimate is not None}

    def to_dict(self) -> dict[str, Any]:
        """Return the column in strict JSON values."""
        found: dict[str, Any] = {
            "domain": self.tally.domain.to_dict(),
            "reports": self.tally.count,
            "mechanisms": mechanisms_of(self.tally),
            "mean": self.mean.to_dict(),
        }
        for name in ("variance", "deviation", "quantiles"):
            if (estimate := getattr(self, name)) is not None:
                found["standard_deviation" if name == "deviation" else name] = estimate.to_dict()
        if self.quantiles is not None:
            found["quantiles"]["shares"] = list(self.shares)
        found |= {"histogram": self.histogram.to_dict(), "undivided": list(map(list, self.undivided))}
        return found | {"left_open": list(self.left_open)}


@dataclass(frozen=True, eq=False)
class LabelEstimates:
    """The shares of one column of labels, and the number of labels to show (``None`` for all)."""

    name: str
    tally: Tally
    frequencies: Frequencies
    top: int | None = TOP

    @property
    def level(self) -> float:
        """How often each interval holds the truth."""
        return self.frequencies.level

    @property
    def kind(self) -> str:
        """The word for one of its entries: label, or bin."""
        return str(self.tally.domain.label_word)

    def shown(self, most: int | None = None) -> Frequencies:
        """Return the labels with the largest estimates, largest first: ``most`` of them, or ``top``."""
        return self.frequencies.top(most or self.top or len(self.frequencies.labels))

    @property
    def left_open(self) -> tuple[str, ...]:
        """What these reports leave open, however many there are."""
        return left_open(self.tally)

    def parts(self) -> dict[str, Estimate]:
        """Return the estimates by name."""
        return {f"shares of {self.kind}s": self.frequencies}

    def to_dict(self) -> dict[str, Any]:
        """Return the column in strict JSON values: all labels in the order of their list."""
        people = self.frequencies.counts().to_dict()
        return {
            "domain": {"kind": self.tally.domain.kind, "size": len(self.tally.domain)},
            "reports": self.tally.count,
            "mechanisms": mechanisms_of(self.tally, labels=False),
            "frequencies": self.frequencies.to_dict(),
            "people": {name: people[name] for name in ("value", "stderr", "low", "high", "symmetric")},
        }


@dataclass(frozen=True, eq=False)
class BinEstimates(LabelEstimates):
    """The shares of bins that were fixed beforehand, in their order; all of them are shown."""

    def shown(self, most: int | None = None) -> Frequencies:
        return self.frequencies

    def to_dict(self) -> dict[str, Any]:
        domain = self.tally.domain.to_dict()
        return {**super().to_dict(), "domain": domain, "left_open": list(self.left_open)}


def left_open(tally: Tally) -> tuple[str, ...]:
    """Return what none of the mechanisms of a column can reveal."""
    first, *others = (blind_spots(group.mechanism) for group in tally.groups)
    return tuple(spot for spot in first if all(spot in other for other in others))


def mechanisms_of(tally: Tally, *, labels: bool = True) -> list[dict[str, Any]]:
    """Return the mechanisms of a tally in strict JSON values, without the list of labels if so asked."""
    found = []
    for group in tally.groups:
        mechanism = group.mechanism.to_dict()
        if not labels:
            del mechanism["domain"]
        promise = group.mechanism.guarantee.to_dict()
        found.append({"mechanism": mechanism, "guarantee": promise, "reports": group.count})
    return found


@dataclass(frozen=True, eq=False)
class Estimates(Reportable):
    """The estimates of all columns, with the descriptions of their reports.

    Attributes:
        tallies: The counted reports, with the descriptions of their files.
        columns: The estimates of each column.
    """

    tallies: Tallies
    columns: tuple[ColumnEstimates | LabelEstimates, ...]

    @property
    def level(self) -> float:
        """How often each interval holds the truth."""
        return self.columns[0].level

    @property
    def files(self) -> list[str]:
        """The names of the files, without their folders: those may name a person or a secret."""
        return [PurePath(path.replace("\\", "/")).name for path in self.tallies.origins]

    def to_dict(self) -> dict[str, Any]:
        """Everything in strict JSON values."""
        return {
            "files": self.files,
            "private": self.tallies.private,
            "randomness": self.tallies.randomness,
            "clipped": self.tallies.clipped,
            "promises": self.tallies.promises(),
            "level": self.level,
            "columns": {column.name: column.to_dict() for column in self.columns},
        }

    def plot(self) -> Figure:
        """Draw the histogram or the bars of every column, one below the other."""
        from noisewright.survey.plots import plot_columns  # noqa: PLC0415  (matplotlib is an extra)

        return plot_columns(self.columns)

    def report(self) -> Report:
        """Describe all estimates as a document."""
        from noisewright.survey.estimate_report import estimate_report  # noqa: PLC0415  (it needs this module)

        return estimate_report(self)

    def __str__(self) -> str:
        from noisewright.report.terminal import render_text  # noqa: PLC0415  (only a reader needs it)

        return render_text(self.report())


def _root(squared: Estimate) -> Estimate:
    """Return the square root of an estimate; its standard error by the slope of the root."""
    value, low, high = (float(np.sqrt(part)) for part in (squared.value, squared.low, squared.high))
    stderr = squared.stderr / (2 * value) if value > 0 else np.inf
    return Estimate(
        value, stderr, low, high,
        level=squared.level, count=squared.count, method=squared.method, assumption=squared.assumption,
    )  # fmt: skip


def estimate_all(
    tallies: Tallies, request: EstimateRequest | None = None, progress: Progress | None = None
) -> Estimates:
    """Estimate everything that is asked about every column of counted reports.

    Args:
        tallies: The counted reports, by column.
        request: What is asked; default: 20 bins, quartiles, 95 % intervals.
        progress: Called with the number of reports done, and of all.
    """
    request = request or EstimateRequest()
    total, done = sum(tally.count for tally in tallies.values()), 0
    columns = []
    for name, tally in tallies.items():
        columns.append(_about(name, tally, request))
        done += tally.count
        if progress:
            progress(done, total)
    return Estimates(tallies, tuple(columns))


def _about(name: str, tally: Tally, request: EstimateRequest) -> ColumnEstimates | LabelEstimates:
    """Return the estimates of one column; a refusal names it."""
    ask = _labels if isinstance(tally.domain, FiniteDomain) else _numbers
    try:
        return ask(name, tally, request)
    except NoisewrightError as refusal:
        raise type(refusal)(f"column {name!r}: {refusal}") from None


def _labels(name: str, tally: Tally, request: EstimateRequest) -> LabelEstimates:
    found = frequencies(tally, level=request.level, consistency=request.consistency)
    kind = BinEstimates if isinstance(tally.domain, Bins) else LabelEstimates
    return kind(name, tally, found, request.top)


def _numbers(name: str, tally: Tally, request: EstimateRequest) -> ColumnEstimates:
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
