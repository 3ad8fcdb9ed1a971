"""The rectangle of coordinates in which the regions of an aggregate are boxes.

For TraCS-C it is spanned by the two axes that are randomized, for TraCS-D it is the plane in which directions
and distances are taken. Intervals rest on the law of the reported coordinates. A space that moves reports
into itself afterwards (a disk, a polygon, a local map) destroys some of them, so it has no chart here.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from noisewright.domains import Floats, NumericDomain
from noisewright.errors import InvalidParameter
from noisewright.trajectory.cells import CellOracle
from noisewright.trajectory.location import LocationMechanism
from noisewright.trajectory.spaces import Space
from noisewright.trajectory.tracs_c import TraCSC
from noisewright.trajectory.tracs_d import TraCSD

LOOKS = 33
"""Coordinates along each side at which a chart is tried out."""


@dataclass(frozen=True)
class Chart:
    """Two coordinates of a space: its axes, or those of its plane."""

    space: Space
    flat: bool

    @property
    def domains(self) -> tuple[NumericDomain, NumericDomain]:
        """Where the two coordinates live."""
        plane = self.space.plane if self.flat else None
        return plane.axes if plane is not None else self.space.axes

    def to(self, points: Floats) -> Floats:
        """The coordinates of points."""
        return self.space.to_plane(points) if self.flat else self.space.to_axes(points)

    def back(self, coordinates: Floats) -> Floats:
        """The points of coordinates."""
        return self.space.from_plane(coordinates) if self.flat else self.space.from_axes(coordinates)

    @property
    def whole(self) -> bool:
        """Whether reports can be had anywhere in the chart, so that none was moved."""
        sides = [d.centres(np.linspace(0, d.lattice - 1, LOOKS).round()) for d in self.domains]
        tried = np.stack(np.meshgrid(*sides), axis=-1)
        sizes = np.array([domain.length for domain in self.domains])
        return bool((np.abs(self.to(self.back(tried)) - tried) < 1e-6 * sizes).all())


def chart_of(mechanism: LocationMechanism | CellOracle) -> Chart:
    """The chart in which the reports of a mechanism are aggregated, or a refusal that says what to use."""
    if not isinstance(mechanism, (TraCSC, TraCSD, CellOracle)):
        raise InvalidParameter(
            "aggregates need the reports of TraCSC, TraCSD or CellOracle, whose laws are known exactly"
        )
    chart = Chart(mechanism.space, isinstance(mechanism, TraCSD))
    if (chart.flat and mechanism.space.plane is None) or not chart.whole:
        raise InvalidParameter(
            f"reports in a space of kind {mechanism.space.kind} are moved after they were drawn and have "
            "no exact law; collect in a Rectangle or LonLatBox around it"
        )
    return chart
