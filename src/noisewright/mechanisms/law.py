"""The exact law of a report, given the true value.

Every channel of this package spreads its reports evenly over a few *runs* of neighbouring cells: a
window mechanism over two (the whole domain and the window), additive noise over its steps, a table over
single cells. So there is one law, a list of runs with their masses, and it answers everything in closed
form per run: ``mass``, ``cdf``, ``mean``, ``variance`` and ``expected(loss)``, for one true value or an
array of them.

It is the law of the cells that the sampler draws, not of a density on paper. Within a run the sampler's
integers are even to one unit in 2⁴⁰, so an answer differs from the integers by less than 2⁻³⁹ of the
largest loss (``docs/theory/channel-and-laws.md``, "Laws").
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from noisewright.domains import Circle, Floats, NumericDomain
from noisewright.errors import InvalidParameter
from noisewright.mechanisms import powersums
from noisewright.mechanisms.basics.losses import Loss, power

_SLACK = 1e-6
"""Of a cell: a point this near to a cell's centre counts as being at it, whatever its rounding."""

_AT_ONCE = 1 << 21
"""Run-by-value pairs held in memory at a time."""


@dataclass(frozen=True, eq=False)
class Law:
    """The law of the reports of given true values, as runs of equally likely cells.

    ``start``, ``count`` and ``mass_of_run`` have one row for each true value and one column for each run (or
    broadcast to that).

    Attributes:
        truth: The true values.
        reports: Where reports live.
        metric: The domain whose distance measures errors.
        start: The first cell of each run.
        count: The number of cells of each run.
        mass_of_run: The probability of each run.

    >>> from noisewright import Interval
    >>> from noisewright.mechanisms import OGPM
    >>> law = OGPM(Interval(0, 1), epsilon=1.0).law(0.5)
    >>> round(law.mass(0.3, 0.7), 3), round(law.expected("absolute"), 3)
    (0.636, 0.189)
    """

    truth: Floats
    reports: NumericDomain
    metric: NumericDomain
    start: Floats
    count: Floats
    mass_of_run: Floats

    def mass(self, low: ArrayLike, high: ArrayLike) -> Any:
        """Return the probability of a report in [low, high]; on a circle, on the arc from low to high."""
        low, high = _points(low), _points(high)
        if not isinstance(self.reports, Circle):
            return self._result(
                np.maximum(self._below(_after(self, high)) - self._below(_from(self, low)), 0.0)
            )
        around = high - low >= self.reports.period
        low, high = self.reports.clip(low), self.reports.clip(high)
        arc = self._below(_after(self, high)) - self._below(_from(self, low))
        return self._result(np.where(around, 1.0, np.where(low <= high, arc, 1.0 + arc)))

    def cdf(self, point: ArrayLike) -> Any:
        """Return the probability of a report at or below a point (on a circle: between 0 and the point)."""
        place = _points(point)
        if isinstance(self.reports, Circle):
            place = self.reports.clip(place)
        return self._result(self._below(_after(self, place)))

    def mean(self) -> Any:
        """Return the expected report; on a circle the mean direction."""
        if isinstance(self.reports, Circle):
            angle = np.angle(self._direction()) / (2 * np.pi)
            return self._result(np.mod(angle, 1.0) * self.reports.period)
        return self._result(self.reports.start + self.reports.pitch * self._middle())

    def variance(self) -> Any:
        """Return the expected squared distance of a report from the mean report."""
        if isinstance(self.reports, Circle):
            return self._result(self._moment(np.asarray(self.mean()), 2.0, self.reports))
        spread = [
            (mass * ((start + count / 2 - middle[..., None]) ** 2 + (count**2 - 1) / 12)).sum(axis=-1)
            for start, count, mass, middle in self._chunks(self._middle())
        ]
        return self._result(self._joined(spread) * self.reports.pitch**2)

    def resultant(self) -> Any:
        """Return the length of the mean direction on a circle: 1 for certainty, 0 for an even spread."""
        return self._result(np.abs(self._direction()))

    def expected(self, loss: Loss = "absolute", metric: NumericDomain | None = None) -> Any:
        """Return the expected loss of a report against the true value, in the metric of the domain.

        ``metric`` sets another one, for instance ``Interval(0, 24)`` to measure clock times as if
        midnight were a wall.
        """
        return self._result(self._moment(self.truth, power(loss), metric or self.metric))

    def density(self, points: ArrayLike) -> Floats:
        """Return the probability per unit length of the cell of each point; one row per true value."""
        places = np.atleast_1d(_points(points))
        cells = self.reports.snap(places).astype(np.float64)
        rows = replace(
            self,
            truth=self.truth[..., None],
            start=self.start[..., None, :],
            count=self.count[..., None, :],
            mass_of_run=self.mass_of_run[..., None, :],
        )
        shares = (rows._below(cells + 1) - rows._below(cells)) / self.reports.pitch
        return np.where(self.reports.contains(places), shares, 0.0)

    def clamped(self, low: int, high: int, reports: NumericDomain) -> Law:
        """Return the law after reports outside some cells are moved to the nearest cell inside.

        Args:
            low: The first cell that stays.
            high: The cell after the last one that stays.
            reports: Where reports live then.
        """
        begin, end = np.clip(self.start, low, high), np.clip(self.start + self.count, low, high)
        inside = self.mass_of_run * (end - begin) / self.count
        below = (self.mass_of_run * np.clip(low - self.start, 0, self.count) / self.count).sum(axis=-1)
        above = self.mass_of_run.sum(axis=-1) - inside.sum(axis=-1) - below
        count = np.maximum(end - begin, 1)
        first, last = np.zeros_like(below), np.full_like(below, high - low - 1)
        return replace(
            self,
            reports=reports,
            start=np.concatenate([begin - low, first[..., None], last[..., None]], axis=-1),
            count=np.concatenate([count, np.ones((*below.shape, 2))], axis=-1),
            mass_of_run=np.concatenate([inside, below[..., None], above[..., None]], axis=-1),
        )

    def plot(self, axes: Any = None, *, label: str | None = None) -> Any:
        """Draw the density over the reports, one line for each true value; return the matplotlib axes."""
        from noisewright.mechanisms.plots import plot_law  # noqa: PLC0415  (matplotlib is an extra)

        return plot_law(self, axes, label=label)

    # -- what the runs say ------------------------------------------------------------------------

    def _below(self, cells: Floats) -> Floats:
        """Return the probability of a report in the cells [0, cells)."""
        shape = np.broadcast_shapes(cells.shape, self.truth.shape)
        truth, cells = np.broadcast_to(self.truth, shape), np.broadcast_to(cells, shape)
        law = replace(self, truth=truth)
        parts = []
        for start, count, mass, cell in law._chunks(cells):
            at = np.minimum(np.maximum(cell, 0.0), self.reports.lattice)[..., None]
            wrapped = np.maximum(start + count - self.reports.lattice, 0.0)
            seen = np.clip(at - start, 0.0, count - wrapped) + np.minimum(at, wrapped)
            parts.append((mass * seen / count).sum(axis=-1))
        return np.asarray(law._joined(parts))

    def _moment(self, point: Floats, exponent: float, metric: NumericDomain) -> Floats:
        """Return E d(report, point)^p in the units of the domain."""
        place = (point - self.reports.start) / self.reports.pitch
        around = isinstance(metric, Circle)
        if around and metric.length != self.reports.length:
            raise InvalidParameter(f"{metric!r} does not measure reports on {self.reports!r}")
        parts = []
        for start, count, mass, at in self._chunks(place):
            begin = np.mod(start, self.reports.lattice) if around else start
            if around:
                total = powersums.on_circle(begin, count, at[..., None], exponent, self.reports.lattice)
            else:
                total = _flat_sum(begin, count, at[..., None], exponent, self.reports)
            parts.append((mass / count * total).sum(axis=-1))
        return np.asarray(self._joined(parts) * self.reports.pitch**exponent)

    def _middle(self) -> Floats:
        parts = [(m * (s + c / 2)).sum(axis=-1) for s, c, m, _ in self._chunks(self.truth)]
        return np.asarray(self._joined(parts))

    def _direction(self) -> Any:
        """Return E e^{2πi·report/period}: over a run, the centre of the run times a Dirichlet kernel."""
        turn = np.pi / self.reports.lattice
        parts = []
        for start, count, mass, _ in self._chunks(self.truth):
            kernel = np.sin(turn * count) / (count * np.sin(turn))
            parts.append((mass * kernel * np.exp(2j * turn * (start + count / 2))).sum(axis=-1))
        return self._joined(parts)

    def _chunks(self, beside: Floats) -> Iterator[tuple[Floats, Floats, Floats, Floats]]:
        """Yield flat slices of the true values with their runs, few enough at a time for the memory."""
        size, runs = (
            self.truth.size,
            max(self.start.shape[-1], self.mass_of_run.shape[-1], self.count.shape[-1]),
        )
        shape = (*self.truth.shape, runs)
        flat = [
            np.broadcast_to(a, shape).reshape(size, runs) for a in (self.start, self.count, self.mass_of_run)
        ]
        side = np.broadcast_to(beside, self.truth.shape).reshape(size)
        step = max(1, _AT_ONCE // runs)
        for at in range(0, size, step):
            piece = slice(at, at + step)
            yield flat[0][piece], flat[1][piece], flat[2][piece], side[piece]

    def _joined(self, parts: list[Any]) -> Any:
        return np.concatenate(parts).reshape(self.truth.shape)

    @staticmethod
    def _result(array: Any) -> Any:
        return float(array) if np.ndim(array) == 0 else array


def _points(points: ArrayLike) -> Floats:
    """Return points as an array; infinities are allowed, NaN is not."""
    array = np.asarray(points, dtype=np.float64)
    if np.isnan(array).any():
        raise InvalidParameter("a law can be asked about numbers only, got NaN")
    return array


def _from(law: Law, point: Floats) -> Floats:
    """Return the first cell whose centre is at or past a point."""
    return np.asarray(np.ceil(law.reports.position(point) - 0.5 - _SLACK))


def _after(law: Law, point: Floats) -> Floats:
    """Return the first cell whose centre is past a point."""
    return np.asarray(np.floor(law.reports.position(point) + 0.5 + _SLACK))


def _flat_sum(start: Floats, count: Floats, point: Floats, exponent: float, reports: NumericDomain) -> Floats:
    """Sum powers along a line; a run that wraps on a circle is two runs."""
    past = np.maximum(start + count - reports.lattice, 0.0) if isinstance(reports, Circle) else np.zeros(1)
    total = powersums.on_line(start, count - past, point, exponent)
    return total + powersums.on_line(np.zeros_like(past), past, point, exponent) if past.any() else total
