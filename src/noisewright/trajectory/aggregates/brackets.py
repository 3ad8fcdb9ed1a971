"""Brackets: two functions of a report between whose expectations an indicator is known to lie.

For a region and a person at x let ψ(x) be 1 inside and 0 outside. A bracket is a pair of functions of the
report with

    E[lower | x] ≤ ψ(x) ≤ E[upper | x]     for every x, and so for every population.

Sums of the two over all reports bracket the number of people inside, whatever the people do: if all of them
stand on one spot beside the edge of the region, the bracket is wide, and it is not wrong. A channel blurs
edges, so no function of a report has ψ itself for its expectation. A single "unbiased" estimate is unbiased
only for people who are spread evenly near the edge.

Two brackets of independent reports multiply: with u ≥ ψ ≥ l and u' ≥ ψ' ≥ l',

    u·u' ≥ ψ·ψ' ≥ u·l' + l·u' − u·u',

because u·(l' − u') ≤ ψ·(l' − u') and l·u' ≤ ψ·u'. A box is the product of two spans (TraCS-C), and a trip
from one box to another the product of two boxes.

**One side of a bracket** is an upper envelope. With A the law of the parts of the reports (columns) for the
true values (rows), and q the expected shares of reports if the truth is spread evenly, the function G of the
part that

    minimizes   Σ q·(G + price)²     subject to   A·G ≥ target

is the best compromise between noise, Σ q·G², and slack, Σ q·G: the higher the price of slack, the closer A·G
lies to the target and the noisier G is. It is a least-distance problem, which Lawson and Hanson (1974,
chapter 23) solve exactly by non-negative least squares. G = 1 is admissible, so there is always a solution.

**The price** is chosen by the expected width of the interval, which depends only on public facts: the
channel, the regions and the number of reports. Nothing is chosen by looking at the reports, so the choice
cannot spoil the coverage.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from noisewright.domains import Cells, Floats
from noisewright.mechanisms import NumericMechanism
from noisewright.trajectory.aggregates.laws import CoordinateLaw, law_of
from noisewright.trajectory.aggregates.regions import Span
from noisewright.trajectory.spaces import Flags


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
        """Return the values at given reports, from the values at parts of the reports."""
        return Bracket(self.upper[:, parts], self.lower[:, parts], self.middle[:, parts])

    def times(self, other: Bracket) -> Bracket:
        """Return the bracket of all pairs of regions, for independent reports; the first varies slowest."""
        upper = _pairs(self.upper, other.upper)
        lower = _pairs(self.upper, other.lower) + _pairs(self.lower, other.upper) - upper
        return Bracket(upper, lower, _pairs(self.middle, other.middle))

    def moments(self, expected: Floats) -> Moments:
        """Return the moments of the functions if the parts have the given shares of the reports."""
        products = (self.upper, self.lower, self.upper**2, self.lower**2, self.upper * self.lower)
        return Moments(*(np.asarray(values @ expected) for values in products))


def _pairs(first: Floats, second: Floats) -> Floats:
    return np.asarray((first[:, None] * second[None]).reshape(-1, first.shape[1]))


def bracket_spans(
    channel: NumericMechanism, spans: tuple[Span, ...], price: float, noise_price: float
) -> Bracket:
    """Return functions of the part that a report lies in, for spans of the channel's domain.

    ``price`` is the price of slack, and ``noise_price`` the price of the middle function's noise.
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
        upper_envelope(laws, law.expected, target.astype(np.float64), price)
        for target in (span.touched(domain, cells), ~span.filled(domain, cells))
    )
    inside = inside + _shortfall(law, inside, span.touched(domain, law.between))
    outside = outside + _shortfall(law, outside, ~span.filled(domain, law.between))
    return inside, 1 - outside


def _shortfall(law: CoordinateLaw, function: Floats, target: Flags) -> float:
    """Return how far an expectation falls below its target between the bends, if those are not known."""
    return max(float((target - law.at_between @ function).max()), 0.0)


@lru_cache(maxsize=64)
def _least_squares(channel: NumericMechanism, spans: tuple[Span, ...], noise_price: float) -> Floats:
    """Return the functions with the least squared bias plus ``noise_price`` times their variance.

    The variance is that for evenly spread people, so uncertainty draws estimates toward an even spread.
    """
    law, laws = law_of(channel), law_of(channel).at_places
    shares = np.maximum(law.expected, NEVER)
    variance = np.diag(shares) - np.outer(shares, shares) / shares.sum()
    scatter = laws.T @ laws / len(laws) + noise_price * variance + 1e-12 * np.eye(shares.size)
    return np.asarray(np.linalg.solve(scatter, laws.T @ _indicators(channel, spans).T / len(laws)).T)


def _indicators(channel: NumericMechanism, spans: tuple[Span, ...]) -> Floats:
    """Return the indicators of spans at places all over the domain; 0.5 where an edge passes."""
    domain, places = channel.domain, law_of(channel).places
    return np.array(
        [(span.touched(domain, places) + 1.0 * span.filled(domain, places)) / 2 for span in spans]
    )


# -- one side of a bracket -------------------------------------------------------------------------

NEVER = 1e-15
"""A part with a smaller share of reports is rounding: G is 0 there."""


