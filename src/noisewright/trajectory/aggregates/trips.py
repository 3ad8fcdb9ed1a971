"""Origins and destinations: how many routes begin in one zone and end in another."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from noisewright.domains import Cells, Floats
from noisewright.errors import InvalidParameter
from noisewright.estimate.result import LEVEL
from noisewright.report import Report, Reportable, Section, Table, number
from noisewright.report.plots import new_figure
from noisewright.trajectory.aggregates.brackets import Bracket
from noisewright.trajectory.aggregates.regions import Grid, Region, chart_of, spans_of
from noisewright.trajectory.aggregates.sums import (
    ASSUMPTION,
    AT_ONCE,
    Spans,
    Sums,
    Unbiased,
    Weigher,
    informative_estimates,
    plain_numbers,
)
from noisewright.trajectory.aggregates.weighers import weigher_of
from noisewright.trajectory.mechanisms import CellOracle, CellReports, LocationMechanism, TraCSD
from noisewright.trajectory.routes import Routes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

ZONES = (4, 4)

MOST_ZONES = 24
"""Most zones whose names all fit along an axis."""

Zones = Mapping[str, Region]

ELSEWHERE = "elsewhere"

MOST_PAIRS = 20
"""Pairs of zones that a report lists."""


@dataclass(frozen=True, eq=False)
class ODTable(Reportable):
    """Numbers of routes from each zone (rows) to each zone (columns), with intervals.

    Routes of one point begin where they end and are left out.

    Attributes:
        names: The names of a grid's cells, column by column, or the given names and then "elsewhere".
        outlines: Their corners; NaN for elsewhere.
        estimate: The numbers; NaN where the reports do not determine one, and never if they are unbiased.
        low: The low ends of the intervals.
        high: Their high ends.
        total: The number of routes that are counted.
        left_out: The number of routes of one point.
        level: The confidence level of the intervals.
        simultaneous: Whether all intervals hold together.
        assumption: The assumption behind the intervals.
        unbiased: Whether estimates are unbiased: for zones that are unions of reported cells.
    """

    names: tuple[str, ...]
    outlines: Floats
    estimate: Floats
    low: Floats
    high: Floats
    total: int
    left_out: int
    level: float
    simultaneous: bool
    assumption: str = ASSUMPTION
    unbiased: bool = False

    @property
    def centres(self) -> Floats:
        """The middles of the zones."""
        return np.asarray(self.outlines.mean(axis=1))

    def to_dict(self) -> dict[str, Any]:
        """Return the table in plain JSON values; rows of matrices are origins, in the order of the zones."""
        tables = {name: plain_numbers(getattr(self, name)) for name in ("estimate", "low", "high")}
        counts = {"zones": list(self.names), "total": self.total, "left_out": self.left_out}
        words = {"level": self.level, "simultaneous": self.simultaneous, "assumption": self.assumption}
        return {**counts, **tables, **words}

    def report(self) -> Report:
        """Describe the table as a document: the most frequent pairs of zones."""
        largest = np.argsort(-self.high.reshape(-1), kind="stable")[:MOST_PAIRS]
        rows = []
        for start, end in zip(*np.unravel_index(largest, self.high.shape), strict=True):
            found = [float(values[start, end]) for values in (self.estimate, self.low, self.high)]
            cells = [number("–" if np.isnan(each) else f"{each:,.0f}", exact=each) for each in found]
            rows.append([f"{self.names[start]} → {self.names[end]}", *cells])
        caption = f"The most frequent pairs of zones, with {100 * self.level:g} % intervals"
        table = Table(caption, ["from → to", "estimate", "low", "high"], rows)
        return Report("Origins and destinations", f"{self}.", [Section("Pairs", [table])], "routes count",
                      self.to_dict())  # fmt: skip

    def __str__(self) -> str:
        return f"{self.total:,} routes between {len(self.names)} zones, with intervals"

    def plot(self, axes: Axes | None = None) -> Axes:
        """Draw the table as a heat map; returns the matplotlib axes."""
        axes = axes if axes is not None else new_figure(6.4, 5.2).add_subplot()
        shown = np.nan_to_num(self.estimate)
        most = max(float(shown.max()), 1.0)  # a table of zeros is white
        drawn = axes.imshow(shown, cmap="Blues", vmin=0.0, vmax=most, aspect="equal")
        axes.figure.colorbar(drawn, ax=axes, label="estimated number of routes")
        if len(self.names) <= MOST_ZONES:
            axes.set_xticks(np.arange(len(self.names)), self.names)
            axes.set_yticks(np.arange(len(self.names)), self.names)
        axes.set(xlabel="destination", ylabel="origin")
        return axes


def origin_destination(
    reports: Routes | CellReports,
    mechanism: LocationMechanism | CellOracle,
    cells: tuple[int, int] = ZONES,
    level: float = LEVEL,
    *,
    zones: Zones | None = None,
    simultaneous: bool = False,
) -> ODTable:
    """Count the routes from each zone to each, by the first and the last report of every route.

    Args:
        reports: The reports, all as they were drawn.
        mechanism: The mechanism that drew them.
        cells: Columns and rows of a grid whose cells are the zones; A1 is the first column's top cell.
        level: The confidence level of the intervals.
        zones: Boxes (left, bottom, right, top) with names, instead of a grid; they must not overlap.
        simultaneous: Whether all intervals shall hold together.

    The weights of both reports are multiplied, and so is their noise: many zones need many routes.

    >>> from noisewright.randomness import SeededSource
    >>> from noisewright.trajectory import Rectangle, TraCSC
    >>> mechanism = TraCSC(Rectangle(0, 0, 1, 1), epsilon=10.0)
    >>> commuters = Routes.of([[(0.1, 0.2), (0.8, 0.3)]] * 2000)
    >>> table = origin_destination(mechanism.perturb_routes(commuters, SeededSource(1)), mechanism, (2, 1))
    >>> bool(table.low[0, 1] > 1500), bool(table.high[1, 0] < 500)
    (True, True)
    """
    if isinstance(mechanism, TraCSD) and mechanism.follows:
        raise InvalidParameter(
            "origins and destinations need reports that do not refer to each other; "
            "use TraCSC, or TraCSD with a fixed reference"
        )
    trips = reports.lengths > 1
    if not trips.any():
        raise InvalidParameter(
            "origins and destinations need routes of two points or more; all have one point"
        )
    chart, ends = chart_of(mechanism), _ends(reports, trips)
    if zones is None:
        grid = Grid(chart, cells)
        weigher = weigher_of(mechanism, ends, grid.spans, factors=2)
        names, outlines = grid.names, grid.outlines().reshape(-1, 4, 2)
    else:
        boxes = _check_zones(zones)
        spans = [spans_of(chart, box, name) for name, box in boxes.items()]
        weigher = ZoneWeigher([weigher_of(mechanism, ends, ((across,), (up,)), 2) for across, up in spans])
        corners = [[(a, b), (c, b), (c, d), (a, d)] for a, b, c, d in boxes.values()]
        names, outlines = (*boxes, ELSEWHERE), np.array([*corners, np.full((4, 2), np.nan)], dtype=np.float64)
    known = None if weigher.unbiased is None else weigher.unbiased.product()
    sums = Sums.of(_products(weigher, int(trips.sum())), unbiased=known)
    low, high = sums.interval(level, len(names) ** 2 if simultaneous else 1)
    if known is None:
        found = informative_estimates(sums.middle, low, high, sums.count)
    else:
        found = np.clip(sums.middle, low, high)
    found, low, high = (values.reshape(len(names), len(names)) for values in (found, low, high))
    left_out = int((~trips).sum())
    counts = names, outlines, found, low, high, sums.count, left_out
    return ODTable(*counts, level, simultaneous, unbiased=known is not None)


@dataclass(frozen=True, eq=False)
class ZoneWeigher(Weigher):
    """Boxes that do not overlap, each weighed by itself, and the rest of the space: 1 less all of them."""

    zones: list[Weigher]
    spans: Spans = field(default=((), ()), init=False)

    @property
    def regions(self) -> int:
        return len(self.zones) + 1

    @property
    def width(self) -> int:
        return max(self.regions, *(zone.width for zone in self.zones))

    @property
    def chained(self) -> bool:
        return any(zone.chained for zone in self.zones)

    @property
    def unbiased(self) -> Unbiased | None:
        known = [zone.unbiased for zone in self.zones]
        if any(each is None for each in known):
            return None
        return max((each for each in known if each is not None), key=lambda each: each.inside)

    def weigh(self, rows: Cells) -> Bracket:
        parts = [zone.weigh(rows) for zone in self.zones]
        upper, lower, middle = (
            np.concatenate([getattr(part, which) for part in parts]) for which in ("upper", "lower", "middle")
        )
        rest = (1 - part.sum(axis=0) for part in (lower, upper, middle))
        return Bracket(*map(np.vstack, zip((upper, lower, middle), rest, strict=True)))


def _check_zones(zones: Zones) -> dict[str, Region]:
    """Return named boxes, which are public; refuse those that overlap."""
    boxes = {str(name): (float(a), float(b), float(c), float(d)) for name, (a, b, c, d) in zones.items()}
    if not boxes or ELSEWHERE in boxes:
        raise InvalidParameter(f"zones are one or more named boxes; {ELSEWHERE!r} is the rest of the space")
    for (one, a), (other, b) in combinations(boxes.items(), 2):
        if min(a[2], b[2]) > max(a[0], b[0]) and min(a[3], b[3]) > max(a[1], b[1]):
            raise InvalidParameter(f"the zones {one!r} and {other!r} overlap; a place can be in one only")
    return boxes


def _ends(reports: Routes | CellReports, trips: Any) -> Routes | CellReports:
    """Return the first and the last report of every trip, as routes of two points."""
    first, last = reports.starts[:-1][trips], reports.starts[1:][trips] - 1
    rows = np.stack([first, last], axis=1).reshape(-1)
    starts = np.arange(first.size + 1) * 2
    if isinstance(reports, CellReports):
        return reports.select(rows, starts)
    return Routes(reports.points[rows], starts, tuple(str(number) for number in range(1, first.size + 1)))


def _products(weigher: Weigher, trips: int) -> Iterator[Bracket]:
    """Return the brackets of all pairs of zones, in blocks of trips."""
    step = max(AT_ONCE // max(weigher.regions**2, weigher.width), 1)
    for at in range(0, trips, step):
        rows = 2 * np.arange(at, min(at + step, trips))
        yield weigher.weigh(rows).times(weigher.weigh(rows + 1))
