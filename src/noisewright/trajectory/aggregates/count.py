"""Range queries: how many of the collected locations lie in a box."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from noisewright.estimate.result import LEVEL
from noisewright.report import Report, Reportable, Section
from noisewright.trajectory.aggregates.regions import Region, chart_of, spans_of
from noisewright.trajectory.aggregates.smooth import smooth_bracket
from noisewright.trajectory.aggregates.sums import ASSUMPTION, SILENT, informative_estimates
from noisewright.trajectory.aggregates.weighers import weigher_of
from noisewright.trajectory.mechanisms import CellOracle, CellReports, LocationMechanism, TraCSC
from noisewright.trajectory.routes import Routes


@dataclass(frozen=True)
class Count(Reportable):
    """A number of locations with an interval that holds the true number in a stated share of collections.

    It is about the ``total`` locations that were collected and not about a population behind them. The
    interval from ``low`` to ``high`` holds wherever people are.

    Attributes:
        estimate: The estimated number. An unbiased one is always given. Any other is None where its interval
            is wider than the estimate and a tenth of the total, or nearly as wide as the total.
        low: The least number that the reports allow.
        high: The largest.
        total: The number of collected locations.
        level: The confidence level of the intervals.
        assumption: The assumption behind the interval.
        smooth_low: The low end of a narrower interval under ``smoothness``; None if reports contradict that.
        smooth_high: Its high end.
        smoothness: The assumption behind the narrower interval.
        unbiased: Whether the estimate is unbiased: for a union of the cells that were reported.

    >>> print(Count(estimate=512.4, low=430.0, high=601.5, total=2000))
    512 of 2,000 locations (95 % interval 430 to 602)
    >>> print(Count(estimate=None, low=0.0, high=1990.0, total=2000))
    an unknown number of 2,000 locations (95 % interval 0 to 1,990)
    """

    estimate: float | None
    low: float
    high: float
    total: int
    level: float = LEVEL
    assumption: str = ASSUMPTION
    smooth_low: float | None = None
    smooth_high: float | None = None
    smoothness: str | None = None
    unbiased: bool = False

    def __str__(self) -> str:
        found = "an unknown number" if self.estimate is None else f"{self.estimate:,.0f}"
        ends = f"{self.low:,.0f} to {self.high:,.0f}"
        return f"{found} of {self.total:,} locations ({100 * self.level:g} % interval {ends})"

    def report(self) -> Report:
        """Describe the number as a document."""
        words = [f"The interval assumes: {text}." for text in (self.assumption, self.smoothness) if text]
        return Report(
            "Count", f"{self}.", [Section("What it rests on", words)], "routes count", self.to_dict()
        )

    @property
    def answered(self) -> bool:
        """Whether the reports say anything; an interval over nearly all possible numbers does not."""
        low, high = self.low, self.high
        if self.smooth_low is not None and self.smooth_high is not None:
            low, high = self.smooth_low, self.smooth_high
        return high - low < SILENT * self.total

    @property
    def share(self) -> Count:
        """The same count as shares of the total."""
        estimate, least, most = (
            None if number is None else number / self.total
            for number in (self.estimate, self.smooth_low, self.smooth_high)
        )
        low, high = self.low / self.total, self.high / self.total
        return replace(self, estimate=estimate, low=low, high=high, smooth_low=least, smooth_high=most)

    def to_dict(self) -> dict[str, Any]:
        """Return the count in plain JSON values."""
        return {**vars(self), "answered": self.answered}


def count_inside(
    reports: Routes | CellReports,
    mechanism: LocationMechanism | CellOracle,
    region: Region,
    level: float = LEVEL,
    *,
    smooth: bool = False,
) -> Count:
    """Return how many of the true locations lie in the box (left, bottom, right, top), its sides included.

    The interval holds wherever the locations are, clumps at the edge of the box included: a crowd that the
    noise does not let us place inside or outside makes it wide. A second interval, for TraCS-C, holds if
    locations are spread evenly within small cells. Longitudes may run across the antimeridian.

    Args:
        reports: The reports, all as they were drawn.
        mechanism: The mechanism that drew them.
        region: The box on the map. For reports of cells, a box along cell edges has an unbiased estimate.
        level: The confidence level of the intervals.
        smooth: Whether to look for the second interval, which takes seconds at a large ε.

    >>> import numpy as np
    >>> from noisewright.randomness import SeededSource
    >>> from noisewright.trajectory import Rectangle, TraCSC
    >>> mechanism = TraCSC(Rectangle(0, 0, 1, 1), epsilon=8.0)
    >>> homes = np.repeat([(0.2, 0.3), (0.8, 0.7)], [6000, 4000], axis=0)
    >>> reports = Routes.of([mechanism.perturb(homes, SeededSource(1))])
    >>> found = count_inside(reports, mechanism, (0.0, 0.0, 0.5, 0.5))
    >>> bool(found.low <= 6000 <= found.high), found.total
    (True, 10000)
    """
    across, up = spans_of(chart_of(mechanism), region)
    weigher = weigher_of(mechanism, reports, ((across,), (up,)))
    sums = weigher.sums(int(reports.starts[-1]))
    (low,), (high,) = sums.interval(level)
    found = Count(None, float(low), float(high), sums.count, level)
    if sums.unbiased is not None:
        return replace(found, estimate=float(np.clip(sums.middle[0], low, high)), unbiased=True)
    bracket = None
    if smooth and isinstance(mechanism, TraCSC) and isinstance(reports, Routes):
        bracket = smooth_bracket(mechanism, reports.points, (across, up), level)
    least, most = (0.0, -1.0) if bracket is None else bracket.interval(level, sums.count)
    least, most = max(least, found.low), min(most, found.high)
    if bracket is None or least > most:  # a crowd that is not spread evenly
        return _with_estimate(found, float(sums.middle[0]), found.low, found.high)
    found = replace(found, smooth_low=least, smooth_high=most, smoothness=bracket.assumption)
    return _with_estimate(found, bracket.estimate, least, most)


def _with_estimate(found: Count, estimate: float, low: float, high: float) -> Count:
    """Return the count with an estimate, if its interval is narrow enough for one to mean anything."""
    ends = np.array(low), np.array(high)
    informative = float(informative_estimates(np.array(estimate), *ends, found.total))
    return found if np.isnan(informative) else replace(found, estimate=informative)
