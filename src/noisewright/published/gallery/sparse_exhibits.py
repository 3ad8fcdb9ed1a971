"""Exhibits of the sparse vector technique, right and wrong, small and large."""

from __future__ import annotations

import math

from noisewright.audit.basics.claim import Claim
from noisewright.published.gallery.exhibit import Exhibit, Pair, Published, ShownMechanism, pattern
from noisewright.published.gallery.sparse_vector import (
    SparseVector,
    Together,
    algorithm,
    numerical,
    published_values,
)

BUDGET, QUERIES = 0.1, 10
HALVES, CROSSED = pattern("half half", QUERIES), pattern("crossed", QUERIES)

RISING: Pair = ((0.0,) * 9 + (10.0,), (1.0,) * 9 + (9.0,))
"""Worse than any pattern for forms 1 and 2, plainer for form 4: nine queries rise, and the last one falls."""

PAPER = "Lyu, Su & Li 2017, algorithm"


def _form(
    number: int,
    mechanism: ShownMechanism,
    pairs: tuple[Pair, ...],
    spends: float,
    note: str,
    found: Published,
) -> Exhibit:
    return Exhibit(
        name=f"svt-{number}",
        title=f"sparse vector technique {number}",
        source=f"{PAPER} {number}",
        mechanism=mechanism,
        pairs=pairs,
        claim=Claim(BUDGET),
        true_epsilon=spends * BUDGET,
        right=spends <= 1,
        note=note,
        published=found,
    )


SPARSE = (
    _form(
        1,
        algorithm(1, BUDGET, 0.5),
        (HALVES, RISING),
        1.0,
        "half of ε for the threshold, half for the one answer above it.",
        Published(logistic=0.085798, network=0.085782),
    ),
    _form(
        2,
        algorithm(2, BUDGET, 1.0),
        (HALVES, RISING),
        1.0,
        "a threshold that is renewed after each answer above it is paid for each time.",
        Published(logistic=0.085934, network=0.085247),
    ),
    _form(
        3,
        published_values(BUDGET, 1.0),
        (CROSSED,),
        QUERIES / 2,
        "the noisy query is published, which bounds the threshold, and so every answer below it costs; the ε "
        "is that of ten queries and grows with them without end.",
        Published(logistic=0.171572, network=0.182168),
    ),
    _form(
        4,
        algorithm(4, BUDGET, 1.0),
        (HALVES, RISING),
        (1 + 6) / 4,
        "the noise of the queries is half of what both directions of change need.",
        Published(logistic=0.168683, network=0.169569),
    ),
    _form(
        5,
        algorithm(5, BUDGET, 1.0),
        (HALVES,),
        math.inf,
        "queries get no noise, so that one threshold answers all of them and their order shows.",
        Published(logistic=1.761185, network=1.760988),
    ),
    _form(
        6,
        algorithm(6, BUDGET, 1.0),
        (HALVES,),
        QUERIES / 2,
        "it never stops, so every query spends ε/2; the ε is that of ten queries and grows without end.",
        Published(logistic=0.272041, network=0.269827),
    ),
    Exhibit(
        name="svt-numerical",
        title="numerical sparse vector technique",
        source="Wang et al. 2019",
        mechanism=numerical(BUDGET, threshold=1.0, positives=2),
        pairs=(CROSSED,),
        claim=Claim(BUDGET),
        true_epsilon=BUDGET,
        right=True,
        note="numbers are published with noise of their own, and a third of ε pays for it.",
        published=Published(logistic=0.034324, network=0.034501),
    ),
    Exhibit(
        name="svt-3-and-4",
        title="sparse vector techniques 3 and 4 together",
        source="Bichsel et al. 2021",
        mechanism=Together((published_values(BUDGET, 1.0, 2), algorithm(4, BUDGET, 1.0, 2))),
        pairs=(HALVES,),
        claim=Claim(2 * BUDGET),
        true_epsilon=(QUERIES / 4 + (1 + 6 * 2) / 4) * BUDGET,
        right=False,
        note="two wrong forms with two answers above each: their claims add up, and so do their mistakes.",
        published=Published(logistic=0.261038, network=0.261621),
    ),
)


def _large_form(
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
    _large_form("svt-1-half", 1, algorithm(1, 0.5, 0.5), 0.5, 1.0, KEPT),
    _large_form("svt-1-large", 1, algorithm(1, 1.0, 0.5), 1.0, 1.0, KEPT),
    _large_form(
        "svt-4-large",
        4,
        algorithm(4, 1.0, 1.0),
        1.0,
        (1 + 6) / 4,
        "the noise of the queries is half of what both directions of change need.",
    ),
    _large_form(
        "svt-5-large",
        5,
        algorithm(5, 1.0, 1.0),
        1.0,
        math.inf,
        "queries get no noise, so that one threshold answers all of them and their order shows.",
    ),
)
