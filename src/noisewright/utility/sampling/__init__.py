"""Certificates for any black box, from queries that are shared by all mechanisms and ε."""

from noisewright.utility.sampling.bounds import average_interval, clopper_pearson, deviation
from noisewright.utility.sampling.certify import certify_by_queries
from noisewright.utility.sampling.regions import StableRegion, stable_boxes

__all__ = [
    "StableRegion",
    "average_interval",
    "certify_by_queries",
    "clopper_pearson",
    "deviation",
    "stable_boxes",
]
