"""A log-likelihood ratio of one column as a step function."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from noisewright.audit.scores.edges import candidate_edges
from noisewright.audit.scores.segments import segment_ends
from noisewright.audit.scores.smoothing import log_ratios
from noisewright.domains import Floats


@dataclass(frozen=True, eq=False)
class Steps:
    """``levels[k]`` above edge k − 1 and up to edge k: where each input is likelier, and by how much.

    >>> steps = Steps.fit(np.array([0.0, 0, 0, 1] * 50), np.array([0.0, 1, 1, 1] * 50), 16)
    >>> steps.edges.tolist(), steps.levels.round(1).tolist()
    ([0.0], [1.1, -1.1])
    """

    edges: Floats
    levels: Floats

    @classmethod
    def fit(cls, left: Floats, right: Floats, bins: int) -> Self:
        """Cut the line where the inputs differ; one level where they do not."""
        edges = candidate_edges(left, right, bins)
        counts = [
            np.bincount(np.searchsorted(edges, side), minlength=len(edges) + 1) for side in (left, right)
        ]
        ends = segment_ends(*counts)
        starts = np.concatenate([[0], ends[:-1] + 1])
        return cls(edges[ends[:-1]], log_ratios(*(np.add.reduceat(side, starts) for side in counts)))

    def scaled(self) -> Self:
        """The same steps with levels of size 1 on average, which a regression can weigh beside others."""
        return replace(self, levels=self.levels / np.abs(self.levels).mean())

    def at(self, numbers: Floats) -> Floats:
        """The level of each number."""
        return self.levels[np.searchsorted(self.edges, numbers)]
