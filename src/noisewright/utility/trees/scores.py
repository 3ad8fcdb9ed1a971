"""Scores as whole numbers, so that sums of leaves are exact and a tie is a tie.

Forests of pure leaves tie often: 50 trees against 50. Doubles added in another order than the library's
would break some of these ties. So every score is rounded to a multiple of 2^−k and kept as an integer, with a
count of the rounded leaves in its lowest bits; sums of integers do not depend on their order. A sum is

* decided if it is further from 0 than all rounding errors, here and in the library;
* decided by the library's rule for ties if no leaf in it was rounded, since then the library's is exact too;
* otherwise undecided, until the library's own order of addition settles it (``ensemble.py``).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from noisewright.domains import Cells
from noisewright.utility.trees.ensemble import TreeEnsemble

STABLE, UNSTABLE, UNDECIDED = 1, 0, 2
"""The possible verdicts about an answer, compared with the reference."""

NEAR = 1e-9
"""Sums this close to a tie, relative to the largest possible sum, are undecided."""


@dataclass(frozen=True, eq=False)
class Scores:
    """Scores of all nodes as multiples of 2^−k, the rounded nodes, and the format of margins.

    A margin is packed as ``steps << bits | rounded``: steps of 2^−k between two sums, and how many rounded
    leaves are in them.
    """

    steps: Cells  # (nodes, classes)
    rounded: Cells  # (nodes,)
    base: Cells  # (classes,)
    base_rounded: int
    bits: int
    near: int
    preference: Cells

    @classmethod
    def of(cls, ensemble: TreeEnsemble) -> Scores:
        """Return the scores of an ensemble on the finest scale on which no sum can overflow."""
        peaks = np.maximum.reduceat(np.abs(ensemble.scores).max(axis=1), ensemble.roots)
        most = float(
            peaks.sum() + np.abs(ensemble.base).max()
        )  # no sum of any class, nor a part of it, is larger
        bits = (ensemble.roots.size + 1).bit_length()
        scale = 2.0 ** (min(60 - bits, 50) - math.ceil(math.log2(max(most, 2.0**-900))))
        steps, base = ensemble.scores * scale, ensemble.base * scale
        return cls(
            steps=np.rint(steps).astype(np.int64),
            rounded=(np.rint(steps) != steps).any(axis=1).astype(np.int64),
            base=np.rint(base).astype(np.int64),
            base_rounded=int((np.rint(base) != base).any()),
            bits=bits,
            near=math.ceil(NEAR * most * scale) + ensemble.roots.size + 1,
            preference=ensemble.preference,
        )

    def rivals(self, reference: int) -> Cells:
        """Return the classes that a reference can lose against."""
        return np.flatnonzero(np.arange(self.base.size) != reference)

    def margins(self, leaves: NDArray[np.int32], reference: int) -> Cells:
        """Return how far the reference leads each rival in given leaves, packed: (leaves, rivals)."""
        rivals = self.rivals(reference)
        lead = self.steps[leaves, reference][:, None] - self.steps[np.ix_(leaves, rivals)]
        return np.asarray((lead << self.bits) + self.rounded[leaves][:, None])

    def head_start(self, reference: int) -> Cells:
        """Return how far the reference leads each rival before any tree, packed."""
        lead = self.base[reference] - self.base[self.rivals(reference)]
        return np.asarray((lead << self.bits) + self.base_rounded)

    def wins_ties(self, reference: int) -> NDArray[np.bool_]:
        """Return against which rivals the reference wins a tie."""
        place = np.argsort(self.preference)
        return np.asarray(place[reference] < place[self.rivals(reference)])

    def verdict(self, totals: Cells, wins_ties: NDArray[np.bool_]) -> NDArray[np.int8]:
        """Return whether the reference is the answer, for packed totals of shape (…, rivals)."""
        lead, rounded = totals >> self.bits, totals & ((1 << self.bits) - 1)
        open_ = (np.abs(lead) <= self.near) & (rounded > 0)
        won = (lead > 0) | ((lead == 0) & wins_ties)
        lost = (~won & ~open_).any(axis=-1)
        return np.where(lost, UNSTABLE, np.where(open_.any(axis=-1), UNDECIDED, STABLE)).astype(np.int8)