def upper_envelope(laws: Floats, expected: Floats, target: Floats, price: float) -> Floats:
    """Return G for each part, with laws @ G ≥ target, for a target between 0 and 1.

    >>> laws = np.array([[0.8, 0.2], [0.2, 0.8]])
    >>> found = upper_envelope(laws, np.array([0.5, 0.5]), np.array([1.0, 0.0]), 100.0)
    >>> (laws @ found + 1).round(6).tolist(), found.round(3).tolist()
    ([2.0, 1.0], [1.333, -0.333])
    """
    seen = expected > NEVER
    scale = np.sqrt(expected[seen])
    nearest = _least_distance(laws[:, seen] / scale, (target + price) / (1 + price))
    function = np.zeros(expected.size)
    function[seen] = 1.0 if nearest is None else (1 + price) * nearest / scale - price
    return np.asarray(function + np.maximum((target - laws @ function).max(), 0.0))  # undoes rounding


def _least_distance(rows: Floats, least: Floats) -> Floats | None:
    """Return the shortest vector with rows @ vector ≥ least, or None if the iteration does not end."""
    from scipy.optimize import nnls  # noqa: PLC0415  (scipy is slow to load)

    stacked = np.vstack([rows.T, least])
    wanted = np.append(np.zeros(rows.shape[1]), 1.0)
    try:
        multipliers, _ = nnls(stacked, wanted, maxiter=20 * stacked.shape[1])
    except RuntimeError:
        return None
    residual = stacked @ multipliers - wanted
    return np.asarray(-residual[:-1] / residual[-1]) if residual[-1] else None


# -- the price of slack ----------------------------------------------------------------------------

PRICES = (0.3, 1.0, 3.0, 10.0, 30.0, 100.0, 300.0)
"""Prices of slack that are tried: with few reports noise costs more, with many slack does."""

TWO_SIGMA = 2.0

HOPELESS = 1e-6
"""How strongly the least noisy of intervals that all reach from 0 to 1 is preferred."""


@dataclass(frozen=True, eq=False)
class Moments:
    """Means and mean products of the upper and the lower function of each region."""

    upper: Floats
    lower: Floats
    upper_squared: Floats
    lower_squared: Floats
    both: Floats

    def times(self, other: Moments) -> Moments:
        """Return the moments of a product of brackets of independent reports (the formula above)."""
        return Moments(*_product(self, other, np.multiply.outer))

    def repeated(self, times: int) -> Moments:
        """Return the moments of a product of ``times`` independent copies, region by region."""
        product = self
        for _ in range(times - 1):
            product = Moments(*(np.asarray(part) for part in _product(product, self, np.multiply)))
        return product

    def width(self, reports: int) -> float:
        """Return the expected width of intervals from ``reports`` reports, as shares, over all regions."""
        above = TWO_SIGMA * np.sqrt(self.upper_squared / reports)
        below = TWO_SIGMA * np.sqrt(np.maximum(self.lower_squared, 0.0) / reports)
        ends = np.clip(self.upper + above, 0.0, 1.0) - np.clip(self.lower - below, 0.0, 1.0)
        return float((ends + HOPELESS * (above + below)).sum())


def _product(mine: Moments, theirs: Moments, times: Callable[[Floats, Floats], Floats]) -> list[Floats]:
    upper, squared = times(mine.upper, theirs.upper), times(mine.upper_squared, theirs.upper_squared)
    left, right = times(mine.upper_squared, theirs.both), times(mine.both, theirs.upper_squared)
    ends = times(mine.upper_squared, theirs.lower_squared) + times(mine.lower_squared, theirs.upper_squared)
    lower = times(mine.upper, theirs.lower) + times(mine.lower, theirs.upper) - upper
    lower_squared = ends + squared + 2 * times(mine.both, theirs.both) - 2 * left - 2 * right
    return [upper, lower, squared, lower_squared, left + right - squared]


# -- the price of noise ----------------------------------------------------------------------------

CROWDED = 0.3
"""How much the bias at single places counts against noise; people at several places cancel some bias."""


def best_noise_price(
    channels: tuple[NumericMechanism, ...], spans: tuple[tuple[Span, ...], ...], factors: int, count: int
) -> float:
    """Return the price at which the sum of ``count`` products of middles has about the least squared error.

    The squared bias of a product is about the square of the sum of the small relative biases, and its
    variance is below the product of second moments. All are averages over the spans and evenly spread people.
    """

    def squared_error(price: float) -> float:
        bias, target, second_moment = 0.0, 1.0, 1.0
        for channel, parts in zip(channels, spans, strict=True):
            law, wanted = law_of(channel), _indicators(channel, parts)
            functions = _least_squares(channel, parts, price)
            wanted_moment = float((wanted**2).mean())
            bias += float(((functions @ law.at_places.T - wanted) ** 2).mean()) / wanted_moment
            target *= wanted_moment
            second_moment *= float((functions**2 @ law.expected).mean())
        return CROWDED * target**factors * factors * bias + second_moment**factors / count

    return min((math.pow(count, -power) for power in (1.5, 1.25, 1.0, 0.75, 0.5, 0.25)), key=squared_error)
