"""Cells whose sums come too close to a tie for whole numbers: they are added up as the library does it.

Small forests with leaves like 1/3 and 2/3 tie in earnest, and the library's rounding then decides. Where its
order of addition is known, walking down the trees for one point of the cell repeats it to the last bit.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from noisewright.domains import Cells, Floats
from noisewright.mechanisms.compiled import compiled
from noisewright.utility.exact.collapse import KERNELS, CutTrees
from noisewright.utility.exact.ensembles import LEAF, Indices


@dataclass(frozen=True, eq=False)
class TieBreaker:
    """The answers of an ensemble in single cells, for a record's row as the trees see it."""

    trees: CutTrees
    prepared: Floats

    @cached_property
    def goes_left(self) -> NDArray[np.bool_]:
        """The record's way at every node that asks for another feature."""
        ensemble = self.trees.ensemble
        return np.asarray(self.prepared[np.maximum(ensemble.feature, 0)] <= ensemble.threshold)

    def answers(self, cells: Indices) -> Cells:
        """The class of each cell, given by the edges at its upper ends: (cells, axes)."""
        loops, ensemble = compiled(KERNELS), self.trees.ensemble
        sums = np.tile(ensemble.base, (len(cells), 1))
        if loops is None:
            self._plain_sums(cells, sums)
        else:
            loops.sums_in_order(
                cells,
                self.goes_left,
                ensemble.feature,
                ensemble.left,
                ensemble.right,
                self.trees.axis,
                self.trees.cut,
                ensemble.roots,
                ensemble.scores,
                sums,
            )
        return ensemble.best(sums)

    def _plain_sums(self, cells: Indices, sums: Floats) -> None:
        ensemble, axis, cut = self.trees.ensemble, self.trees.axis, self.trees.cut
        for root in ensemble.roots:
            at = np.full(len(cells), root, dtype=np.int32)
            while (inner := np.flatnonzero(ensemble.feature[at] != LEAF)).size:
                node = at[inner]
                by_cut = cells[inner, np.maximum(axis[node], 0)] <= cut[node]
                left = np.where(axis[node] < 0, self.goes_left[node], by_cut)
                at[inner] = np.where(left, ensemble.left[node], ensemble.right[node])
            sums += ensemble.scores[at]
