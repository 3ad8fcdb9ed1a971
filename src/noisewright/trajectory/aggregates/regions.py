"""A box on the map as two spans of a chart, from outside and from inside."""

from __future__ import annotations

from typing import Any

import numpy as np

from noisewright.domains import Circle, Floats, NumericDomain
from noisewright.errors import InvalidParameter
from noisewright.trajectory.aggregates.charts import Chart
from noisewright.trajectory.aggregates.spans import Span
from noisewright.trajectory.spaces import Space

Region = tuple[float, float, float, float]

STEPS = 33
"""Points along each side of a region that are looked at in the chart."""


def spans_of(chart: Chart, region: Any) -> tuple[Span, Span]:
    """The spans, from outside and inside, of a box (left, bottom, right, top) on the map."""
    left, bottom, right, top = _checked(chart.space, region)
    step = np.linspace(0.0, 1.0, STEPS)
    across, up = left + (right - left) * step, bottom + (top - bottom) * step
    sides = {
        "low": (np.full(STEPS, left), up),
        "high": (np.full(STEPS, right), up),
        "bottom": (across, np.full(STEPS, bottom)),
        "top": (across, np.full(STEPS, top)),
    }
    drawn = {name: chart.to(chart.space.project(np.stack(side, axis=-1))) for name, side in sides.items()}
    ends = [("low", "high"), ("bottom", "top")]
    first, second = (
        _span(
            drawn[low][:, axis], drawn[high][:, axis], chart.domains[axis], (right - left, top - bottom)[axis]
        )
        for axis, (low, high) in enumerate(ends)
    )
    return first, second


def _checked(space: Space, region: Any) -> Region:
    numbers = np.asarray(region, dtype=np.float64)
    if numbers.shape != (4,) or not np.isfinite(numbers).all():
        raise InvalidParameter("a region is four finite numbers: left, bottom, right, top")
    left, bottom, right, top = (float(number) for number in numbers)
    if right < left and space.names[0] == "longitude":
        right += 360.0  # a box across the antimeridian
    if not (left < right and bottom < top):
        raise InvalidParameter(
            "a region needs left < right and bottom < top, in this order: left, bottom, right, top"
        )
    return left, bottom, right, top


def _span(low: Floats, high: Floats, domain: NumericDomain, width: float) -> Span:
    """A span from the places of a region's two opposite sides."""
    if isinstance(domain, Circle):  # a longitude, whose sides are meridians
        start = float(low[0])
        return Span.between(start, start + min(width, domain.length))
    slack = max(_bend(low), _bend(high))
    outer = float(low.min() - slack), float(high.max() + slack)
    inner = float(low.max() + slack), float(high.min() - slack)
    if outer[1] - outer[0] <= 2 * domain.pitch:
        raise InvalidParameter("the region has no area inside the space; give a box that meets it")
    return Span(outer, inner if inner[0] < inner[1] else None)


def _bend(side: Floats) -> float:
    """By how much a side may leave the chords between its points."""
    bend = np.abs(np.diff(side, 2)).max()
    return float(bend) if bend > 1e-12 * np.abs(side).max() else 0.0
