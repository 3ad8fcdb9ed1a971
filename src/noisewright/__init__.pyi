from noisewright.design import compare, explain
from noisewright.domains import Bins, Categories, Circle, Domain, Integers, Interval, MetricSpace, Product
from noisewright.guarantees import ApproximateLDP, ProbabilisticLDP, PureLDP
from noisewright.io import perturb_file, perturb_table
from noisewright.learn import learn_file
from noisewright.release import release_file
from noisewright.survey import estimate_file
from noisewright.utility import forecast_file

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
    "compare",
    "estimate_file",
    "explain",
    "forecast_file",
    "learn_file",
    "perturb_file",
    "perturb_table",
    "release_file",
]
