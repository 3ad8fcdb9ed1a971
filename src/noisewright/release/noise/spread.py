"""How the outputs spread over the worlds: a centre, directions, and the variance along each.

With finitely many worlds this is no estimate. The covariance over the worlds *is* the covariance of the
output, and its eigenvectors are the directions in which noise is best measured out.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from noisewright.domains import Floats

NEGLIGIBLE = 1e-12
"""Directions whose deviation is below this part of the largest are rounding, and never leave."""


@dataclass(frozen=True, eq=False)
class Spread:
    """The outputs seen from their centre: ``places`` (worlds, r) along ``directions`` (d, r).

    ``directions`` of None stands for the coordinates themselves.
    """

    centre: Floats = field(repr=False)
    directions: Floats | None = field(repr=False)
    places: Floats = field(repr=False)
    variances: Floats = field(repr=False)

    def vector(self, places: Floats) -> Floats:
        """Places along the directions back to vectors."""
        away = places if self.directions is None else places @ self.directions.T
        return np.asarray(self.centre + away)


def along_eigenvectors(outputs: Floats, weights: Floats) -> Spread:
    """The eigenbasis of the weighted covariance; what lies outside it is the centre's, in every world."""
    centre = weights @ outputs
    away = outputs - centre
    _, deviations, transposed = np.linalg.svd(np.sqrt(weights)[:, None] * away, full_matrices=False)
    kept = deviations > NEGLIGIBLE * deviations.max(initial=0.0)
    directions = np.ascontiguousarray(transposed[kept].T)
    places = away @ directions
    return Spread(centre, directions, places, weights @ places**2)


def along_coordinates(outputs: Floats, weights: Floats) -> Spread:
    """The coordinates as they are."""
    centre = weights @ outputs
    away = outputs - centre
    return Spread(centre, None, away, weights @ away**2)
