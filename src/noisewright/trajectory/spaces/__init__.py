"""Spaces: the public areas in which locations live."""

from noisewright.trajectory.spaces.base import Space
from noisewright.trajectory.spaces.disk import Disk
from noisewright.trajectory.spaces.local_map import LocalMap
from noisewright.trajectory.spaces.lonlat import LonLatBox
from noisewright.trajectory.spaces.lonlat_polygon import LonLatPolygon
from noisewright.trajectory.spaces.parallelogram import Parallelogram
from noisewright.trajectory.spaces.polygon import Polygon
from noisewright.trajectory.spaces.rectangle import Rectangle
from noisewright.trajectory.spaces.sphere import Sphere

__all__ = [
    "Disk",
    "LocalMap",
    "LonLatBox",
    "LonLatPolygon",
    "Parallelogram",
    "Polygon",
    "Rectangle",
    "Space",
    "Sphere",
]
