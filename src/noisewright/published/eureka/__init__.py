"""Eureka (Lu et al. 2024) as published: δ from the risk of a classifier that is trained anew for every ε.

Kept for comparison and to reproduce the paper. It gives estimates and no bounds: its accuracy is
stated only for sample sizes beyond an unknown one. The audit's own spectrum has bounds.

>>> import numpy as np
>>> def noisy(data, count, generator):
...     return data + generator.laplace(size=count)
>>> found = eureka_pair(noisy, 0.0, 1.0, [0.0], vectorized=True, samples=4000, seed=1)
>>> bool(abs(found.deltas[0] - 0.3935) < 0.08)  # the truth is 1 − e^(−½)
True
"""

from noisewright.published.eureka.classifiers import CLASSIFIERS
from noisewright.published.eureka.distributional import (
    DistributionalEstimate,
    Fixed,
    FreshData,
    Population,
    eureka_distributional,
)
from noisewright.published.eureka.pair import (
    LABEL,
    PairEstimate,
    Tosses,
    eureka_experiment,
    eureka_pair,
    toss,
)
from noisewright.published.eureka.relative import (
    Comparison,
    RelativeEureka,
    asymptotic_reach,
    cones_bound,
    risk_reach,
)

__all__ = [
    "CLASSIFIERS",
    "LABEL",
    "Comparison",
    "DistributionalEstimate",
    "Fixed",
    "FreshData",
    "PairEstimate",
    "Population",
    "RelativeEureka",
    "Tosses",
    "asymptotic_reach",
    "cones_bound",
    "eureka_distributional",
    "eureka_experiment",
    "eureka_pair",
    "risk_reach",
    "toss",
]
