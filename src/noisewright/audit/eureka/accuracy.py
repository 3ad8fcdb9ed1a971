"""How far the paper says its estimates may be off, which is no bound for any sample size that one can name.

With chance 1 − β and for n beyond some n₀ that nobody knows, the error after q comparisons is said to be at
most 2·e^ε·(12·c_d + 1)·√(ln(4q/β)/n). Here ln(4/β) stands where the paper's corollary 2 prints ln(4β), which
is below 0 for β < ¼; corollaries 3 and 4 are the same with q = 2·databases·rows and q = rows·laws·values².
"""

from __future__ import annotations

import math

from noisewright.errors import InvalidParameter
from noisewright.parameters import real, whole


def asymptotic_reach(
    epsilon: float, samples: int, dims: int, *, failure: float = 0.05, comparisons: int = 1
) -> float:
    """The published accuracy of nearest neighbours on ``dims`` numbers: asymptotic, never a bound.

    The theorem behind it holds an error fixed while n grows; here the error shrinks with n, so not even for
    large n does it follow. A law whose ratio changes sides often enough defeats it at every n.

    >>> round(asymptotic_reach(0.0, 2_000_000, 1), 3), round(asymptotic_reach(0.0, 2_000_000, 2), 3)
    (0.14, 0.808)
    """
    # Lu et al. 2024, cor 2 to 4
    return (12 * cones_bound(dims) + 1) * risk_reach(
        epsilon, samples, failure=failure, comparisons=comparisons
    )


def risk_reach(epsilon: float, samples: int, *, failure: float = 0.05, comparisons: int = 1) -> float:
    """How far the estimate may be from what its own classifiers would show with endless test rows.

    2·e^ε·√(ln(4q/β)/n), Hoeffding on the n/2 test rows: this part holds for every n (each of q comparisons
    spends half of β/q; the other half is meant for the classifier). It says nothing of better classifiers.

    >>> round(risk_reach(0.0, 1 << 26), 6)
    0.000511
    """
    size, looks = whole("samples", samples, 1, 1 << 62), whole("comparisons", comparisons, 1, 1 << 62)
    chance = real("failure", failure)
    if not 0 < chance < 1:
        raise InvalidParameter(f"failure must be above 0 and below 1, got {chance:g}")
    return 2 * math.exp(real("epsilon", epsilon)) * math.sqrt(math.log(4 * looks / chance) / size)


def cones_bound(dims: int) -> float:
    """At least the number of cones of angle π/6 that cover the space: (1 + 2/√(2 − √3))^dims − 1.

    >>> round(cones_bound(1), 4), round(cones_bound(2), 4)
    (3.8637, 22.6556)
    """
    # Devroye, Györfi and Lugosi 1996, lemma 5.5
    return float((1 + 2 / math.sqrt(2 - math.sqrt(3))) ** whole("dims", dims, 1, 400) - 1)
