"""Baselines: published methods for routes, implemented right, each with the ε that it really spends.

Every baseline has a nominal ``epsilon`` for one location and a ``real_guarantee`` that is computed from the
integers of its sampler on the given places. Some do not keep what their papers promise, and say so.

    >>> places = [(0.1, 0.1), (0.2, 0.1), (0.1, 0.2), (0.9, 0.1), (0.9, 0.9)]
    >>> print(LSRR(places, epsilon=4.0).real_guarantee.sentence)
    nominal ε = 4, really 5.041: the sizes of the groups depend on the true place, ...
"""

from noisewright.trajectory.baselines.atp import ATP
from noisewright.trajectory.baselines.base import Baseline
from noisewright.trajectory.baselines.guarantee import RealGuarantee
from noisewright.trajectory.baselines.lsrr import LSRR
from noisewright.trajectory.baselines.ngram import NGram
from noisewright.trajectory.baselines.ngram_pairs import NGramPairs
from noisewright.trajectory.baselines.places import Places
from noisewright.trajectory.baselines.planar_laplace import PlanarLaplace
from noisewright.trajectory.baselines.strawman import Strawman
from noisewright.trajectory.baselines.table import BaselineRow, baseline_rows, build_baseline

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
