"""Places as vectors whose differences are distances, so that they can be averaged.

A space embeds its points. Those of a flat space are such vectors already. Longitudes and latitudes are not,
least of all across the antimeridian or at a pole: they become points of a ball in space, in metres, where a
chord stands for the way along the surface. Averages of such vectors lie a little below the surface and are
lifted back to it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from noisewright.domains import Floats
from noisewright.trajectory.spaces.base import Space
from noisewright.trajectory.spaces.earth import MEAN_RADIUS, wrap_longitude

Singles = NDArray[np.float32]
"""Arrays with a number for each report and cell are large; seven digits are plenty for them."""


def from_vectors(space: Space, vectors: Floats) -> Floats:
    """The points of the space nearest to vectors: the way back from ``Space.embed``."""
    if space.units != "metres":
        return space.project(vectors)
    east = np.degrees(np.arctan2(vectors[..., 1], vectors[..., 0]))
    north = np.degrees(np.arctan2(vectors[..., 2], np.hypot(vectors[..., 0], vectors[..., 1])))
    return space.project(np.stack([wrap_longitude(east), north], axis=-1))


def arcs(chords: Singles) -> Singles:
    """Ways along the surface of the Earth, from chords through it."""
    return np.asarray(
        2 * MEAN_RADIUS * np.arcsin(np.minimum(chords / (2 * MEAN_RADIUS), 1)), dtype=np.float32
    )
