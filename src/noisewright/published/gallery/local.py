"""What one person runs alone: a label, a string, a place; randomized response, unary encoding, RAPPOR."""

from __future__ import annotations

import hashlib
import itertools
import math
from abc import abstractmethod
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from noisewright.audit.basics.claim import Claim
from noisewright.domains import Floats
from noisewright.published.gallery.exhibit import (
    Exhibit,
    FiniteLaw,
    FiniteMechanism,
    Published,
    ShownMechanism,
)

# -- categories ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class RandomizedResponse(FiniteMechanism):
    """A label that is sometimes replaced by one drawn from all labels.

    >>> right = RandomizedResponse(6, right_replacement(6, 1.0))
    >>> wrong = RandomizedResponse(6, published_replacement(6, 1.0))
    >>> round(right.epsilon(0, 1), 10), round(wrong.epsilon(0, 1), 2)
    (1.0, 3.72)
    """

    labels: int
    replaced: float

    def __call__(self, data: int, count: int, generator: np.random.Generator) -> NDArray[np.int64]:
        drawn = generator.integers(self.labels, size=count)
        return np.where(generator.random(count) < self.replaced, drawn, data)

    def law(self, data: int) -> FiniteLaw:
        shares = np.full(self.labels, self.replaced / self.labels)
        shares[data] += 1 - self.replaced
        return FiniteLaw(np.arange(self.labels)[:, None], shares)


def right_replacement(labels: int, epsilon: float) -> float:
    """Return how often k-RR has to replace a label: the other k − 1 share k − 1 parts in k − 1 + e^ε."""
    return labels / (labels - 1 + math.exp(epsilon))


def published_replacement(labels: int, epsilon: float) -> float:
    """Return the probability of *one* other label taken for that of a replacement, as in published code."""
    return 1 / (labels - 1 + math.exp(epsilon))


@dataclass(frozen=True)
class UnaryEncoding(FiniteMechanism):
    """A label as a row of bits, one of them set, of which the first ``randomized`` are randomized.

    With ½ for the bit that is set and 1/(e^ε + 1) for the others it keeps ε (OUE, Wang et al. 2017), provided
    that *all* bits are randomized.

    >>> round(UnaryEncoding(3, 1.0, randomized=3).epsilon(0, 2), 9)
    1.0
    >>> UnaryEncoding(3, 1.0, randomized=2).epsilon(0, 2)
    inf
    """

    labels: int
    budget: float
    randomized: int

    def __call__(self, data: int, count: int, generator: np.random.Generator) -> NDArray[np.int8]:
        return (generator.random((count, self.labels)) < self._rates(data)).astype(np.int8)

    def _rates(self, data: int) -> NDArray[np.float64]:
        """How often each bit is reported as 1."""
        bits = np.arange(self.labels) == data
        noisy = np.where(bits, 0.5, 1 / (math.exp(self.budget) + 1))
        return np.where(np.arange(self.labels) < self.randomized, noisy, bits)

    def law(self, data: int) -> FiniteLaw:
        rows, rates = np.array(list(itertools.product((0, 1), repeat=self.labels))), self._rates(data)
        return FiniteLaw(rows, np.where(rows == 1, rates, 1 - rates).prod(axis=1))


# -- a Bloom filter, randomized once for all time and once more for every report -----------------------


