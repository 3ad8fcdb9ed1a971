"""Exhibits that publish a count or the winner of an election."""

from __future__ import annotations

import math

from noisewright.audit.claim import Claim
from noisewright.audit.gallery.choosing import ExponentialChoice, ExponentialCount
from noisewright.audit.gallery.exhibit import Exhibit, Published
from noisewright.audit.gallery.geometric import TruncatedGeometric, bits_for
from noisewright.audit.gallery.histograms import UncertainCount
from noisewright.audit.truth import ddp_histogram

GEOMETRIC = TruncatedGeometric(rows=5, bits=bits_for(0.1, base=math.e))
COUNT = ExponentialCount(rate=1.0, most=3)
UNCERTAIN_ROWS = 100

COUNTS = (
    Exhibit(
        name="truncated-geometric",
        title="truncated geometric noise",
        source="Balcer & Vadhan 2018, algorithm 4.8",
        mechanism=GEOMETRIC,
        pairs=((2, 1),),
        claim=Claim(math.log1p(2.0**-GEOMETRIC.bits)),
        true_epsilon=math.log1p(2.0**-GEOMETRIC.bits),
        right=True,
        note="the claim is what its factor of decay gives.",
        published=Published(logistic=0.115564, network=0.115543),
    ),
    Exhibit(
        name="truncated-geometric-natural",
        title="truncated geometric noise with the wrong logarithm",
        source="Balcer & Vadhan 2018, algorithm 4.8",
        mechanism=GEOMETRIC,
        pairs=((2, 1),),
        claim=Claim(0.1),
        true_epsilon=math.log1p(2.0**-GEOMETRIC.bits),
        right=False,
        note="the number of bits, ⌈log₂(2/ε)⌉, was computed with the natural logarithm.",
    ),
    Exhibit(
        name="exponential-count",
        title="a count by the exponential mechanism",
        source="Lu et al. 2024, section 8.1",
        mechanism=COUNT,
        pairs=(((0, 1, 1), (0, 0, 1)), ((0, 1, 1), (1, 1, 1)), ((0, 1, 1), (0, 1))),
        claim=Claim(2.0),
        true_epsilon=max(COUNT.epsilon((1,) * ones, (1,) * (ones + 1)) for ones in range(3)),
        right=True,
        note="counts of 0 to 3 rows; sums that normalize probabilities differ less than the proof allows.",
    ),
    Exhibit(
        name="exponential-election",
        title="an election by the exponential mechanism",
        source="McSherry & Talwar 2007",
        mechanism=ExponentialChoice(rate=0.5),
        pairs=(((4.0, 0.0, 0.0), (3.0, 1.0, 0.0)),),
        claim=Claim(1.0),
        true_epsilon=1.0,
        right=True,
        note="a vote that changes sides moves two scores; with many votes it spends up to ε.",
    ),
    Exhibit(
        name="exponential-election-twice",
        title="an election without the factor 2",
        source="McSherry & Talwar 2007",
        mechanism=ExponentialChoice(rate=1.0),
        pairs=(((4.0, 0.0, 0.0), (3.0, 1.0, 0.0)),),
        claim=Claim(1.0),
        true_epsilon=2.0,
        right=False,
        note="probabilities grow with e^(ε·score) in place of e^(ε·score/2).",
    ),
    Exhibit(
        name="uncertain-count",
        title="an exact count of unknown rows",
        source="Lu et al. 2024, section 8.3",
        mechanism=UncertainCount(UNCERTAIN_ROWS),
        pairs=((0, 1),),
        claim=Claim(0.0, float(ddp_histogram(UNCERTAIN_ROWS, 0.0))),
        true_epsilon=0.0,
        right=True,
        note="99 fair coins hide a row up to δ, in the eyes of someone who knows none of them.",
    ),
    Exhibit(
        name="uncertain-count-pure",
        title="an exact count of a few unknown rows",
        source="Lu et al. 2024, section 8.3",
        mechanism=UncertainCount(10),
        pairs=((0, 1),),
        claim=Claim(1.0),
        true_epsilon=math.inf,
        right=False,
        note="the smallest and the largest count prove what the row was, so no ε holds without a δ.",
    ),
)
