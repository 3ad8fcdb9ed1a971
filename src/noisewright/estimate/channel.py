"""The channel between bins of true values and parts of the report domain, as estimates need it.

``forward`` takes the shares of people in the bins to the expected shares of reports in the parts;
``backward`` takes a number for each part to its expectation for each bin. Both assume that the people of
a bin are spread evenly over it, or over the whole numbers in it. Both take one list of numbers, or several,
one a row.

A small channel is a matrix, and so is that of a mechanism without a window. A large one of a mechanism with a
window takes cumulative sums, whatever the number of bins. A report is uniform over the report domain with
probability β, and otherwise uniform over a window of w cells that begins at s(u) = clip(slope·u + shift, 0,
N − w), where u is the true value in cells; on a circle it wraps round instead. Let Φ be the second integral
of a function that is constant on bins. Averaging the function over a window, and that over a bin of true
values, takes four values of Φ; spreading people over their windows is the same with the roles exchanged.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from functools import lru_cache
from typing import Any, Protocol, TypeGuard

import numpy as np

from noisewright.domains import Cells, Circle, FiniteDomain, Floats, Integers, NumericDomain
from noisewright.estimate.groups import parts_of
from noisewright.mechanisms import Mechanism, NumericMechanism
from noisewright.mechanisms.basics.window import Window
from noisewright.mechanisms.piecewise import WindowMechanism

FINE = 1 << 12
"""Cells of a lattice up to which laws are averaged cell by cell, so that nothing is approximated."""

SMALL = 1 << 18
"""Entries up to which multiplying by a matrix takes less time than cumulative sums."""

MOST_NUMBERS = 4096
"""Whole numbers up to which each has a law of its own; more are treated as a continuum."""

FEW_RUNS = 8
"""Runs of a law up to which all rows of a matrix are computed at once."""

PLACES = 256
"""Places, at least, at which laws are averaged over all bins together."""


class Channel(Protocol):
    """The law of a mechanism as EM needs it."""

    def forward(self, shares: Floats) -> Floats:
        """Return the expected shares of reports, from shares of people."""

    def backward(self, parts: Floats) -> Floats:
        """Return the expectation, for the people of each bin, of a number given for each part."""

    def matrix(self) -> Floats:
        """Return the probability of each part (columns) for the people of each bin (rows)."""


class DenseChannel:
    """A channel as a plain matrix."""

    def __init__(self, probabilities: Floats) -> None:
        self._rows = probabilities
        self._columns = np.ascontiguousarray(probabilities.T)

    def forward(self, shares: Floats) -> Floats:
        return np.asarray(shares @ self._rows)

    def backward(self, parts: Floats) -> Floats:
        return np.asarray(parts @ self._columns)

    def matrix(self) -> Floats:
        return self._rows


class NamedLabels:
    """The channel of an oracle that reports labels: ``hit`` on the diagonal and ``miss`` elsewhere.

    A vector is multiplied in one pass, however long the list of labels.
    """

    def __init__(self, labels: int, hit: float, miss: float) -> None:
        self._labels, self._miss, self._gain = labels, miss, hit - miss

    def forward(self, shares: Floats) -> Floats:
        return np.asarray(self._miss * shares.sum(axis=-1, keepdims=True) + self._gain * shares)

    def backward(self, parts: Floats) -> Floats:
        return self.forward(parts)  # the law is symmetric

    def matrix(self) -> Floats:
        return np.asarray(self._gain * np.eye(self._labels) + self._miss)


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
        first = np.cumsum(area, axis=-1)
        total = first[..., -1:].copy()
        first -= area
        second = (first + area / 2) * self._width
        second = np.cumsum(second, axis=-1) - second
        second, first, height = (part[..., self._bin] for part in (second, first, heights))
        return np.asarray(second + first * self._step + height * self._half + total * self._beyond)


class WindowChannel(ABC):
    """The base of both channels of a window: a share of the reports ignores the true value."""

    def __init__(self, mechanism: WindowMechanism, edges: Floats, parts: int) -> None:
        window = mechanism.window
        self._sure, self._parts = 1 - window.anywhere, parts
        self._edges = mechanism.domain.position(edges) / window.cells  # everything in lengths of the domain
        self._widths = np.diff(self._edges)
        self._width, self._shift = window.width / window.cells, _shift(window) / window.cells

    @abstractmethod
    def forward(self, shares: Floats) -> Floats:
        """Return the expected shares of reports, from shares of people."""

    def matrix(self) -> Floats:
        """Return the probability of each part (columns) for the people of each bin (rows)."""
        return np.array([self.forward(one) for one in np.eye(self._widths.size)])

    def _spread(self, begun: Floats, total: Floats) -> Floats:
        """Shares of the parts, from how much has begun before their ends and a width earlier."""
        covered = begun[..., : self._parts + 1] - begun[..., self._parts + 1 :]
        return self._mixed(np.diff(covered) / self._width, total / self._parts)

    def _mixed(self, inside: Floats, anywhere: Floats) -> Floats:
        return np.asarray(self._sure * inside + (1 - self._sure) * anywhere)


class SlidingChannel(WindowChannel):
    """A window that slides along a line, between bins of true values and equal parts of the reports."""

    def __init__(self, mechanism: WindowMechanism, edges: Floats, parts: int) -> None:
        super().__init__(mechanism, edges, parts)
        self._slope = mechanism.window.slope
        ends, last = np.linspace(0.0, 1.0, parts + 1), 1 - self._width
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
        reached = np.clip(self._width - ends[:-1], 0.0, 1 / parts)  # of each part by a window at an end
        self._first, self._last = reached[:, None], reached[::-1, None]

    def forward(self, shares: Floats) -> Floats:
        """Return the expected shares of reports, from shares of people."""
        heights = shares / self._widths
        total = shares.sum(axis=-1, keepdims=True)
        begun = self._slope * (self._ahead(heights) - self._origin(heights)) + self._lag * total
        return self._spread(np.where(self._before, 0.0, begun), total)

    def backward(self, parts: Floats) -> Floats:
        """Return the expectation, for the people of each bin, of a number given for each part."""
        twice = self._back(parts)
        bins = self._edges.size
        moving = np.diff(twice[..., bins:] - twice[..., :bins]) / self._slope
        still = self._still_low * (parts @ self._first) + self._still_high * (parts @ self._last)
        average = parts.mean(axis=-1, keepdims=True)
        return self._mixed((moving + still) / (self._width * self._widths), average)


class TurningChannel(WindowChannel):
    """A window that turns round a circle, between bins of true values and equal parts of the reports."""

    def __init__(self, mechanism: WindowMechanism, edges: Floats, parts: int) -> None:
        super().__init__(mechanism, edges, parts)
        ends, begins = np.linspace(0.0, 1.0, parts + 1), self._edges + self._shift
        self._back = Integral(_three_turns(ends), np.concatenate([begins, begins + self._width]))
        places = np.concatenate([ends, ends - self._width]) - self._shift
        self._ahead = Integral(_three_turns(self._edges), places)

    def forward(self, shares: Floats) -> Floats:
        """Return the expected shares of reports, from shares of people."""
        total = shares.sum(axis=-1, keepdims=True)
        return self._spread(self._ahead(_three_times(shares / self._widths)), total)

    def backward(self, parts: Floats) -> Floats:
        """Return the expectation, for the people of each bin, of a number given for each part."""
        twice = self._back(_three_times(parts))
        bins = self._widths.size + 1
        inside = np.diff(twice[..., bins:] - twice[..., :bins]) / (self._width * self._widths)
        return self._mixed(inside, parts.mean(axis=-1, keepdims=True))


def _shift(window: Window) -> float:
    """Where the window of a true value u begins, less slope·u, averaged over neighbouring cells.

    A value u lies in a cell c that is u − ½ on average, and rounding slope·c + offset down takes ½ away,
    unless both are whole numbers and there is nothing to round.
    """
    whole = window.slope == 1 and float(window.offset).is_integer()
    return window.offset - window.slope / 2 - (0.0 if whole else 0.5)


def _three_times(numbers: Floats) -> Floats:
    return np.concatenate([numbers] * 3, axis=-1)


def _three_turns(edges: Floats) -> Floats:
    """The edges of bins repeated one turn before and one turn after."""
    return np.concatenate([edges[:-1] - 1, edges[:-1], edges + 1])


def channel_of(mechanism: Mechanism, edges: Floats, parts: int | None = None) -> Channel:
    """Return the channel between bins with given edges and the counted parts of the reports, or fewer."""
    return _remembered(mechanism, edges.tobytes(), parts or parts_of(mechanism.reports))


@lru_cache(maxsize=32)
def _remembered(mechanism: Mechanism, bins: bytes, parts: int) -> Channel:
    """Build a channel once: several estimates, columns and collections ask for the same one."""
    edges = np.frombuffer(bins)
    if (
        countable(mechanism.domain)
        or not isinstance(mechanism, WindowMechanism)
        or mechanism.domain.lattice <= FINE
    ):
        return DenseChannel(dense(mechanism, edges, parts))
    kind = TurningChannel if mechanism.window.circular else SlidingChannel
    sliding = kind(mechanism, edges, parts)
    return DenseChannel(sliding.matrix()) if (edges.size - 1) * parts <= SMALL else sliding


def dense(mechanism: Mechanism, edges: Floats, parts: int) -> Floats:
    """Return the matrix of a channel, by averaging exact laws over places in each bin."""
    if not isinstance(mechanism, NumericMechanism):
        raise TypeError("only channels between numbers have bins")
    bins = edges.size - 1
    if countable(mechanism.domain):
        places, weights = _all_numbers(mechanism.domain, edges)
        return np.asarray(weights @ _laws(mechanism, places, parts))
    if mechanism.domain.lattice <= FINE:
        places, weights = _all_cells(mechanism, edges)
        return np.asarray(weights @ _laws(mechanism, places, parts))
    each = max(4, -(-PLACES // bins))
    steps = (np.arange(each) + 0.5) / each
    places = (edges[:-1, None] + np.diff(edges)[:, None] * steps).reshape(-1)
    return np.asarray(_laws(mechanism, places, parts).reshape(bins, each, -1).mean(axis=1))


def finite_matrix(mechanism: Any) -> Floats:
    """Return the probability of each report label (columns) for each true label (rows)."""
    assert isinstance(mechanism.domain, FiniteDomain)
    return np.asarray(mechanism.law(mechanism.domain.labels).probabilities)


def countable(domain: Any) -> TypeGuard[Integers]:
    """Return whether every value of a domain has a law of its own, as few enough whole numbers have."""
    return isinstance(domain, Integers) and domain.size <= MOST_NUMBERS


def two_valued(domain: Any) -> TypeGuard[Integers]:
    """Return whether a domain has two whole numbers: mean, variance and shares then say the same thing."""
    return isinstance(domain, Integers) and domain.size == 2


def _all_numbers(domain: Integers, edges: Floats) -> tuple[Floats, Floats]:
    """Every whole number, and for each bin an equal share of those in it."""
    inside = np.searchsorted(edges, domain.values) - 1 == np.arange(edges.size - 1)[:, None]
    return domain.values, inside / inside.sum(axis=1, keepdims=True)


def _all_cells(mechanism: NumericMechanism, edges: Floats) -> tuple[Floats, Floats]:
    """Every cell of a coarse lattice, and the share of each bin that lies in it."""
    domain = mechanism.domain
    cuts = domain.start + np.arange(domain.lattice + 1) * domain.pitch
    overlap = np.minimum(edges[1:, None], cuts[None, 1:]) - np.maximum(edges[:-1, None], cuts[None, :-1])
    shares = np.maximum(overlap, 0.0)
    return domain.centres(np.arange(domain.lattice)), shares / shares.sum(axis=1, keepdims=True)


def _laws(mechanism: NumericMechanism, places: Floats, parts: int) -> Floats:
    """The mass of each of equal parts of the reports, one row for each true value."""
    return masses_of_parts(mechanism, places, -(-np.arange(parts + 1) * mechanism.reports.lattice // parts))


def masses_of_parts(mechanism: NumericMechanism, places: Floats, ends: Cells) -> Floats:
    """Return the mass of the report cells between neighbouring ends, one row for each true value.

    The law is that of the lattice cell around a value, even if a domain of whole numbers has no value there.
    """
    cells = NumericDomain.snap(mechanism.domain, places)
    reports, law = mechanism.reports, mechanism._law(cells, places)
    lattice = reports.lattice if isinstance(reports, Circle) else None
    shape = (places.size, max(law.start.shape[-1], law.mass_of_run.shape[-1], law.count.shape[-1]))
    starts, counts, masses = (np.broadcast_to(a, shape) for a in (law.start, law.count, law.mass_of_run))
    if shape[1] <= FEW_RUNS:
        return _masses_of_runs(starts, counts, masses, ends, lattice)
    moves = starts[:, 0] - starts[0, 0]
    rigid = law.count.ndim == 1 and law.mass_of_run.ndim == 1 and (starts == starts[0] + moves[:, None]).all()
    ramps = _Ramps(starts[0], counts[0], masses[0]) if rigid else None
    rows = []
    for row, move in enumerate(moves):
        shape_of_row = ramps or _Ramps(starts[row], counts[row], masses[row])
        rows.append(shape_of_row.between(ends - (move if rigid else 0.0), lattice))
    return np.maximum(np.diff(np.array(rows), axis=1), 0.0)  # differences of equal heights leave dust


def _masses_of_runs(
    starts: Floats, counts: Floats, masses: Floats, ends: Cells, period: int | None
) -> Floats:
    """The mass between neighbouring ends for laws of a few runs, all at once."""
    below = np.zeros((starts.shape[0], ends.size))
    for start, count, mass in zip(starts.T[..., None], counts.T[..., None], masses.T[..., None], strict=True):
        wrapped = 0.0 if period is None else np.maximum(start + count - period, 0.0)
        below += mass / count * (np.clip(ends - start, 0.0, count - wrapped) + np.minimum(ends, wrapped))
    return np.maximum(np.diff(below, axis=1), 0.0)


class _Ramps:
    """The cumulative distribution of one law along an endless line: a ramp for each of its runs."""

    def __init__(self, start: Floats, count: Floats, mass: Floats) -> None:
        turns = np.concatenate([start, start + count])
        order = np.argsort(turns, kind="stable")
        rate = np.cumsum(np.concatenate([mass / count, -mass / count])[order])
        self._turns = turns[order]
        self._heights = np.concatenate([[0.0], np.cumsum(rate[:-1] * np.diff(self._turns))])

    def between(self, ends: Floats, period: int | None) -> Floats:
        """The probability of a report between the first end and each; on a circle, turns are joined."""
        if period is None:
            return np.asarray(np.interp(ends, self._turns, self._heights))
        first, last = self._turns[0], self._turns[-1]
        turns = range(math.floor((first - ends[-1]) / period), math.ceil((last - ends[0]) / period) + 1)
        return np.asarray(sum(np.interp(ends + turn * period, self._turns, self._heights) for turn in turns))
