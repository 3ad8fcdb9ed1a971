"""The cost of a report as a value that composes, converts where a theorem allows, and explains itself.

    >>> PureLDP(0.5) + ApproximateLDP(1.0, 1e-6)
    ApproximateLDP(epsilon=1.5, delta=1e-06)

Composition needs *fresh* noise: given the true value and all earlier reports, each mechanism tosses new
coins. Without that no notion composes, not even with a union bound: x + noise and x + 2·noise are
harmless one by one and reveal x together. Choosing the next mechanism after seeing earlier reports is
allowed unless a class says otherwise. Every computed number is rounded outward.
"""

from noisewright.guarantees.base import Guarantee
from noisewright.guarantees.central import DistributionalDP, RelativeDP
from noisewright.guarantees.information import PACPrivacy
from noisewright.guarantees.local import ApproximateLDP, JointLDP, MetricLDP, ProbabilisticLDP, PureLDP

__all__ = [
    "ApproximateLDP",
    "DistributionalDP",
    "Guarantee",
    "JointLDP",
    "MetricLDP",
    "PACPrivacy",
    "ProbabilisticLDP",
    "PureLDP",
    "RelativeDP",
]
