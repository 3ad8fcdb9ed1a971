"""Spaces: the public areas in which locations live."""

from noisewright.trajectory.spaces.base import Chart, Flags, Space, distance_words
from noisewright.trajectory.spaces.disk import Disk
from noisewright.trajectory.spaces.earth import Sphere
from noisewright.trajectory.spaces.local_map import LocalMap
from noisewright.trajectory.spaces.lonlat_box import LonLatBox
from noisewright.trajectory.spaces.lonlat_polygon import LonLatPolygon
from noisewright.trajectory.spaces.parallelogram import Parallelogram
from noisewright.trajectory.spaces.polygon import Polygon
from noisewright.trajectory.spaces.rectangle import Rectangle

__all__ = [
    "Chart",
    "Disk",
    "Flags",
    "LocalMap",
    "LonLatBox",
    "LonLatPolygon",
    "Parallelogram",
    "Polygon",
    "Rectangle",
    "Space",
    "Sphere",
    "distance_words",
]
