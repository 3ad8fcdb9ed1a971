"""Aggregates of many private routes: counts, maps, trips and hotspots, each with an interval."""

from noisewright.trajectory.aggregates.count import Count, count_inside
from noisewright.trajectory.aggregates.density import DensityMap, Hotspot, density_map, hotspots
from noisewright.trajectory.aggregates.trips import ODTable, origin_destination

__all__ = [
    "Count",
    "DensityMap",
    "Hotspot",
    "ODTable",
    "count_inside",
    "density_map",
    "hotspots",
    "origin_destination",
]
