"""The channel of a window mechanism by cumulative sums: a step of EM costs as much as reading the counts.

A report is uniform over the report domain with probability β, and otherwise uniform over a window of w
cells that begins at s(u) = clip(slope·u + shift, 0, N − w), where u is the true value in cells; on a circle
it wraps round instead. Let Φ be the second integral of a function that is constant on bins. Averaging the
function over a window, and that over a bin of true values, takes four values of Φ; spreading people over
their windows is the same with the roles exchanged. So both directions are two cumulative sums and a few
look-ups, for any number of bins, and nothing is stored but places.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import cached_property

import numpy as np

from noisewright.domains import Floats
from noisewright.mechanisms.basics.window import Window
from noisewright.mechanisms.piecewise import WindowMechanism


class Integral:
    """The second integral of functions that are constant on bins with given edges, at given places.

    Beyond the last edge the first integral stays as it is, as a cumulative distribution does.
    """

    def __init__(self, edges: Floats, places: Floats) -> None:
        inside = np.clip(places, edges[0], edges[-1])
        self._width = np.diff(edges)
        self._bin = np.clip(np.searchsorted(edges, inside, side="right") - 1, 0, self._width.size - 1)
        self._step = inside - edges[self._bin]
        self._half = self._step**2 / 2
        self._beyond = np.maximum(places - edges[-1], 0.0)

    def __call__(self, heights: Floats) -> Floats:
        area = heights * self._width
        first = np.cumsum(area)
        total = first[-1]
        first -= area
        second = (first + area / 2) * self._width
        second = np.cumsum(second) - second
        bins = self._bin
        inside = second[bins] + first[bins] * self._step + heights[bins] * self._half
        return np.asarray(inside + total * self._beyond)


class WindowChannel(ABC):
    """What both channels of a window share: the part of the reports that ignores the true value."""

    def __init__(self, mechanism: WindowMechanism, edges: Floats, parts: int) -> None:
        window = mechanism.window
        self._sure, self._parts = 1 - window.anywhere, parts
        self._edges = mechanism.domain.position(edges) / window.cells  # everything in lengths of the domain
        self._widths = np.diff(self._edges)
        self._width, self._shift = window.width / window.cells, _shift(window) / window.cells

    @abstractmethod
    def forward(self, shares: Floats) -> Floats:
        """Expected shares of reports, from shares of people."""

    def matrix(self) -> Floats:
        """The probability of each part (columns) for the people of each bin (rows)."""
        return self._matrix

    @cached_property
    def _matrix(self) -> Floats:
        return np.array([self.forward(one) for one in np.eye(self._widths.size)])

    def _spread(self, begun: Floats, total: float) -> Floats:
        """Shares of the parts, from how much has begun before their ends and a width earlier."""
        covered = begun[: self._parts + 1] - begun[self._parts + 1 :]
        return self._mixed(np.diff(covered) / self._width, total / self._parts)

    def _mixed(self, inside: Floats, anywhere: float) -> Floats:
        return np.asarray(self._sure * inside + (1 - self._sure) * anywhere)


class SlidingChannel(WindowChannel):
    """A window that slides along a line, between bins of true values and equal parts of the reports."""

    def __init__(self, mechanism: WindowMechanism, edges: Floats, parts: int) -> None:
        super().__init__(mechanism, edges, parts)
        self._slope = mechanism.window.slope
        self._look(np.linspace(0.0, 1.0, parts + 1))

    def _look(self, ends: Floats) -> None:
        """Prepare the places at which integrals are needed."""
        last = 1 - self._width
        begins = np.clip(self._slope * self._edges + self._shift, 0.0, last)
        self._back = Integral(ends, np.concatenate([begins, begins + self._width]))
        still = (np.array([0.0, last]) - self._shift) / self._slope
        self._still_low = np.clip(still[0] - self._edges[:-1], 0.0, self._widths)
        self._still_high = np.clip(self._edges[1:] - still[1], 0.0, self._widths)
        places = np.concatenate([ends, ends - self._width])
        self._lag = np.maximum(places - last, 0.0)  # all windows have begun by then
        self._before = places <= 0
        self._ahead = Integral(self._edges, (np.clip(places, 0.0, last) - self._shift) / self._slope)
        self._origin = Integral(self._edges, np.array([-self._shift / self._slope]))
        self._ends = ends

    def forward(self, shares: Floats) -> Floats:
        """Expected shares of reports, from shares of people."""
        heights = shares / self._widths
        total = shares.sum()
        begun = self._slope * (self._ahead(heights) - self._origin(heights)) + self._lag * total
        return self._spread(np.where(self._before, 0.0, begun), total)

    def backward(self, parts: Floats) -> Floats:
        """The expectation of a number given for each part, for the people of each bin."""
        twice = self._back(parts)
        bins = self._edges.size
        moving = np.diff(twice[bins:] - twice[:bins]) / self._slope
        once = np.concatenate([[0.0], np.cumsum(parts)]) / self._parts
        at_low, before_high = np.interp([self._width, 1 - self._width], self._ends, once)
        still = self._still_low * at_low + self._still_high * (once[-1] - before_high)
        return self._mixed((moving + still) / (self._width * self._widths), parts.mean())


class TurningChannel(WindowChannel):
    """A window that turns round a circle, between bins of true values and equal parts of the reports."""

    def __init__(self, mechanism: WindowMechanism, edges: Floats, parts: int) -> None:
        super().__init__(mechanism, edges, parts)
        ends, begins = np.linspace(0.0, 1.0, parts + 1), self._edges + self._shift
        self._back = Integral(_three_turns(ends), np.concatenate([begins, begins + self._width]))
        places = np.concatenate([ends, ends - self._width]) - self._shift
        self._ahead = Integral(_three_turns(self._edges), places)

    def forward(self, shares: Floats) -> Floats:
        """Expected shares of reports, from shares of people."""
        return self._spread(self._ahead(np.tile(shares / self._widths, 3)), shares.sum())

    def backward(self, parts: Floats) -> Floats:
        """The expectation of a number given for each part, for the people of each bin."""
        twice = self._back(np.tile(parts, 3))
        bins = self._widths.size + 1
        inside = np.diff(twice[bins:] - twice[:bins]) / (self._width * self._widths)
        return self._mixed(inside, parts.mean())


def _shift(window: Window) -> float:
    """Where the window of a true value u begins, less slope·u, averaged over neighbouring cells.

    A value u lies in a cell c that is u − ½ on average, and rounding slope·c + offset down takes ½ away,
    unless both are whole numbers and there is nothing to round.
    """
    whole = window.slope == 1 and float(window.offset).is_integer()
    return window.offset - window.slope / 2 - (0.0 if whole else 0.5)


def _three_turns(edges: Floats) -> Floats:
    """The edges of bins repeated one turn before and one turn after."""
    return np.concatenate([edges[:-1] - 1, edges[:-1], edges + 1])
