"""The charges of a law: losses at the values that an input stands for, and averages over a prior."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from noisewright.design.aims import Aim, read_prior, whole_weights
from noisewright.design.program import Program
from noisewright.domains import Cells, Circle, FiniteDomain, Floats, Integers, Interval, NumericDomain
from noisewright.errors import InvalidParameter
from noisewright.mechanisms.basics.finite import loss_matrix
from noisewright.mechanisms.basics.losses import first_cells, losses_at, losses_over, part_edges

BENT = 17
"""Values tried in each part if the loss is not convex in the true value (a power below 1)."""

AT_ONCE = 4096
"""Whole numbers whose losses are held in memory at a time."""

WITHIN_GAP = 32
"""Values in each gap between knots over which a dithered loss is averaged."""


# -- labels -----------------------------------------------------------------------------------------


def finite_program(
    domain: FiniteDomain, epsilon: float, loss: Any, prior: Any, reports: FiniteDomain
) -> tuple[Program, Floats | None]:
    """Return the program for the least worst case over labels, and the charges of an average, if any."""
    losses = loss_matrix(domain, loss, reports)
    program = Program(epsilon, losses[:, None, :])
    return program, None if prior is None else read_label_prior(prior, domain)[:, None] * losses


def read_label_prior(prior: Any, domain: FiniteDomain) -> Floats:
    """Return one weight for each label, summing to one."""
    weights = read_prior(prior)
    if weights.size != domain.lattice:
        raise InvalidParameter(
            f"a prior for {domain.lattice} labels needs as many weights, got {np.size(weights)}"
        )
    return weights


# -- numbers ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class NumericTask:
    """A loss |report − truth|^p on an interval or circle, with inputs and outputs on grids.

    The inputs are ``inputs`` equal parts of the domain, or as many ``knots`` from end to end between which
    true values are dithered. The outputs are the centres of the cells of ``reports``. With ``unbiased``, and
    always with knots, the expected report of an input must be its one true value.
    """

    domain: NumericDomain
    exponent: float
    inputs: int
    reports: NumericDomain
    knots: bool = False
    unbiased: bool = False

    @cached_property
    def places(self) -> Floats:
        """The values that can be reported."""
        return self.reports.centres(np.arange(self.reports.lattice))

    @cached_property
    def values(self) -> Floats:
        """The true values that each input must answer for, one row an input.

        In a part of an interval the expected loss is convex for p ≥ 1, hence largest at an edge. On a circle
        it also has a kink opposite to each report, which is the middle of a part if the reports are middles.
        For whole numbers, only those in the part count and nothing between them.
        """
        if isinstance(self.domain, Integers):
            return self._whole_values(self.domain)
        if self.knots:
            return np.linspace(self.domain.start, self.domain.start + self.domain.length, self.inputs)[
                :, None
            ]
        edges = part_edges(self.domain, self.inputs)
        count = BENT if self.exponent < 1 else 3 if isinstance(self.domain, Circle) else 2
        return np.linspace(edges[:-1], edges[1:], count, axis=1)

    def _whole_values(self, domain: Integers) -> Floats:
        rows, inputs = self._rows(domain.values), np.arange(self.inputs)
        begin, end = np.searchsorted(rows, inputs), np.searchsorted(rows, inputs, side="right")
        if not (begin < end).all():
            raise InvalidParameter(
                f"some of {self.inputs} equal parts of {domain!r} hold no whole number; ask for fewer inputs"
            )
        first, last = domain.values[begin], domain.values[end - 1]
        if (first == last).all():
            return first[:, None]
        return np.rint(np.linspace(first, last, BENT if self.exponent < 1 else 2, axis=1))

    @cached_property
    def losses(self) -> Floats:
        """The loss of (input, situation, output)."""
        return losses_at(self.domain, self.values, self.places, self.exponent)

    def program(self, epsilon: float) -> Program:
        """Return the program for the law with the least worst case."""
        if not (self.knots or self.unbiased):
            return Program(epsilon, self.losses)
        middle = self.domain.start + self.domain.length / 2
        return Program(epsilon, self.losses, places=self.places - middle, means=self.values[:, 0] - middle)

    def charges(self, aim: Aim) -> Floats | None:
        """Return the charge of (input, output) under an aim other than the worst case."""
        if aim.point is not None:
            return self.at_point(aim.point)
        return self.average(aim.prior) if aim.objective == "average" else None

    def average(self, prior: tuple[float, ...]) -> Floats:
        """Return the loss of (input, output) averaged over a prior, which has weights over equal parts."""
        if isinstance(self.domain, Integers):
            return self._whole_average(self.domain, prior)
        cuts = self.domain.start + np.arange(len(prior) + 1) / len(prior) * self.domain.length
        edges = self.values[:, 0] if self.knots else part_edges(self.domain, self.inputs)
        ends = np.unique(np.concatenate([cuts, edges]))
        low, high, middle = ends[:-1], ends[1:], (ends[:-1] + ends[1:]) / 2
        density = np.array(prior)[np.searchsorted(cuts, middle) - 1] * len(prior) / self.domain.length
        if self.knots:
            return self._dithered_average(low, high, density)
        total = np.zeros((self.inputs, self.places.size))
        charges = losses_over(self.domain, low, high, self.places, self.exponent)
        np.add.at(total, np.searchsorted(edges, middle) - 1, density[:, None] * charges)
        return total

    def _whole_average(self, domain: Integers, prior: tuple[float, ...]) -> Floats:
        total = np.zeros((self.inputs, self.places.size))
        weights, rows = whole_weights(domain, domain.values, prior), self._rows(domain.values)
        for start in range(0, domain.size, AT_ONCE):
            piece = slice(start, start + AT_ONCE)
            charges = losses_at(domain, domain.values[piece], self.places, self.exponent)
            np.add.at(total, rows[piece], weights[piece, None] * charges)
        return total

    def _dithered_average(self, low: Floats, high: Floats, density: Floats) -> Floats:
        steps = (np.arange(WITHIN_GAP) + 0.5) / WITHIN_GAP
        values = (low[:, None] + (high - low)[:, None] * steps).ravel()
        weights = np.repeat(density * (high - low) / WITHIN_GAP, WITHIN_GAP)
        charges = losses_at(self.domain, values, self.places, self.exponent) * weights[:, None]
        return np.asarray(self._hats(values).T @ charges)

    def at_point(self, point: float) -> Floats:
        """Return the loss of (input, output) if the true value is one point."""
        charges = losses_at(self.domain, np.array([point]), self.places, self.exponent)
        return np.asarray(self._hats(np.array([point])).T @ charges)

    def _hats(self, values: Floats) -> Floats:
        """Return the weight of each input's law (columns) in the law of each value (rows)."""
        if self.knots:
            place = (values - self.domain.start) / self.domain.length * (self.inputs - 1)
            return np.maximum(0.0, 1.0 - np.abs(place[:, None] - np.arange(self.inputs)))
        return np.eye(self.inputs)[self._rows(values)]

    def _rows(self, values: Floats) -> Cells:
        """Return the part that holds each value."""
        cells = self.domain.snap(values)
        return np.searchsorted(first_cells(self.domain, self.inputs), cells, side="right") - 1


