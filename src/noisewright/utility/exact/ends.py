"""Scores of three features when noise beyond the ends was moved to the first and the last cell.

Truncated noise puts much of its law on two cells. For the feature with the largest weight these are taken
apart: given such a report, the other two features have a half-plane of their own, summed exactly
(``polygon``); what lies between the ends has no jumps, as the grid of scores needs it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from noisewright.domains import Floats
from noisewright.utility.channels import Channel
from noisewright.utility.exact.halfspaces import Halfspaces
from noisewright.utility.exact.knotted import laws_of_features
from noisewright.utility.exact.polygon import Polygons
from noisewright.utility.exact.score_grid import Scores


@dataclass(frozen=True, eq=False)
class EndedScores:
    """The scores of three features, and the half-planes that remain when one is at its first or last cell."""

    feature: int
    scores: Scores
    first: Polygons
    last: Polygons

    @classmethod
    def of(cls, regions: Halfspaces, cells: int) -> Self:
        """The parts of regions, in numbers of cells."""
        scores = Scores.of(regions, cells)
        feature = int(scores.order[-1])
        first, last = (Polygons.of(_fixed(regions, feature, cell), cells) for cell in (0, cells - 1))
        return cls(feature, scores, first, last)

    def bounds(self, channel: Channel, units: Floats) -> tuple[Floats, Floats]:
        """Lower and upper bounds for the probability that each record keeps its answer."""
        laws = laws_of_features(channel, units)
        ended = laws[self.feature]
        laws[self.feature] = ended.without_ends()
        low, high = self.scores.bounds_for(laws)
        others = [law for feature, law in enumerate(laws) if feature != self.feature]
        for mass, polygons in zip(ended.ends(), (self.first, self.last), strict=True):
            if mass.any():
                least, most = polygons.bounds_for(others)
                low, high = low + mass * least, high + mass * most
        return low, high


def _fixed(regions: Halfspaces, feature: int, cell: int) -> Halfspaces:
    """The regions of the other features when one reports a certain cell."""
    others = [at for at in range(regions.coefficients.shape[1]) if at != feature]
    constants = regions.constants + cell * regions.coefficients[:, feature]
    sizes = np.abs(regions.constants) + cell * np.abs(regions.coefficients[:, feature])
    return replace(regions.on(others), constants=constants, margins=regions.margins + 2.0**-50 * sizes)
