"""Range queries: how many of the collected locations lie in a box."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from noisewright.estimate.result import LEVEL
from noisewright.trajectory.aggregates.charts import chart_of
from noisewright.trajectory.aggregates.regions import Region, spans_of
from noisewright.trajectory.aggregates.sums import ASSUMPTION, Sums
from noisewright.trajectory.aggregates.weighing import blocks, weigher_of
from noisewright.trajectory.location import LocationMechanism
from noisewright.trajectory.routes import Routes


@dataclass(frozen=True)
class Count:
    """A number of locations with an interval that holds the true number in a stated share of collections.

    It is about the ``total`` locations that were collected and not about a population behind them.

    >>> print(Count(estimate=512.4, low=430.0, high=601.5, total=2000))
    512 of 2,000 locations (95 % interval 430 to 602)
    """

    estimate: float
    low: float
    high: float
    total: int
    level: float = LEVEL
    assumption: str = ASSUMPTION

    def __str__(self) -> str:
        ends = f"{self.low:,.0f} to {self.high:,.0f}"
        return f"{self.estimate:,.0f} of {self.total:,} locations ({100 * self.level:g} % interval {ends})"

    @property
    def share(self) -> Count:
        """The same as shares of the total."""
        one = 1 / self.total
        return replace(self, estimate=self.estimate * one, low=self.low * one, high=self.high * one)

    def to_dict(self) -> dict[str, Any]:
        """The count in plain JSON values."""
        return dict(vars(self))


def count_inside(
    reports: Routes, mechanism: LocationMechanism, region: Region, level: float = LEVEL
) -> Count:
    """How many of the true locations lie in the box (left, bottom, right, top), its sides included.

    The interval holds wherever the locations are, clumps at the edge of the box included: a crowd that the
    noise does not allow to be told in or out makes it wide. Longitudes may run across the antimeridian.

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
    sums = Sums.of(blocks(weigher, len(reports.points)), chained=weigher.chained)
    low, high = sums.interval(level)
    estimate = np.clip(sums.middle, low, high)
    return Count(float(estimate[0]), float(low[0]), float(high[0]), sums.count, level)