@dataclass(frozen=True)
class Rappor(ShownMechanism):
    """One report about a value (Erlingsson, Pihur & Korolova 2014).

    A bit of the filter is replaced by a fair coin with probability ``forgotten``, then reported as 1 with
    probability ``one`` if it is set and ``zero`` if not. ``one=1, zero=0`` leaves the second step out, which
    is the one-time form.

    >>> rappor = Rappor(forgotten=0.75, zero=0.45, one=0.55)
    >>> sorted(rappor.filter_of(5)), round(rappor.most, 4)
    ([2, 5, 6, 11], 0.4001)
    """

    forgotten: float
    zero: float = 0.0
    one: float = 1.0
    bits: int = 20
    hashes: int = 4

    def filter_of(self, value: int) -> frozenset[int]:
        """Return the bits of the filter that a value sets; hashes may meet."""
        texts = (f"{seed}:{value}".encode() for seed in range(self.hashes))
        return frozenset(int(hashlib.sha256(text).hexdigest(), 16) % self.bits for text in texts)

    @property
    def rates(self) -> tuple[float, float]:
        """How often a bit is reported as 1, if it is not set and if it is."""
        coin = self.forgotten / 2
        if_set, if_not = 1 - coin, coin
        return (
            if_not * self.one + (1 - if_not) * self.zero,
            if_set * self.one + (1 - if_set) * self.zero,
        )

    def __call__(self, data: int, count: int, generator: np.random.Generator) -> NDArray[np.int8]:
        bits = np.isin(np.arange(self.bits), list(self.filter_of(data)))
        forgotten = generator.random((count, self.bits)) < self.forgotten
        kept = np.where(forgotten, generator.random((count, self.bits)) < 0.5, bits)
        return (generator.random((count, self.bits)) < np.where(kept, self.one, self.zero)).astype(np.int8)

    def epsilon(self, left: int, right: int, delta: float = 0.0) -> float | None:
        if delta:
            return None
        first, second = self.filter_of(left), self.filter_of(right)
        return max(self._spend(first - second, second - first), self._spend(second - first, first - second))

    def _spend(self, own: frozenset[int], others: frozenset[int]) -> float:
        """The report that speaks most for a filter has all bits that only it sets, and no others."""
        low, high = self.rates
        return len(own) * math.log(high / low) + len(others) * math.log((1 - low) / (1 - high))

    @property
    def most(self) -> float:
        """The ε of two values whose filters have no bit in common (Erlingsson et al. 2014, thms 1 and 2)."""
        low, high = self.rates
        return self.hashes * math.log(high * (1 - low) / (low * (1 - high)))


# -- places: two published ways to report one near the true place --------------------------------------


@dataclass(frozen=True)
class ReportedPlace(FiniteMechanism):
    """A place of a public list, by number, drawn from weights that depend on the true one."""

    places: tuple[float, ...]
    budget: float

    @abstractmethod
    def weights(self, distances: Floats) -> Floats:
        """Return how much each place weighs, by its distance from the true one."""

    def law(self, data: int) -> FiniteLaw:
        weights = self.weights(np.abs(np.asarray(self.places) - self.places[data]))
        return FiniteLaw(np.arange(len(self.places))[:, None], weights / weights.sum())

    def __call__(self, data: int, count: int, generator: np.random.Generator) -> NDArray[np.int64]:
        return generator.choice(len(self.places), size=count, p=self.law(data).shares)

    @property
    def worst_pair(self) -> tuple[int, int]:
        """The two places that reports tell apart best."""
        pairs = itertools.combinations(range(len(self.places)), 2)
        return max(pairs, key=lambda pair: self.epsilon(*pair))

    @property
    def worst(self) -> float:
        """The ε of the worst pair."""
        return self.epsilon(*self.worst_pair)


@dataclass(frozen=True)
class Staircase(ReportedPlace):
    """L-SRR (Wang et al. 2022): weights fall in equal steps from e^ε to 1, a step at each radius.

    Two places may differ in how many places lie near them, and with that in the sum that weights are divided
    by; the ratio of two reports then exceeds e^ε.

    >>> Staircase((0.0, 1.0, 2.0, 9.0), 1.0, radii=(1.5,)).worst > 1.2
    True
    """

    radii: tuple[float, ...]

    def weights(self, distances: Floats) -> Floats:
        steps = np.linspace(np.exp(self.budget), 1.0, len(self.radii) + 1)
        return steps[np.searchsorted(self.radii, distances, side="left")]


@dataclass(frozen=True)
class ReachablePlace(ReportedPlace):
    """NGram as it was evaluated (Zheng 2026, 6.3.2): the exponential mechanism among places within reach.

    Within reach of the *true* place, that is, so that a report rules out every place that is further away.

    >>> ReachablePlace((0.0, 1.0, 2.0), 1.0, reach=1.0).epsilon(0, 2)
    inf
    """

    reach: float

    def weights(self, distances: Floats) -> Floats:
        rate = self.budget / (2 * self.reach)
        return np.where(distances <= self.reach, np.exp(-rate * distances), 0.0)


