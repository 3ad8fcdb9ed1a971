"""Eureka (Lu et al. 2024) as published: δ from the risk of a classifier that is trained anew for every ε.

Kept for comparison and for who wants to repeat the paper. It gives estimates and no bounds: its accuracy is
stated only for sample sizes beyond an unknown one. The audit's own spectrum has bounds.

>>> import numpy as np
>>> def noisy(data, count, generator):
...     return data + generator.laplace(size=count)
>>> found = eureka_pair(noisy, 0.0, 1.0, [0.0], vectorized=True, samples=4000, seed=1)
>>> bool(abs(found.deltas[0] - 0.3935) < 0.08)  # the truth is 1 − e^(−½)
True
"""

from noisewright.audit.eureka.accuracy import asymptotic_reach, cones_bound, risk_reach
from noisewright.audit.eureka.classifiers import CLASSIFIERS
from noisewright.audit.eureka.distributional import DistributionalEstimate, eureka_distributional
from noisewright.audit.eureka.pair import LABEL, PairEstimate, eureka_experiment, eureka_pair
from noisewright.audit.eureka.population import Fixed, FreshData, Population
from noisewright.audit.eureka.problem import Tosses, toss
from noisewright.audit.eureka.relative import Comparison, RelativeEureka

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
