"""Brackets: two functions of a report between whose expectations an indicator is known to lie.

For a region and a person at x let ψ(x) be 1 inside and 0 outside. A bracket is a pair of functions of the
report with

    E[lower | x] ≤ ψ(x) ≤ E[upper | x]     for every x, and so for every population.

Sums of the two over all reports bracket the number of people inside, whatever the people do: if all of them
stand on one spot beside the edge of the region, the bracket is wide, and it is not wrong. A channel blurs
edges, so no function of a report has ψ itself for its expectation, and a single "unbiased" estimate is one
for people who are spread evenly near the edge only.

Two brackets of independent reports multiply: with u ≥ ψ ≥ l and u' ≥ ψ' ≥ l',

    u·u' ≥ ψ·ψ' ≥ u·l' + l·u' − u·u',

because u·(l' − u') ≤ ψ·(l' − u') and l·u' ≤ ψ·u'. A box is the product of two spans (TraCS-C), and a trip
from one box to another the product of two boxes.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from noisewright.domains import Cells, Floats
from noisewright.mechanisms import NumericMechanism
from noisewright.trajectory.aggregates.dominating import NEVER, dominating
from noisewright.trajectory.aggregates.laws import CoordinateLaw, law_of
from noisewright.trajectory.aggregates.moments import Moments
from noisewright.trajectory.aggregates.spans import Span
from noisewright.trajectory.spaces.base import Flags


@dataclass(frozen=True, eq=False)
class Bracket:
    """The functions of several regions: one row for each region, one column for each report (or part).

    ``middle`` lies between the two and promises nothing: it is the least-squares inverse of the channel,
    whose sum is a good guess if people near an edge are spread along both sides of it. The middles of spans
    that fill the domain sum to 1, so a table of counts sums to the number of reports.
    """

    upper: Floats
    lower: Floats
    middle: Floats

    def of(self, parts: Cells) -> Bracket:
        """The values at given reports, from the values at parts of the reports."""
        return Bracket(self.upper[:, parts], self.lower[:, parts], self.middle[:, parts])

    def times(self, other: Bracket) -> Bracket:
        """The bracket of all pairs of regions, for pairs of independent reports; the first counts slowest."""
        upper = _pairs(self.upper, other.upper)
        lower = _pairs(self.upper, other.lower) + _pairs(self.lower, other.upper) - upper
        return Bracket(upper, lower, _pairs(self.middle, other.middle))

    def moments(self, expected: Floats) -> Moments:
        """The moments of the functions if the parts have the given shares of the reports."""
        products = (self.upper, self.lower, self.upper**2, self.lower**2, self.upper * self.lower)
        return Moments(*(np.asarray(values @ expected) for values in products))


def _pairs(first: Floats, second: Floats) -> Floats:
    return np.asarray((first[:, None] * second[None]).reshape(-1, first.shape[1]))


def bracket_spans(
    channel: NumericMechanism, spans: tuple[Span, ...], price: float, noise_price: float
) -> Bracket:
    """Functions of the part that a report lies in, for spans of the channel's domain.

    ``price`` is that of slack, and ``noise_price`` that of the middle function's noise.
    """
    pairs = [_bracket_span(channel, span, price) for span in spans]
    upper, lower = (np.array([pair[which] for pair in pairs]) for which in (0, 1))
    return Bracket(upper, lower, _least_squares(channel, spans, noise_price))


@lru_cache(maxsize=4096)
def _bracket_span(channel: NumericMechanism, span: Span, price: float) -> tuple[Floats, Floats]:
    law, domain = law_of(channel), channel.domain
    ends = span.ends(domain)
    cells, laws = np.concatenate([law.bends, ends]), np.concatenate([law.at_bends, law.at(ends)])
    inside, outside = (
        dominating(laws, law.expected, target.astype(np.float64), price)
        for target in (span.touched(domain, cells), ~span.filled(domain, cells))
    )
    inside = inside + _shortfall(law, inside, span.touched(domain, law.between))
    outside = outside + _shortfall(law, outside, ~span.filled(domain, law.between))
    return inside, 1 - outside


def _shortfall(law: CoordinateLaw, function: Floats, target: Flags) -> float:
    """By how much an expectation falls below its target between the bends, if those are not known."""
    return max(float((target - law.at_between @ function).max()), 0.0)


@lru_cache(maxsize=64)
def _least_squares(channel: NumericMechanism, spans: tuple[Span, ...], noise_price: float) -> Floats:
    """The functions with the least squared bias over the domain, plus so many times their own variance.

    The variance is that under evenly spread people: what is uncertain is drawn toward an even spread, and not
    toward nobody.
    """
    law, laws = law_of(channel), law_of(channel).at_places
    shares = np.maximum(law.expected, NEVER)
    variance = np.diag(shares) - np.outer(shares, shares) / shares.sum()
    scatter = laws.T @ laws / len(laws) + noise_price * variance + 1e-12 * np.eye(shares.size)
    return np.asarray(np.linalg.solve(scatter, laws.T @ _wanted(channel, spans).T / len(laws)).T)


def _wanted(channel: NumericMechanism, spans: tuple[Span, ...]) -> Floats:
    """The indicators of spans at places all over the domain; half where an edge passes."""
    domain, places = channel.domain, law_of(channel).places
    return np.array(
        [(span.touched(domain, places) + 1.0 * span.filled(domain, places)) / 2 for span in spans]
    )


CROWDED = 0.3
"""How much the bias at single places counts against noise: people at several places cancel some of it."""


@dataclass(frozen=True)
class Guess:
    """How good the middles of some spans are, on average over the spans and evenly spread people."""

    squared_bias: float
    second_moment: float
    target: float
    """The second moment of the indicators themselves."""

    @classmethod
    def of(cls, channel: NumericMechanism, spans: tuple[Span, ...], noise_price: float) -> Guess:
        """The quality of the middles at a price of noise."""
        law, wanted = law_of(channel), _wanted(channel, spans)
        functions = _least_squares(channel, spans, noise_price)
        bias = functions @ law.at_places.T - wanted
        return cls(
            float((bias**2).mean()), float((functions**2 @ law.expected).mean()), float((wanted**2).mean())
        )


def best_noise_price(
    channels: tuple[NumericMechanism, ...], spans: tuple[tuple[Span, ...], ...], factors: int, count: int
) -> float:
    """The price at which the sum of ``count`` products of middles has about the least squared error.

    A product of functions with small relative biases has about the sum of them, squared, and its variance is
    below the product of second moments.
    """

    def squared_error(price: float) -> float:
        guesses = [Guess.of(*pair, price) for pair in zip(channels, spans, strict=True)]
        target = math.prod(guess.target for guess in guesses) ** factors
        bias = factors * sum(guess.squared_bias / guess.target for guess in guesses)
        return (
            CROWDED * target * bias + math.prod(guess.second_moment for guess in guesses) ** factors / count
        )

    return min((math.pow(count, -power) for power in (1.5, 1.25, 1.0, 0.75, 0.5, 0.25)), key=squared_error)
