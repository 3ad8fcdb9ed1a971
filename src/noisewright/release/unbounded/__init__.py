"""Unbounded prior: the secret world may be any half of the pool; variances are bounded with confidence."""

from noisewright.release.unbounded.release import UnboundedReleased, UnprovedRule, release_unbounded

__all__ = ["UnboundedReleased", "UnprovedRule", "release_unbounded"]
