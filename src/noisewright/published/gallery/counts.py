"""Counts and elections: geometric noise, histograms without noise, and exhibits that publish them."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.stats import binom

from noisewright.audit.basics.claim import Claim
from noisewright.audit.truth import ddp_histogram
from noisewright.published.gallery.exhibit import Exhibit, FiniteLaw, FiniteMechanism, Published
from noisewright.published.gallery.maxima import ExponentialChoice, ExponentialCount


@dataclass(frozen=True)
class TruncatedGeometric(FiniteMechanism):
    """A count from 0 to ``rows`` with two-sided geometric noise; what falls outside goes to the nearer end.

    Probabilities fall by the factor 2^bits/(2^bits + 1) a step, so that they are fractions with small
    denominators (Balcer & Vadhan 2018), and ε = ln(1 + 2^(−bits)).

    >>> noisy = TruncatedGeometric(rows=5, bits=3)
    >>> noisy(0, 4, np.random.default_rng(0)).shape, round(noisy.epsilon(2, 1), 4)
    ((4,), 0.1178)
    """

    rows: int
    bits: int

    @property
    def decay(self) -> float:
        """The factor by which probabilities fall a step."""
        return float(2**self.bits / (2**self.bits + 1))

    def __call__(self, data: int, count: int, generator: np.random.Generator) -> NDArray[np.int64]:
        steps = generator.geometric(1 - self.decay, size=(2, count))
        return np.asarray(np.clip(data + steps[0] - steps[1], 0, self.rows))

    def law(self, data: int) -> FiniteLaw:
        counts = np.arange(self.rows + 1)
        shares = self.decay ** np.abs(counts - data) / (1 + self.decay)
        shares[1:-1] *= 1 - self.decay
        return FiniteLaw(counts[:, None], shares)


def bits_for(epsilon: float, base: float = 2.0) -> int:
    """⌈log₂(2/ε)⌉, which keeps ε with room to spare; with the natural logarithm it does not.

    >>> bits_for(0.1), bits_for(0.1, base=math.e)
    (5, 3)
    """
    return math.ceil(math.log(2 / epsilon, base))


@dataclass(frozen=True)
class UncertainCount(FiniteMechanism):
    """The exact number of ones in a column, when all rows but one are fair coins to the observer.

    Distributional privacy (Lu et al. 2024, section 8.3): the input is the one row that is looked for.

    >>> count = UncertainCount(rows=3)
    >>> count.law(0).shares.round(9).tolist(), count.law(1).shares.round(9).tolist()
    ([0.25, 0.5, 0.25, 0.0], [0.0, 0.25, 0.5, 0.25])
    """

    rows: int

    def __call__(self, data: int, count: int, generator: np.random.Generator) -> NDArray[np.int64]:
        return data + generator.binomial(self.rows - 1, 0.5, size=count)

    def law(self, data: int) -> FiniteLaw:
        counts = np.arange(self.rows + 1)
        return FiniteLaw(counts[:, None], binom.pmf(counts - data, self.rows - 1, 0.5))


# -- exhibits ------------------------------------------------------------------------------------------


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
        note="the smallest and the largest count prove what the row was, so no ε holds without a δ.",
    ),
)
