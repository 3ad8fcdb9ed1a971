"""A geometric certificate for any black box: boxes in which the answer hardly ever fails.

A few queries find boxes that look stable; fresh ones, spread evenly over the cells of each box, bound the
share τ of its cells that fail (Clopper and Pearson). That is a statement about the model alone. A channel
turns it into a utility by the worst case: the failing cells may be the likeliest ones, so

    P(stable) ≥ Σ_boxes max(0, P(box) − (highest cell of the channel in the box)·(cells of the box)·τ),

for every mechanism and ε whose reports lie on the lattice that was asked, with no further error probability.
Multiplying P(box) by 1 − τ instead, as if reports were uniform in the box, gives no lower bound.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from noisewright.domains import Cells, Floats, Interval
from noisewright.errors import InvalidParameter
from noisewright.parameters import whole
from noisewright.randomness import Source
from noisewright.utility.core.boxes import Boxes
from noisewright.utility.core.channels import Channel, Lattice
from noisewright.utility.core.curve import Curve
from noisewright.utility.core.records import Records
from noisewright.utility.models import BlackBox
from noisewright.utility.sampling.bounds import ROUNDING, clopper_pearson
from noisewright.utility.sampling.families import AxisLaws, are_aligned
from noisewright.utility.sampling.queries import Flags, Question, generator
from noisewright.utility.sampling.surrogate import draw_map

Span = list[list[int]]
"""For each axis, the first index of a box and the first after it."""

MOST_FEATURES = 6
SHELLS = (0.01, 0.03, 0.1, 0.3)
"""Boxes end at these distances from the true value: where reports are dense, boxes must be small."""

LATTICE = Lattice.of(Interval(0, 1))


@dataclass(frozen=True, eq=False)
class StableRegion:
    """Disjoint boxes of cells of a lattice, and an upper bound on the share of failing cells in each.

    Attributes:
        lattice: Points at which reports can lie.
        first: The first cell of each box, one row per box and one column per axis.
        last: The first cell after it.
        failing_upper: An upper bound on the share of failing cells in each box.
    """

    lattice: Lattice
    first: Cells
    last: Cells
    failing_upper: Floats

    def __len__(self) -> int:
        return self.failing_upper.size

    @property
    def boxes(self) -> Boxes:
        """The boxes in unit coordinates."""
        low, high = (self.lattice.start + at * self.lattice.pitch for at in (self.first, self.last))
        return Boxes(np.asarray(low), np.asarray(high))

    def masses(self, curve: Curve, units: Floats) -> Floats:
        """Return a lower bound on the utility of a record for every mechanism and ε.

        It is 0 for channels on other lattices, because no questions were asked at their points.

        Args:
            curve: The mechanisms and ε.
            units: The record's true values in unit coordinates.
        """
        low = [self._mass(channel, units) for channel in curve.flat()]
        return np.array(low).reshape(curve.shape)

    def _mass(self, channel: Channel, units: Floats) -> float:
        lattice = channel.lattice
        if not are_aligned(self.lattice, lattice):
            return 0.0
        shift = round((lattice.start - self.lattice.start) / self.lattice.pitch)
        inside, worst = np.ones(len(self)), self.failing_upper.copy()
        for axis, unit in enumerate(units):
            law = AxisLaws((channel.law(float(unit)),), np.array([shift]))
            ends = np.stack([self.first[:, axis], self.last[:, axis]], axis=1)
            inside *= np.diff(law.below(ends.reshape(-1))[0].reshape(ends.shape))[:, 0]
            worst *= np.array([law.highest(end)[0, 0] for end in ends]) * np.diff(ends)[:, 0]
        return max(float(np.maximum(inside - worst, 0.0).sum()) - ROUNDING, 0.0)


def stable_boxes(
    box: BlackBox,
    records: Records,
    record: int,
    reference: int,
    *,
    alpha: float,
    queries: int,
    most_boxes: int = 64,
    source: int | Source | None = None,
) -> StableRegion:
    """Return boxes around and near a record's values in which the model hardly ever changes its answer.

    Half of the queries find the boxes, the other half judge them.

    Args:
        box: The model, as a :class:`~noisewright.utility.models.BlackBox`.
        records: Records, on the usual lattice.
        record: The index of the record among them.
        reference: The answer that should survive, as a code of the box.
        alpha: Probability that any of the bounds on failing shares misses.
        queries: Largest number of rows that are asked.
        most_boxes: Largest number of boxes.
        source: A seed or source of the queries; None draws a seed from the operating system.
    """
    unit = records.units()[record]
    if records.lattice != LATTICE.cells:
        raise InvalidParameter(f"boxes need the usual lattice of {LATTICE.cells} cells")
    whole("the number of sensitive features of a geometric certificate", unit.size, 1, MOST_FEATURES)
    whole("most_boxes", most_boxes, 1, 1 << 12)
    ask, random = Question(box, records, record, reference), generator(source)
    edges = [_edges(at, int((queries / 2) ** (1 / unit.size))) for at in unit]
    chart = draw_map(ask, edges, 0, random)
    furthest = [
        np.maximum(np.abs(axis[1:] - at), np.abs(axis[:-1] - at))
        for axis, at in zip(edges, unit, strict=True)
    ]
    shells = [np.searchsorted(np.array(SHELLS) + LATTICE.pitch, away) for away in furthest]
    found = grow_boxes(~chart.fine_fails & ~chart.fine_unsure, shells, most_boxes)
    if not found:
        none = np.empty((0, unit.size), dtype=np.int64)
        return StableRegion(LATTICE, none, none, np.empty(0))
    cells = [LATTICE.count_to(at) for at in edges]
    places = np.array(found)  # (boxes, axes, ends)
    first, last = (
        np.stack([known[places[:, axis, end]] for axis, known in enumerate(cells)], axis=1) for end in (0, 1)
    )
    each = max((queries - chart.fine_fails.size) // len(found), 1)
    fails = []
    for low, high in zip(first, last, strict=True):
        drawn = low + (random.random((each, low.size)) * (high - low)).astype(np.int64)
        fails.append(int(ask.at(LATTICE, drawn).sum()))
    _, upper = clopper_pearson(fails, each, 2 * alpha / len(found))  # the upper end of a two-sided interval
    return StableRegion(LATTICE, first, last, upper)


def _edges(at: float, parts: int) -> Floats:
    """Return edges of a grid over [0, 1], between cells, including the ends of all shells around a value."""
    even = np.linspace(0.0, 1.0, max(parts - 2 * len(SHELLS), 1) + 1)
    shells = np.clip([at + side * shell for shell in SHELLS for side in (-1, 1)], 0.0, 1.0)
    return np.unique(np.round(np.concatenate([even, shells]) * LATTICE.cells)) / LATTICE.cells


def grow_boxes(stable: Flags, shells: Sequence[Cells], most: int) -> list[Span]:
    """Return disjoint boxes of stable places, from the innermost shell outward.

    Args:
        stable: Which places of a grid are stable.
        shells: For each axis, the shell in which a place lies; a box does not reach into the next one.
        most: Largest number of boxes.

    >>> stable = np.array([[True, True, False], [True, True, True]])
    >>> grow_boxes(stable, [np.zeros(2, int), np.zeros(3, int)], 9)
    [[[0, 2], [0, 2]], [[1, 2], [2, 3]]]
    """
    shell = np.zeros(stable.shape, dtype=np.int64)
    for axis, inner in enumerate(shells):
        shell = np.maximum(shell, inner.reshape([-1 if a == axis else 1 for a in range(stable.ndim)]))
    free, found = stable.copy(), list[Span]()
    for level in np.unique(shell):
        while len(found) < most and (free & (shell == level)).any():
            allowed = free & (shell <= level)
            span = _grow(allowed, _deepest(free & (shell == level)))
            free[_slices(span)] = False
            found.append(span)
    return found


def _deepest(flags: Flags) -> Cells:
    """Return the place farthest from the border of the flags."""
    from scipy.ndimage import distance_transform_cdt  # noqa: PLC0415  (scipy is slow to load)

    depth = distance_transform_cdt(np.pad(flags, 1), metric="chessboard")
    return np.array(np.unravel_index(np.argmax(depth), depth.shape)) - 1


def _grow(allowed: Flags, seed: Cells) -> Span:
    """Return the box that grows from a place, one layer on each side in turn, while all of it is allowed."""
    span = [[int(at), int(at) + 1] for at in seed]
    growing = True
    while growing:
        growing = False
        for axis in range(allowed.ndim):
            for side, step in ((0, -1), (1, 1)):
                wider = [list(ends) for ends in span]
                wider[axis][side] += step
                inside = wider[axis][0] >= 0 and wider[axis][1] <= allowed.shape[axis]
                if inside and allowed[_slices(wider)].all():
                    span, growing = wider, True
    return span


def _slices(span: Span) -> tuple[slice, ...]:
    return tuple(slice(first, last) for first, last in span)
