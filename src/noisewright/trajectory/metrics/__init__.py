"""Metrics of how useful private routes still are, compared with the true ones."""

from noisewright.trajectory.metrics.evaluation import Evaluation, evaluate
from noisewright.trajectory.metrics.pointwise import (
    average_error,
    hotspot_difference,
    range_query_preservation,
)
from noisewright.trajectory.metrics.shapes import Warping, dynamic_time_warping, frechet_distance

__all__ = [
    "Evaluation",
    "Warping",
    "average_error",
    "dynamic_time_warping",
    "evaluate",
    "frechet_distance",
    "hotspot_difference",
    "range_query_preservation",
]
