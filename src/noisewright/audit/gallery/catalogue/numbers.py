"""Exhibits that publish numbers with noise."""

from __future__ import annotations

import math

from noisewright.audit.claim import Claim
from noisewright.audit.gallery.exhibit import Exhibit, Published
from noisewright.audit.gallery.noise import GaussianNoise, LaplaceNoise, LaplaceSum
from noisewright.audit.gallery.patterns import pattern
from noisewright.audit.gallery.sums import PrefixSums
from noisewright.audit.truth import classical_sigma

BUDGET = 0.1
"""The ε of the published experiments."""

UNIT = ((0.0,), (1.0,))
TEXTBOOK = "Dwork et al. 2006"
CLASSIC = Claim(1.0, 1e-5)
CLASSIC_NOISE = GaussianNoise(classical_sigma(CLASSIC.epsilon, CLASSIC.delta))
SMALL_NOISE = GaussianNoise(math.sqrt(CLASSIC_NOISE.deviation))

NUMBERS = (
    Exhibit(
        name="laplace",
        title="Laplace noise",
        source=TEXTBOOK,
        mechanism=LaplaceNoise(1 / BUDGET),
        pairs=(UNIT,),
        claim=Claim(BUDGET),
        true_epsilon=BUDGET,
        right=True,
        note="noise of scale 1/ε for a number of sensitivity 1 spends exactly ε.",
        published=Published(logistic=0.096804, network=0.097634),
    ),
    Exhibit(
        name="laplace-half",
        title="Laplace noise of half the scale",
        source=TEXTBOOK,
        mechanism=LaplaceNoise(1 / (2 * BUDGET)),
        pairs=(UNIT,),
        claim=Claim(BUDGET),
        true_epsilon=2 * BUDGET,
        right=False,
        note="the scale is half of 1/ε.",
    ),
    Exhibit(
        name="laplace-sum",
        title="a noisy sum of values up to 5",
        source=TEXTBOOK,
        mechanism=LaplaceSum(1.0),
        pairs=(((5.0, 3.0, 1.0), (0.0, 3.0, 1.0)),),
        claim=Claim(1.0),
        true_epsilon=5.0,
        right=False,
        note="the sensitivity of the sum, the largest value, was forgotten: the noise is that of a count.",
    ),
    Exhibit(
        name="laplace-parallel",
        title="twenty noisy copies of a number",
        source="Bichsel et al. 2021",
        mechanism=LaplaceNoise(20 / BUDGET, copies=20),
        pairs=(UNIT,),
        claim=Claim(BUDGET),
        true_epsilon=BUDGET,
        right=True,
        note="twenty times ε/20.",
        published=Published(logistic=0.034953, network=0.029869),
    ),
    Exhibit(
        name="gaussian",
        title="Gaussian noise",
        source="Dwork & Roth 2014",
        mechanism=CLASSIC_NOISE,
        pairs=(UNIT,),
        claim=CLASSIC,
        true_epsilon=CLASSIC_NOISE.epsilon(*UNIT, CLASSIC.delta),
        right=True,
        note="the textbook's deviation √(2·ln(1.25/δ))/ε is larger than it has to be.",
    ),
    Exhibit(
        name="gaussian-variance",
        title="Gaussian noise with σ for a variance",
        source="Dwork & Roth 2014",
        mechanism=SMALL_NOISE,
        pairs=(UNIT,),
        claim=CLASSIC,
        true_epsilon=SMALL_NOISE.epsilon(*UNIT, CLASSIC.delta),
        right=False,
        note="the deviation was handed to a function that takes a variance.",
    ),
    Exhibit(
        name="noisy-histogram-1",
        title="noisy histogram",
        source="Ding et al. 2018, algorithm 9",
        mechanism=LaplaceNoise(1 / BUDGET),
        pairs=(pattern("one below", 5),),
        claim=Claim(BUDGET),
        true_epsilon=BUDGET,
        right=True,
        note="a person is in one bin, so noise of scale 1/ε on each bin is enough.",
        published=Published(logistic=0.097794, network=0.097699),
    ),
    Exhibit(
        name="noisy-histogram-2",
        title="noisy histogram with scale ε for 1/ε",
        source="Ding et al. 2018, algorithm 10",
        mechanism=LaplaceNoise(BUDGET),
        pairs=(pattern("one below", 5),),
        claim=Claim(BUDGET),
        true_epsilon=1 / BUDGET,
        right=False,
        note="the scale of the noise was taken for its inverse.",
        published=Published(logistic=4.602022, network=4.601470),
    ),
    Exhibit(
        name="prefix-sum",
        title="prefix sums",
        source="Wang et al. 2019",
        mechanism=PrefixSums(1 / BUDGET),
        pairs=(pattern("all below", 10),),
        claim=Claim(10 * BUDGET),
        true_epsilon=10 * BUDGET,
        right=True,
        note="ten entries that may all move by 1 spend ten times ε.",
        published=Published(logistic=0.504012, network=0.577433),
    ),
    Exhibit(
        name="prefix-sum-one",
        title="prefix sums for one entry a person",
        source="Wang et al. 2019",
        mechanism=PrefixSums(1 / BUDGET),
        pairs=(pattern("all below", 10),),
        claim=Claim(BUDGET),
        true_epsilon=10 * BUDGET,
        right=False,
        note="the noise is that of a person with one entry, and here a person has ten.",
    ),
)
