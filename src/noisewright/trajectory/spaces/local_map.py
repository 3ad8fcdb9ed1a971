"""The local map: the space of a country or a polar region, in metres on the projection that suits it best.

The projections are those behind UTM and UPS, about any meridian or pole, and PROJ computes them. No guarantee
depends on its arithmetic: a report is a function of randomized cells and of public numbers. But a description
names only the box of a map, and its readers should get the metres at which a report was drawn. PROJ 9.1 to
9.5 agree to the bit where the algorithm is named, as here. They agree to 0.1 mm with the series that earlier
versions of this module used, which is negligible beside a window of noise.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from noisewright.domains import Floats, NumericDomain
from noisewright.errors import InvalidParameter, MissingExtra
from noisewright.trajectory.spaces.earth import wrap_longitude
from noisewright.trajectory.spaces.lonlat_box import DegreeBox
from noisewright.trajectory.spaces.rectangle import Rectangle


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
        """The transformer from degrees to metres; unlike ``pyproj.Proj``, threads may share it."""
        radians = "+step +proj=unitconvert +xy_in=deg +xy_out=rad"
        return load_proj().Transformer.from_pipeline(f"+proj=pipeline {radians} +step {self.definition}")

    def forward(self, points: Floats) -> Floats:
        """Convert degrees to metres; longitudes must be within 90° of the meridian of a cylinder."""
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


# -- the space -------------------------------------------------------------------------------------

MOST_DISTORTION = 0.1
"""Most relative error of lengths on a flat map."""

WIDEST = 160.0
"""Most degrees of longitude of the transverse projection; at 180 its edges lie at infinity."""

DERIVED = 1e-9
"""Bound on the error of magnifications, which PROJ derives numerically."""

MARGIN = 1e-3
"""Metres by which the rectangle is wider than the box's outline: far more than rounding can move a place."""


@dataclass(frozen=True)
class LocalMap(DegreeBox):
    """Places between two meridians and two parallels, randomized in metres (Zheng 2026, 6.2.5).

    Like UTM and UPS it projects the WGS84 ellipsoid without distorting angles: transverse Mercator about the
    middle of the box, or polar stereographic about the nearer pole, whichever keeps lengths better. Its scale
    is set so that the longest and the shortest length are wrong by the same share, :attr:`distortion`.
    Reports in the rectangle around the box on that map are moved into the box. Needs the extra ``maps``.

    Args:
        west: The western longitude in degrees, from −180 to 180; above ``east`` across the antimeridian.
        south: The southern latitude in degrees, from −90 to 90.
        east: The eastern longitude in degrees, from −180 to 180.
        north: The northern latitude in degrees, above ``south``.

    >>> japan = LocalMap(122, 24, 146, 46)
    >>> japan.chart.meridian, round(100 * japan.distortion, 2)    # at most 0.92 % wrong
    (134.0, 0.92)
    >>> LocalMap(-180, 66.5, 180, 90).chart.south                 # the Arctic, its pole an ordinary place
    False
    """

    kind: ClassVar[str] = "localmap"

    @cached_property
    def _choice(self) -> tuple[Projection, float]:
        """The projection that keeps lengths best, and the share by which it gets them wrong."""
        middle = float(wrap_longitude(np.array(self.west + self.width / 2)))
        projections: list[Projection] = [PolarStereographic(middle, south=self.south + self.north < 0)]
        if self.width <= WIDEST:
            projections.insert(0, TransverseMercator(middle))
        projection, distortion = min(map(self._balance, projections), key=lambda choice: choice[1])
        if not distortion <= MOST_DISTORTION:
            raise InvalidParameter(
                f"a flat map of this box gets lengths wrong by more than {MOST_DISTORTION:.0%}; "
                "use a smaller box, or LonLatBox or Sphere for an area this large"
            )
        return projection, distortion

    @property
    def chart(self) -> Projection:
        return self._choice[0]

    @property
    def distortion(self) -> float:
        """The largest relative error of a length, in any direction anywhere in the box."""
        return self._choice[1]

    @cached_property
    def frame(self) -> Rectangle:
        metres = self.chart.forward(self._turning_points())
        low, high = metres.min(axis=0) - MARGIN, metres.max(axis=0) + MARGIN
        return Rectangle(*low.tolist(), *high.tolist())

    @property
    def axes(self) -> tuple[NumericDomain, NumericDomain]:
        return self.frame.axes

    def to_axes(self, points: Floats) -> Floats:
        return self.frame.project(self.to_chart(points))

    def from_axes(self, coordinates: Floats) -> Floats:
        return self.from_chart(self.frame.project(coordinates))

    def _balance(self, projection: Projection) -> tuple[Projection, float]:
        """Return the projection scaled so that its extreme magnifications err equally, and by how much."""
        magnifications = projection.magnification(self._turning_points())
        least, most = float(magnifications.min()), float(magnifications.max())
        return replace(projection, scale=2 / (least + most)), (most - least) / (most + least) + DERIVED

    def _turning_points(self) -> Floats:
        """Return where coordinates and magnifications of the box can be extreme on either projection.

        Along every side of the box they rise or fall between its corners, the central meridian, the meridians
        at right angles to it, and the equator; so these crossings are enough, and no outline is sampled.
        """
        middle = self.west + self.width / 2
        longitudes = np.clip(middle + np.array([-180, -90, 0, 90, 180]), self.west, self.far_east)
        latitudes = np.unique(np.clip([self.south, 0.0, self.north], self.south, self.north))
        return np.stack(np.meshgrid(longitudes, latitudes), axis=-1).reshape(-1, 2)
