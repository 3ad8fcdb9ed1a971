"""The law of one coordinate's reports, in the few parts and at the few true values that matter.

Functions of a report are constant on equal *parts* of the coordinate's domain. Some channels report beyond
its ends; such reports were moved to the ends and count there. The expectation of such a function, as a
function of the true value, is a broken line if the channel has a window: it bends only where an end of the
window meets an end of a part. What holds at those values holds everywhere.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np

from noisewright.domains import Cells, Circle, Floats
from noisewright.mechanisms import NumericMechanism
from noisewright.mechanisms.piecewise import WindowMechanism

LEAST_PARTS, MOST_PARTS = 128, 256
PARTS_A_WINDOW = 6
"""Least number of parts in a window: finer ones would not make a function visibly better."""

AT_ONCE = 1 << 22
"""Probabilities held in memory at a time: noise that is added has laws of thousands of runs."""

NEAR = (0, 1, 2)
"""Cells to look at beside a bend, which lies between cells where a window moves by less than one."""

PLACES = 1025
"""True values at which a law is averaged, or evaluated if it has no window. An odd number: see numeric.py."""

FINER, FEW_RUNS = 16, 64
"""A law without a window and with few runs is evaluated this many times more finely between those places. One
with many runs is additive noise, whose expectations are smooth."""


@dataclass(frozen=True, eq=False)
class CoordinateLaw:
    """A channel of one coordinate, with reports in equal parts of the coordinate's domain."""

    channel: NumericMechanism

    @cached_property
    def ends(self) -> Cells:
        """The first lattice cell of every part, and the number of cells."""
        lattice = self.channel.domain.lattice
        parts = min(_parts(self.channel), lattice)
        return np.asarray(np.arange(parts + 1) * lattice // parts)

    def part_of(self, reports: Floats) -> Cells:
        """Return the part that holds each report."""
        domain = self.channel.domain
        cells = domain.snap(domain.clip(reports))
        return np.asarray(np.searchsorted(self.ends[1:-1], cells, side="right"))

    def at(self, cells: Cells) -> Floats:
        """Return the probability of each part (columns) for true values in given lattice cells (rows)."""
        values = self.channel.domain.centres(cells)
        step = max(AT_ONCE // (self._runs * self.ends.size), 1)
        return np.concatenate([self._at(values[at : at + step]) for at in range(0, cells.size, step)])

    def _at(self, values: Floats) -> Floats:
        inner = np.broadcast_to(self._inner, (values.size, self._inner.size))
        below = np.asarray(self.channel.law(values[:, None]).cdf(inner))
        none = np.zeros((values.size, 1))
        return np.maximum(np.diff(np.hstack([none, below, none + 1])), 0.0)

    @property
    def _inner(self) -> Floats:
        """The ends of parts inside the domain."""
        domain = self.channel.domain
        return np.asarray(domain.start + self.ends[1:-1] * domain.pitch)

    @cached_property
    def expected(self) -> Floats:
        """The expected shares of reports in the parts if true values are spread evenly."""
        return np.asarray(self.at_places.mean(axis=0))

    @cached_property
    def places(self) -> Cells:
        """Lattice cells spread evenly over the domain."""
        return self._spread(PLACES)

    def _spread(self, count: int) -> Cells:
        lattice = self.channel.domain.lattice
        return np.unique(((np.arange(count) + 0.5) * lattice / count).astype(np.int64))

    @cached_property
    def at_places(self) -> Floats:
        """The probability of each part (columns) for each of these places (rows)."""
        return self.at(self.places)

    @cached_property
    def bends(self) -> Cells:
        """The lattice cells between which the expectation of a function of the parts is a straight line."""
        last = self.channel.domain.lattice - 1
        if not isinstance(self.channel, WindowMechanism):
            return np.unique(np.concatenate([self.places, [0, last]]))
        window = self.channel.window
        ends = np.ceil(self.channel.reports.position(self._inner) - 0.5)  # in cells of the reports
        begins = np.concatenate([ends, ends - window.width, [0, window.cells - window.width]])
        places = np.floor((begins - window.offset) / window.slope)
        near = (0,) if window.slope == 1 else NEAR
        cells = np.concatenate([*(places + step for step in near), [0, last]]).astype(np.int64)
        around = isinstance(self.channel.domain, Circle)
        return np.unique(cells % (last + 1) if around else np.clip(cells, 0, last))

    @cached_property
    def between(self) -> Cells:
        """Lattice cells between the bends, for a law whose bends are not known."""
        known = isinstance(self.channel, WindowMechanism) or self._runs > FEW_RUNS
        return self.bends[:1] if known else self._spread(FINER * PLACES)

    @cached_property
    def at_between(self) -> Floats:
        """The probability of each part (columns) for each of these cells (rows)."""
        return self.at(self.between)

    @cached_property
    def _runs(self) -> int:
        return int(self.channel.law(self.channel.domain.centres([0])).start.shape[-1])

    @cached_property
    def at_bends(self) -> Floats:
        """The probability of each part (columns) where expectations may bend (rows)."""
        return self.at(self.bends)


@lru_cache(maxsize=32)
def law_of(channel: NumericMechanism) -> CoordinateLaw:
    """Return the law of a channel, computed once for all questions about its reports."""
    return CoordinateLaw(channel)


def _parts(channel: NumericMechanism) -> int:
    if not isinstance(channel, WindowMechanism):
        return LEAST_PARTS
    window = channel.window
    needed = PARTS_A_WINDOW * window.cells / window.width
    return int(min(max(LEAST_PARTS, 2 ** np.ceil(np.log2(needed))), MOST_PARTS))
