"""Unbounded prior: the hidden half may be any half of the pool, and variances are bounded with confidence."""

from noisewright.release.bounded_means import bernstein_limit, betting_limit
from noisewright.release.unbounded.halves import IndependentHalves
from noisewright.release.unbounded.releasing import release_unbounded
from noisewright.release.unbounded.result import UnboundedReleased
from noisewright.release.unbounded.stopping import UnprovedRule, stopped_variances

__all__ = [
    "IndependentHalves",
    "UnboundedReleased",
    "UnprovedRule",
    "bernstein_limit",
    "betting_limit",
    "release_unbounded",
    "stopped_variances",
]
