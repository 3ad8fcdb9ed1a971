"""What a collection of reports says about its people: all estimates of all columns, as numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from noisewright.design.blind_spots import only_mean
from noisewright.engine.tallies import Tallies
from noisewright.estimate import Estimate, Histogram, Tally
from noisewright.estimate.partition import common_zones
from noisewright.pages.label_estimates import LabelEstimates, left_open, mechanisms_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure


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
        """Stretches of values, longer than a bin, whose reports have one law: nothing tells them apart."""
        zones = common_zones([group.mechanism for group in self.tally.groups])
        bin_width = float(np.diff(self.histogram.edges).min())
        return [(low, high) for low, high in zones if high - low > bin_width * (1 + 1e-9)]

    @property
    def left_open(self) -> tuple[str, ...]:
        """What cannot be told from these reports, however many there are."""
        return left_open(self.tally)

    @property
    def only_mean(self) -> bool:
        """Whether the reports tell nothing but the mean; all other numbers are then not to be shown."""
        return all(only_mean(group.mechanism) for group in self.tally.groups)

    def parts(self) -> dict[str, Estimate]:
        """The estimates by what they are called; those that this kind of domain has and reports tell."""
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
        """The column in strict JSON values."""
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
class Estimates:
    """The estimates of all columns, and what their reports say of themselves."""

    tallies: Tallies
    columns: tuple[ColumnEstimates | LabelEstimates, ...]

    @property
    def level(self) -> float:
        """How often each interval holds the truth."""
        return self.columns[0].level

    def to_dict(self) -> dict[str, Any]:
        """Everything in strict JSON values."""
        return {
            "files": list(self.tallies.origins),
            "private": self.tallies.private,
            "randomness": self.tallies.randomness,
            "clipped": self.tallies.clipped,
            "promises": self.tallies.promises(),
            "level": self.level,
            "columns": {column.name: column.to_dict() for column in self.columns},
        }

    def plot(self) -> Figure:
        """The histogram or the bars of every column, one below the other; returns the matplotlib figure."""
        from noisewright.pages.estimate_charts import panels  # noqa: PLC0415  (charts need this module)

        return panels(self.columns)


def _root(squared: Estimate) -> Estimate:
    """The square root of an estimate; its standard error by the slope of the root."""
    value, low, high = (float(np.sqrt(part)) for part in (squared.value, squared.low, squared.high))
    stderr = squared.stderr / (2 * value) if value > 0 else np.inf
    return Estimate(
        value, stderr, low, high,
        level=squared.level, count=squared.count, method=squared.method, assumption=squared.assumption,
    )  # fmt: skip
