"""Mechanisms for numbers: how values become cells, and what the law of the cells says about errors."""

from __future__ import annotations

import os
from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from noisewright.domains import Cells, Floats, Integers, Interval, NumericDomain, as_floats
from noisewright.errors import OutOfDomain
from noisewright.mechanisms.basics.base import Mechanism, open_stream
from noisewright.mechanisms.basics.losses import Loss
from noisewright.mechanisms.law import Law
from noisewright.randomness import BLOCK, KEY_BYTES, NONCE_BYTES, SecureSource, Source, Stream, Words

COARSE = 1e-3
"""A bias of one report cell is snapping, up to this share of the domain's length."""

MOST_VALUES = 4096
"""The most whole numbers of a domain whose errors are all computed; of more, a part."""


@dataclass(frozen=True)
class NumericMechanism(Mechanism):
    """A channel between the cells of an interval or circle and the cells of its reports."""

    domain: NumericDomain
    domains: ClassVar[tuple[type[NumericDomain], ...]]
    grid: ClassVar[int] = 2049
    """Places of the first search for the maximum of an error curve."""
    average_places: ClassVar[int] = 2049
    """Places at which an error is averaged over the domain."""
    most_values: ClassVar[int] = MOST_VALUES
    """The most whole numbers that are tried one by one; laws with very many runs try fewer."""

    @property
    @abstractmethod
    def reports(self) -> NumericDomain:
        """Where reports live."""

    @property
    def _own_cells(self) -> NumericDomain:
        """The domain as a domain of reports, which are real numbers whatever the true values are."""
        return self.domain.as_interval() if isinstance(self.domain, Interval) else self.domain

    # -- drawing -----------------------------------------------------------------------------------

    @overload
    def perturb(
        self, values: float, source: Source | None = ..., *, out_of_domain: str = ..., name: str = ...
    ) -> float: ...
    @overload
    def perturb(
        self,
        values: NDArray[Any] | Sequence[Any],
        source: Source | None = ...,
        *,
        out_of_domain: str = ...,
        name: str = ...,
    ) -> Floats: ...
    @overload
    def perturb(
        self, values: Any, source: Source | None = ..., *, out_of_domain: str = ..., name: str = ...
    ) -> Any: ...
    def perturb(
        self,
        values: ArrayLike,
        source: Source | None = None,
        *,
        out_of_domain: str = "refuse",
        name: str = "value",
    ) -> Any:
        """Draw one report for each true value: a float for a number, an array for an array.

        Args:
            values: True values. Anything that is not a number of the domain is refused.
            source: Randomness; by default a :class:`~noisewright.randomness.SecureSource`. Tests and
                simulations pass a seeded one.
            out_of_domain: "refuse" values outside the domain, or "clip" finite ones to where they belong.
            name: What the values are called in a refusal.
        """
        truth = as_floats(values, name)
        if out_of_domain != "refuse":
            truth = self.domain.admit(truth, name=name, out_of_domain=out_of_domain)
        flat = np.ascontiguousarray(truth).reshape(-1)
        reports = np.empty(flat.size)
        stream = open_stream(source)
        draw = self.drawer(flat.size)
        for start in range(0, flat.size, BLOCK):
            piece = slice(start, start + BLOCK)
            if not draw(flat[piece], stream, reports[piece]):
                self.domain.admit(truth, name=name)  # finds the place and refuses
                raise OutOfDomain(f"{name} changed while it was being randomized; nothing is returned")
        return float(reports[0]) if truth.ndim == 0 else reports.reshape(truth.shape)

    def drawer(self, size: int) -> Any:
        """Return the function that draws one block: for large sizes the fused loop, if there is one."""
        return self._draw_block

    def _draw_block(self, values: Floats, stream: Stream, reports: Floats) -> bool:
        if not self.domain.contains(values).all():
            return False
        reports[:] = self.reports.centres(self._draw_cells(self.domain.snap(values), stream))
        return True

    # -- the law -----------------------------------------------------------------------------------

    def law(self, values: ArrayLike, *, out_of_domain: str = "refuse") -> Law:
        """Return the exact law of the reports for given true values."""
        truth = self.domain.admit(values, out_of_domain=out_of_domain)
        return self._law(self.domain.snap(truth), truth)

    @abstractmethod
    def _law(self, cells: Cells, truth: Floats) -> Law:
        """Return the law of the reports of input cells, with errors measured against the true values."""

    def worst_error(self, loss: Loss = "absolute") -> float:
        """Return the largest expected loss over all true values.

        The error curve is searched on a grid and then, around its top, down to single cells. Within a
        cell the law is fixed and the loss is largest at one of the cell's two edges. On whole numbers only
        those count: all of them are tried if there are at most ``most_values``.

        >>> from noisewright import Interval
        >>> from noisewright.mechanisms import OGPM
        >>> round(OGPM(Interval(0, 1), epsilon=2.0).worst_error("absolute"), 4)   # 1/(e + 1)
        0.2689
        """
        if isinstance(self.domain, Integers):
            return self._worst_whole(self.domain, loss)
        cells = self._search_cells()
        while True:
            errors = self._edge_errors(cells, loss)
            best = int(np.argmax(errors))
            low, high = int(cells[max(best - 1, 0)]), int(cells[min(best + 1, cells.size - 1)])
            if high - low <= 2:
                return float(errors[best])
            cells = np.unique(np.linspace(low, high, self.grid).round().astype(np.int64))

    def _worst_whole(self, domain: Integers, loss: Loss) -> float:
        """Return the largest expected loss over whole numbers; of many, by a grid that closes in on it."""
        every = domain.size <= self.most_values
        values = domain.values if every else self._search_values(domain)
        while True:
            errors = np.asarray(self.law(values).expected(loss))
            best = int(np.argmax(errors))
            low, high = values[max(best - 1, 0)], values[min(best + 1, values.size - 1)]
            if every or high - low <= 2:
                return float(errors[best])
            values = np.unique(np.linspace(low, high, self.grid).round())

    def _search_values(self, domain: Integers) -> Floats:
        """Return the whole numbers on both sides of the cells at which the search begins."""
        near = domain.centres(self._search_cells())
        return np.unique(domain.clip(np.concatenate([np.floor(near), np.ceil(near)])))

    def _search_cells(self) -> Cells:
        """Return the cells at which the search for the worst true value begins."""
        return np.unique(np.linspace(0, self.domain.lattice - 1, self.grid).round().astype(np.int64))

    def _edge_errors(self, cells: Cells, loss: Loss) -> Floats:
        left: Floats = np.asarray(self.domain.start + cells * self.domain.pitch, dtype=np.float64)
        ends = [self._law(cells, edge).expected(loss) for edge in (left, left + self.domain.pitch)]
        return np.asarray(np.maximum(*ends))

    def average_error(self, loss: Loss = "absolute") -> float:
        """Return the expected loss of a true value that is uniform over the domain."""
        if isinstance(self.domain, Integers) and self.domain.size <= self.most_values:
            return float(np.mean(self.law(self.domain.values).expected(loss)))
        # an odd number of places: on an even lattice they fall on all parts of cells alike
        points = self.domain.start + (np.arange(self.average_places) + 0.5) * (
            self.domain.length / self.average_places
        )
        return float(np.mean(self.law(points, out_of_domain="clip").expected(loss)))

    # -- facts for choosing a mechanism besides its errors -------------------------------------------

    @property
    def report_range(self) -> tuple[float, float]:
        """The ends between which reports lie.

        >>> from noisewright.mechanisms import OGPM
        >>> OGPM(Interval(40, 200), 1.0).report_range
        (40.0, 200.0)
        """
        return self.reports.start, self.reports.start + self.reports.length

    @cached_property
    def is_unbiased(self) -> bool:
        """Whether the expected report is the true value, but for snapping, at places all over the domain.

        >>> from noisewright.mechanisms import OGPM, PM
        >>> PM(Interval(0, 1), 1.0).is_unbiased, OGPM(Interval(0, 1), 1.0).is_unbiased
        (True, False)
        """
        truth = self.domain.places(17)
        gap = self.domain.distance(np.asarray(self.law(truth).mean()), truth)
        snapping = max(self.domain.pitch, min(self.reports.pitch, COARSE * self.domain.length))
        return bool(gap.max() <= snapping)

    def words_per_report(self) -> int:
        """Count the 64-bit random words that one report takes.

        >>> from noisewright.mechanisms import OGPM, Laplace
        >>> [kind(Interval(0, 1), 1.0).words_per_report() for kind in (OGPM, Laplace)]
        [1, 2]
        """
        source = _CountingSource()
        self.perturb_cells(np.zeros(1, dtype=np.int64), source)
        return source.counted.given

    def plot(self, axes: Any = None, loss: Loss = "absolute") -> Any:
        """Draw the expected loss over all true values; return the matplotlib axes."""
        from noisewright.mechanisms.plots import plot_error  # noqa: PLC0415  (matplotlib is an extra)

        return plot_error(self, axes, loss)


class _CountingStream(Stream):
    """A secure stream that counts the words it hands out."""

    given = 0

    def fill(self, words: Words) -> None:
        super().fill(words)
        self.given += words.size


class _CountingSource(SecureSource):
    """A source whose only stream counts."""

    def __init__(self) -> None:
        self.counted = _CountingStream(os.urandom(KEY_BYTES), os.urandom(NONCE_BYTES), renewable=True)

    def stream(self) -> Stream:
        return self.counted
