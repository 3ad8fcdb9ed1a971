"""One feature's part of a linear score, and its law on a grid that all features share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from noisewright.domains import Cells, Floats


@dataclass(frozen=True, eq=False)
class Term:
    """One feature's part of a score, ``step``·cell, and how it meets the grid.

    ``edges`` are the grid points in cells of the feature, ``counts`` how many cells lie before each.
    """

    step: float
    edges: Floats
    counts: Cells

    @classmethod
    def of(cls, step: float, cells: int, spacing: float) -> Self:
        """A term whose cells are ``step`` apart, on a grid of a spacing."""
        edges = np.arange(np.ceil(step * (cells - 1) / spacing) + 2) * (spacing / step)
        return cls(step, edges, np.clip(np.ceil(edges), 0, cells).astype(np.int64))

    def split(self, knots: Cells, rises: Floats, *, keep_mean: bool) -> Floats:
        """The law of the term on the grid: values are split so that their mean stays, or rounded down."""
        widths = np.diff(knots)
        shares = np.diff(rises) / np.maximum(widths, 1)
        moments = np.append(0.0, np.cumsum(shares * widths * (knots[1:] + knots[:-1] - 1) / 2))
        run = np.minimum(np.searchsorted(knots, self.counts, side="right") - 1, widths.size - 1)
        beyond = self.counts - knots[run]
        total = rises[run] + shares[run] * beyond
        moment = moments[run] + shares[run] * (beyond * (self.counts + knots[run] - 1) / 2)
        mass = np.diff(total)
        if not keep_mean:
            return np.append(mass, 0.0)
        right = np.clip((np.diff(moment) - self.edges[:-1] * mass) / self.edges[1], 0.0, mass)
        law = np.zeros(self.edges.size)
        law[:-1] = mass - right
        law[1:] += right
        return law
