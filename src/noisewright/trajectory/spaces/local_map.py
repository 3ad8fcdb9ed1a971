"""The local map: the space of a country or a polar region, in metres on the projection that suits it best."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar

import numpy as np

from noisewright.domains import Floats, NumericDomain
from noisewright.errors import InvalidParameter
from noisewright.trajectory.spaces.earth import wrap_longitude
from noisewright.trajectory.spaces.lonlat_box import DegreeBox
from noisewright.trajectory.spaces.projections import PolarStereographic, Projection, TransverseMercator
from noisewright.trajectory.spaces.rectangle import Rectangle

MOST_DISTORTION = 0.1
"""Where lengths would be wrong by more than this, a flat map is the wrong space."""

WIDEST = 160.0
"""Degrees of longitude that the transverse projection may hold; at 180 its edges lie at infinity."""

DERIVED = 1e-9
"""More than magnifications are off, which PROJ derives numerically."""

MARGIN = 1e-3
"""Metres by which the rectangle is wider than the box's outline: far more than rounding can move a place."""


@dataclass(frozen=True)
class LocalMap(DegreeBox):
    """Places between two meridians and two parallels, randomized in metres (Zheng 2026, 6.2.5).

    Like UTM and UPS it projects the WGS84 ellipsoid without distorting angles: transverse Mercator about the
    middle of the box, or polar stereographic about the nearer pole, whichever keeps lengths better; and its
    scale is set so that the longest and the shortest length are wrong by the same share, :attr:`distortion`.
    Reports live on the rectangle that the box needs on that map and are moved into the box. It needs the
    extra ``maps``.

    Args:
        west: The western longitude in degrees, from −180 to 180; above ``east`` if the box crosses the
            antimeridian.
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
        """The projection scaled so that its extreme magnifications err by the same share, and that share."""
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
