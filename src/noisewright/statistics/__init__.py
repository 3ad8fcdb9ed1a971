"""Statistics that several rooms share: intervals of a chance, limits of a mean, root finding, the simplex."""

from noisewright.statistics.intervals import (
    CONFIDENCE,
    exact_chance,
    least_chance,
    most_chance,
    share_interval,
    standard_errors,
    within,
)
from noisewright.statistics.roots import bisect, last_true
from noisewright.statistics.simplex import norm_sub

__all__ = [
    "CONFIDENCE",
    "bisect",
    "exact_chance",
    "last_true",
    "least_chance",
    "most_chance",
    "norm_sub",
    "share_interval",
    "standard_errors",
    "within",
]
