"""Exhibits of the sparse vector technique at the larger ε of Eureka (Lu et al. 2024, figures 7 and 9a).

The paper names the algorithms and ε, and for figure 7 "the same parameters as" Liu & Oh 2019. Queries and
thresholds here are those of Liu & Oh's published code: ten queries in the usual patterns, one answer above
the threshold, which is ½ for algorithm 1 and 1 for the others.
"""

from __future__ import annotations

import math

from noisewright.audit.claim import Claim
from noisewright.audit.gallery.exhibit import Exhibit
from noisewright.audit.gallery.patterns import pattern
from noisewright.audit.gallery.sparse_vector import SparseVector, algorithm


def _form(
    name: str, number: int, mechanism: SparseVector, epsilon: float, spends: float, note: str
) -> Exhibit:
    return Exhibit(
        name=name,
        title=f"sparse vector technique {number} at ε = {epsilon:g}",
        source=f"Lyu, Su & Li 2017, algorithm {number}",
        mechanism=mechanism,
        pairs=(pattern("half half", 10),),
        claim=Claim(epsilon),
        true_epsilon=spends * epsilon,
        right=spends <= 1,
        note=note,
    )


KEPT = "half of ε for the threshold, half for the one answer above it."

SPARSE_LARGE = (
    _form("svt-1-half", 1, algorithm(1, 0.5, 0.5), 0.5, 1.0, KEPT),
    _form("svt-1-large", 1, algorithm(1, 1.0, 0.5), 1.0, 1.0, KEPT),
    _form(
        "svt-4-large",
        4,
        algorithm(4, 1.0, 1.0),
        1.0,
        (1 + 6) / 4,
        "the noise of the queries is half of what both directions of change need.",
    ),
    _form(
        "svt-5-large",
        5,
        algorithm(5, 1.0, 1.0),
        1.0,
        math.inf,
        "queries get no noise, so that one threshold answers all of them and their order shows.",
    ),
)