# -- exhibits ------------------------------------------------------------------------------------------


BUDGET, LABELS = 1.0, 6
PUBLISHED_RESPONSE = RandomizedResponse(LABELS, published_replacement(LABELS, BUDGET))

RAPPOR, ONE_TIME = Rappor(forgotten=0.75, zero=0.45, one=0.55), Rappor(forgotten=0.95)

LINE = tuple(float(place) for place in range(10))

STAIRCASE = Staircase(LINE, BUDGET, radii=(1.5, 4.5))

RAPPOR_PAPER = "Erlingsson, Pihur & Korolova 2014"
LOCAL = (
    Exhibit(
        name="randomized-response",
        title="k-ary randomized response",
        source="Kairouz, Oh & Viswanath 2016",
        mechanism=RandomizedResponse(LABELS, right_replacement(LABELS, BUDGET)),
        pairs=((0, 1),),
        claim=Claim(BUDGET),
        true_epsilon=BUDGET,
        note="the true label is e^ε times as likely as each other one.",
    ),
    Exhibit(
        name="randomized-response-published",
        title="k-ary randomized response, wrongly flipped",
        source="published code of Zheng 2026, chapter 6",
        mechanism=PUBLISHED_RESPONSE,
        pairs=((0, 1),),
        claim=Claim(BUDGET),
        true_epsilon=PUBLISHED_RESPONSE.epsilon(0, 1),
        note="the probability of one other label was taken for that of any other.",
    ),
    Exhibit(
        name="unary-encoding",
        title="optimized unary encoding",
        source="Wang et al. 2017",
        mechanism=UnaryEncoding(LABELS, BUDGET, randomized=LABELS),
        pairs=((0, LABELS - 1),),
        claim=Claim(BUDGET),
        true_epsilon=BUDGET,
        note="two bits differ, and together they spend ε.",
    ),
    Exhibit(
        name="unary-encoding-short",
        title="unary encoding, off by one",
        source="Wang et al. 2017",
        mechanism=UnaryEncoding(LABELS, BUDGET, randomized=LABELS - 1),
        pairs=((0, LABELS - 1),),
        claim=Claim(BUDGET),
        true_epsilon=math.inf,
        note="the loop over bits stops one early, and the last bit is sent as it is.",
    ),
    Exhibit(
        name="rappor",
        title="RAPPOR",
        source=RAPPOR_PAPER,
        mechanism=RAPPOR,
        pairs=((3, 5), (1, 3)),
        claim=Claim(RAPPOR.most),
        true_epsilon=RAPPOR.most,
        note="filters without a common bit spend ε; six bits differ in the first pair, as in the published "
        "experiment, which spend 0.30006 and not the 0.3008 that was published.",
        published=Published(logistic=0.292985, network=0.300802),
    ),
    Exhibit(
        name="rappor-one-time",
        title="one-time RAPPOR",
        source=RAPPOR_PAPER,
        mechanism=ONE_TIME,
        pairs=((3, 5), (1, 3)),
        claim=Claim(ONE_TIME.most),
        true_epsilon=ONE_TIME.most,
        note="the first step alone; six bits differ in the first pair, as in the published experiment.",
        published=Published(logistic=0.597778, network=0.599899),
    ),
    Exhibit(
        name="l-srr",
        title="staircase randomized response (L-SRR)",
        source="Wang et al. 2022",
        mechanism=STAIRCASE,
        pairs=(STAIRCASE.worst_pair,),
        claim=Claim(BUDGET),
        true_epsilon=STAIRCASE.worst,
        note="how many places are near depends on the true place, and with that every probability.",
    ),
    Exhibit(
        name="ngram",
        title="NGram as it was evaluated",
        source="Zheng 2026, section 6.3.2",
        mechanism=ReachablePlace(LINE, BUDGET, reach=6.75),
        pairs=((0, 9),),
        claim=Claim(BUDGET),
        true_epsilon=math.inf,
        note="only places within reach of the true one are reported, which rules all others out.",
    ),
)
