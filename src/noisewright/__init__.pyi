from noisewright.domains import Bins, Categories, Circle, Domain, Integers, Interval, MetricSpace, Product
from noisewright.guarantees import ApproximateLDP, ProbabilisticLDP, PureLDP

__version__: str

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
