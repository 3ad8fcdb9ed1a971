"""Directions between places, in equal sectors: what ATP knows of a location besides its pivots."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from noisewright.domains import Cells
from noisewright.trajectory.baselines.choosing import distinct_sets
from noisewright.trajectory.baselines.places import Places
from noisewright.trajectory.spaces.base import Flags
from noisewright.trajectory.spaces.convex import TURN, angle_of


@dataclass(frozen=True, eq=False)
class Sectors:
    """Equal sectors of directions around every place, the first of them from the east to the left.

    >>> Sectors(Places.of([(0, 0), (1, 0.5), (-1, 0.5)]), 4).seen_from(0).tolist()
    [0, 0, 1]
    """

    places: Places
    count: int

    def seen_from(self, place: int) -> Cells:
        """The sector of every place as seen from one; a place sees itself in sector 0."""
        flat = self.places.flat
        numbers = (angle_of(flat - flat[place]) * (self.count / TURN)).astype(np.int64)
        return np.minimum(numbers, self.count - 1)

    def candidate_sets(self) -> list[Cells]:
        """Every set of candidates that one or two places and a sector of each can leave."""
        seen = [self.seen_from(place) for place in range(len(self.places))]
        flags = [view == sector for view in seen for sector in range(self.count)]
        single = list({row.tobytes(): row for row in flags}.values())
        pairs = [narrowed((one, other)) for one in single for other in single]
        return distinct_sets([*(narrowed((row,)) for row in single), *pairs])


def narrowed(flags: Sequence[Flags]) -> Flags:
    """The places in all of some sets; if there are none, in the largest set; if that is empty, all.

    >>> narrowed([np.array([True, True, False]), np.array([False, False, True])]).tolist()
    [True, True, False]
    """
    common: Flags = np.logical_and.reduce(flags)
    if not common.any():
        common = max(flags, key=np.count_nonzero)
    return common if common.any() else np.ones_like(common)
