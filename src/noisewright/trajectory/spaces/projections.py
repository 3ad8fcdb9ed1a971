"""Conformal projections of the WGS84 ellipsoid: the maps behind UTM and UPS, about any meridian or pole.

PROJ computes them. No guarantee rests on its arithmetic: a report is a function of randomized cells and of
public numbers. But a description names the box of a map alone, and whoever reads a report should find the
metres at which it was drawn. PROJ 9.1 to 9.5 agree to the bit where the algorithm is named, as here, and with
the series that earlier versions of this module used, to 0.1 mm: nothing beside a window of noise.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from noisewright.domains import Floats
from noisewright.errors import MissingExtra
from noisewright.trajectory.spaces.earth import wrap_longitude


def load_proj() -> Any:
    """Return the package ``pyproj``, or refuse and say how to install it."""
    try:
        import pyproj  # noqa: PLC0415  (an extra, and slow to load)
    except ImportError:
        raise MissingExtra.of("a local map needs pyproj, a box in degrees does not", "maps") from None
    return pyproj


@dataclass(frozen=True)
class Projection(ABC):
    """A flat map of the ellipsoid on which angles are true, in metres."""

    meridian: float
    scale: float = 1.0

    @property
    @abstractmethod
    def definition(self) -> str:
        """The projection in the words of PROJ."""

    @cached_property
    def _transformer(self) -> Any:
        """From degrees to metres; unlike ``pyproj.Proj``, threads may share it."""
        radians = "+step +proj=unitconvert +xy_in=deg +xy_out=rad"
        return load_proj().Transformer.from_pipeline(f"+proj=pipeline {radians} +step {self.definition}")

    def forward(self, points: Floats) -> Floats:
        """Convert degrees to metres; the longitudes less than 90° from the meridian of a cylinder."""
        return np.stack(self._transformer.transform(points[..., 0], points[..., 1]), axis=-1)

    def inverse(self, metres: Floats) -> Floats:
        """Convert metres to degrees."""
        east, north = self._transformer.transform(metres[..., 0], metres[..., 1], direction="INVERSE")
        return np.stack([wrap_longitude(np.asarray(east)), north], axis=-1)

    def magnification(self, points: Floats) -> Floats:
        """Return how many metres on the map one metre at each place becomes, in every direction."""
        factors = load_proj().Proj(self.definition).get_factors(points[..., 0], points[..., 1])
        return np.asarray(factors.meridional_scale)


@dataclass(frozen=True)
class TransverseMercator(Projection):
    """Metres east of a central meridian and north of the equator, and back.

    >>> tokyo_tower = np.array([139.7454, 35.6586])
    >>> chart = TransverseMercator(141.0, scale=0.9996)    # zone 54 of UTM, without its false easting
    >>> chart.forward(tokyo_tower).round(2)
    array([-113562.4 , 3946808.16])
    >>> chart.inverse(chart.forward(tokyo_tower)).round(9)
    array([139.7454,  35.6586])
    """

    @property
    def definition(self) -> str:
        # the algorithm is named, since another default can be configured: 67 km off at 60° from the meridian
        return f"+proj=tmerc +algo=poder_engsager +lon_0={self.meridian} +k={self.scale} +ellps=WGS84"


@dataclass(frozen=True)
class PolarStereographic(Projection):
    """Metres from a pole, with the central meridian straight down (north) or straight up (south), and back.

    The pole is an ordinary point of this map.

    >>> chart = PolarStereographic(0.0, scale=0.994)    # the northern UPS grid, without its false origin
    >>> chart.forward(np.array([0.0, 84.0])).round(3)
    array([      0.   , -666727.704])
    """

    south: bool = False

    @property
    def definition(self) -> str:
        pole = -90 if self.south else 90
        return f"+proj=stere +lat_0={pole} +lon_0={self.meridian} +k={self.scale} +ellps=WGS84"
