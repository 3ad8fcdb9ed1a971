"""Published methods for routes, correctly implemented, with the ε they really spend, to compare TraCS with.

Each has a nominal ``epsilon`` for one location and a ``real_guarantee`` computed from the integers of its
sampler on the given places. Some do not keep what their papers promise, and say so.

    >>> places = [(0.1, 0.1), (0.2, 0.1), (0.1, 0.2), (0.9, 0.1), (0.9, 0.9)]
    >>> print(LSRR(places, epsilon=4.0).real_guarantee.sentence)
    nominal ε = 4, really 5.041: the sizes of the groups depend on the true place, ...
"""

from noisewright.published.routes.atp import ATP
from noisewright.published.routes.base import Baseline, RealGuarantee
from noisewright.published.routes.comparison import BaselineRow, baseline_rows, build_baseline
from noisewright.published.routes.lsrr import LSRR
from noisewright.published.routes.ngram import NGram, NGramPairs
from noisewright.published.routes.places import Places
from noisewright.published.routes.planar_laplace import PlanarLaplace
from noisewright.published.routes.strawman import Strawman

__all__ = [
    "ATP",
    "LSRR",
    "Baseline",
    "BaselineRow",
    "NGram",
    "NGramPairs",
    "Places",
    "PlanarLaplace",
    "RealGuarantee",
    "Strawman",
    "baseline_rows",
    "build_baseline",
]
