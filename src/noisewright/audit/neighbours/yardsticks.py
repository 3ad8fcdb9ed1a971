"""What outputs are measured with while pairs are screened, by their shape; one yardstick for a shared input.

A yardstick is prepared once from many outputs for the shared ``left`` database (and a mixture of the others,
so that it knows outputs which ``left`` never gives) and then measures thousands of neighbours cheaply.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Final

import numpy as np
from scipy.linalg import cho_factor, cho_solve

from noisewright.audit.encoding import Encoder, Features, fit_encoder
from noisewright.audit.encoding.numeric import in_order
from noisewright.audit.neighbours.exposure import of_cells, of_half_lines
from noisewright.audit.outputs import Outputs
from noisewright.audit.tallies import dealt
from noisewright.domains import Cells, Floats

BINS: Final = 32
"""Cells that a line of numbers is cut into, each with an equal share of the outputs for ``left``."""

RIDGE: Final = 1e-3
"""Added to the variances, in units of a standard deviation, so that constant columns do no harm."""


class Yardstick(ABC):
    """Measures how exposed a pair looks by outputs for its right database."""

    @abstractmethod
    def measure(self, right: Outputs, delta: float) -> float:
        """An ε to rank by; see :mod:`noisewright.audit.neighbours.exposure`."""


def yardstick(left: Outputs, rights: Sequence[Outputs]) -> Yardstick:
    """The yardstick that fits these outputs: a line, few distinct outputs, or anything else as a table.

    >>> draw = np.random.default_rng(1).normal
    >>> near, far = Outputs.of(draw(size=500)), Outputs.of(draw(3, size=500))
    >>> line = yardstick(Outputs.of(draw(size=500)), [near, far])
    >>> line.measure(near, 0.0) < 0 < 1 < line.measure(far, 0.0)
    True
    """
    if all(outputs.width == 1 for outputs in (left, *rights)):
        return LineYardstick(left)
    each = -(-len(left) // len(rights))
    encoder = fit_encoder(left, Outputs.joined([right[:each] for right in rights]))
    return AtomYardstick(left, encoder) if encoder.atoms is not None else TableYardstick(left, encoder)


class LineYardstick(Yardstick):
    """For one number: half-lines, and unions of bins for laws that differ in the middle."""

    def __init__(self, left: Outputs) -> None:
        numbers = _line(left)
        self._ordered = np.sort(numbers)
        self._edges = np.unique(np.quantile(self._ordered, np.arange(1, BINS) / BINS, method="lower"))
        self._cells = self._counted(numbers)

    def measure(self, right: Outputs, delta: float) -> float:
        numbers = _line(right)
        by_cells = of_cells(self._cells, self._counted(numbers), delta)
        return max(of_half_lines(self._ordered, numbers, delta), by_cells)

    def _counted(self, numbers: Floats) -> Cells:
        # An edge is a cell of its own: many mechanisms put a lump of probability on one value.
        places = np.searchsorted(self._edges, numbers, "left") + np.searchsorted(
            self._edges, numbers, "right"
        )
        return dealt(places, 2 * self._edges.size + 1)


class AtomYardstick(Yardstick):
    """For few distinct outputs of any shape: unions of them."""

    def __init__(self, left: Outputs, encoder: Encoder) -> None:
        self._encoder = encoder
        self._cells = self._counted(left)

    def measure(self, right: Outputs, delta: float) -> float:
        return of_cells(self._cells, self._counted(right), delta)

    def _counted(self, outputs: Outputs) -> Cells:
        atoms, names = self._encoder.features(outputs).atoms, self._encoder.atoms
        assert atoms is not None
        assert names is not None
        return dealt(atoms, len(names))


class TableYardstick(Yardstick):
    """For vectors: the linear score that best tells the means of (x, |x − middle|) apart, cross-fitted."""

    def __init__(self, left: Outputs, encoder: Encoder) -> None:
        self._encoder = encoder
        table = encoder.features(left).table
        self._middle = np.median(table, axis=0)
        spreads = table.std(axis=0)
        self._scale = np.where(spreads > 0, spreads, 1.0)
        self._left = self._columns(Features(table, None))
        spread = np.atleast_2d(np.cov(self._left, rowvar=False))
        self._factor = cho_factor(spread + RIDGE * np.eye(len(spread)))

    def measure(self, right: Outputs, delta: float) -> float:
        columns = self._columns(self._encoder.features(right))
        found = []
        for fit, hold in ((0, 1), (1, 0)):
            gap = self._left[fit::2].mean(axis=0) - columns[fit::2].mean(axis=0)
            weights = cho_solve(self._factor, gap)
            found.append(
                of_half_lines(np.sort(self._left[hold::2] @ weights), columns[hold::2] @ weights, delta)
            )
        return float(np.mean(found))

    def _columns(self, features: Features) -> Floats:
        centred = (features.table - self._middle) / self._scale
        return np.hstack([centred, np.abs(centred)])


def _line(outputs: Outputs) -> Floats:
    assert outputs.numbers is not None
    return in_order(outputs.numbers)[:, 0]