def grid_task(domain: NumericDomain, exponent: float, inputs: int) -> NumericTask:
    """Return a task with equal parts as inputs, and as outputs their edges (not on a circle) and middles."""
    if isinstance(domain, Circle):
        return NumericTask(domain, exponent, inputs, Circle(domain.period, cells=inputs))
    half = domain.length / (4 * inputs)
    reports = Interval(domain.start - half, domain.start + domain.length + half, cells=2 * inputs + 1)
    return NumericTask(domain, exponent, inputs, reports)


def knot_task(domain: NumericDomain, exponent: float, knots: int, reach: float) -> NumericTask:
    """Return a task with knots from end to end as inputs and outputs within ``reach`` half lengths."""
    return NumericTask(domain, exponent, knots, _reaching(domain, knots, reach), knots=True)


def whole_task(domain: Integers, exponent: float, reach: float) -> NumericTask:
    """Return an unbiased task with an input for every whole number; outputs are as for knots."""
    return NumericTask(domain, exponent, domain.size, _reaching(domain, domain.size, reach), unbiased=True)


def _reaching(domain: NumericDomain, inputs: int, reach: float) -> Interval:
    """Return outputs up to ``reach`` half lengths to both sides of the middle, nearly two for each input."""
    middle, half = domain.start + domain.length / 2, domain.length / 2 * reach
    count = 2 * inputs - 1
    edge = half / (count - 1)  # the outermost outputs, which are centres of cells, lie exactly at the reach
    return Interval(middle - half - edge, middle + half + edge, cells=count)
