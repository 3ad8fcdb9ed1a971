"""Provable privacy noise between personal data and everyone else.

>>> from noisewright import Interval
>>> from noisewright.mechanisms import OGPM
>>> mechanism = OGPM(Interval(40, 200), epsilon=2.0)
>>> report = mechanism.perturb(71.0)
>>> mechanism.guarantee.explain()
'An observer of one report can raise their odds between any two values by at most a factor of 7.4.'
"""

from noisewright.domains import Bins, Categories, Circle, Domain, Integers, Interval, MetricSpace, Product
from noisewright.guarantees import ApproximateLDP, ProbabilisticLDP, PureLDP

__version__ = "0.1.0"

__all__ = [
    "ApproximateLDP",
    "Bins",
    "Categories",
    "Circle",
    "Domain",
    "Integers",
    "Interval",
    "MetricSpace",
    "ProbabilisticLDP",
    "Product",
    "PureLDP",
    "__version__",
]
