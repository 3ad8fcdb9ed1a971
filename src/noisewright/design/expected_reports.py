"""The expected reports of people of a guessed shape, counted as if they had been collected."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from noisewright.design.aims import read_prior
from noisewright.domains import FiniteDomain, Floats, Integers, NumericDomain
from noisewright.errors import InvalidParameter
from noisewright.estimate.groups import NumberGroup, parts_of
from noisewright.estimate.tally import Tally
from noisewright.mechanisms import FrequencyOracle, NumericMechanism

PLACES = 512
"""Least number of true values that stand for people spread over an interval."""

MOST_VALUES = 4096
"""Most whole numbers that are taken one by one; beyond that, this many places are."""

STRAIGHT: Final = 1e-5
"""How far, as a share of the domain, mean reports may be from a straight line in the true value."""

GUESS: Final = "the shares of a guess"


@dataclass(frozen=True, eq=False)
class Shape:
    """A public guess of how true values are spread: some of them, and the share of people at each.

    Args:
        values: true values of a column of numbers, or places in a list of labels.
        weights: the share of people at each; they sum to one.
    """

    values: Floats
    weights: Floats


def read_shape(domain: NumericDomain | FiniteDomain, guess: Sequence[float] | None) -> Shape:
    """Return the shape of a guess, the shares of people in equal parts or with each label; even by default.

    >>> from noisewright import Interval
    >>> shape = read_shape(Interval(0, 1), [0.75, 0.25])
    >>> round(float(shape.values @ shape.weights), 3)
    0.375
    """
    if isinstance(domain, FiniteDomain):
        shares = np.full(len(domain), 1 / len(domain)) if guess is None else read_prior(guess, GUESS)
        if shares.size != len(domain):
            raise InvalidParameter(
                f"a guess has a share for each of the {len(domain)} labels, got {shares.size}"
            )
        return Shape(np.arange(shares.size, dtype=np.float64), shares)
    parts = np.ones(1) if guess is None else read_prior(guess, GUESS)
    if isinstance(domain, Integers) and domain.size <= MOST_VALUES:
        values, half = domain.values, 0.5
    else:
        count = parts.size * -(-PLACES // parts.size)
        half = domain.length / (2 * count)
        values = np.asarray(domain.start + (2 * np.arange(count) + 1) * half, dtype=np.float64)
    cuts = domain.start + np.arange(parts.size + 1) * (domain.length / parts.size)
    below = np.concatenate([[0.0], np.cumsum(parts)])
    weights = np.interp(values + half, cuts, below) - np.interp(values - half, cuts, below)
    if isinstance(domain, Integers):
        values = domain.clip(values)
    return Shape(values, weights / weights.sum())


def expected_tally(mechanism: NumericMechanism, people: int, shape: Shape) -> Tally:
    """Return the tally of a collection in which every count is its expectation, up to rounding.

    Counts are rounded so that their running sums are right to half a report.
    """
    reports, parts = mechanism.reports, parts_of(mechanism.reports)
    law = mechanism.law(shape.values)
    last_cells = -(-np.arange(1, parts + 1) * reports.lattice // parts) - 1
    ends = reports.centres(last_cells)
    heights = [float(shape.weights @ np.atleast_1d(law.cdf(end))) for end in ends[:-1]]
    below = np.maximum.accumulate(np.concatenate([[0.0], heights, [1.0]]))
    counts = np.diff(np.rint(people * below).astype(np.int64))
    middles = ((last_cells + np.concatenate([[0], last_cells[:-1] + 1])) / 2).round().astype(np.int64)
    many = [int(count) for count in counts]
    cells = [int(cell) for cell in middles]
    total = sum(count * cell for count, cell in zip(many, cells, strict=True))
    squares = sum(count * cell**2 for count, cell in zip(many, cells, strict=True))
    return Tally((NumberGroup(mechanism, counts, total, squares),))


def expected_support(oracle: FrequencyOracle, people: int, shares: Floats) -> Tally:
    """Return the support counts of a collection in which each is its expectation, up to rounding."""
    each = people * (oracle.miss + (oracle.hit - oracle.miss) * shares)
    below = np.concatenate([[0.0], np.cumsum(each)])
    if oracle.labels_supported is not None:  # every report supports this many labels: no rounding of the sum
        below[-1] = oracle.labels_supported * people
    counts = np.minimum(np.diff(np.rint(below).astype(np.int64)), people)
    return Tally.of_supports(counts, people, oracle)


# -- the mean and the variance of one report -------------------------------------------------------------


def straight_slope(mechanism: NumericMechanism) -> float | None:
    """Return the slope of the expected report in the true value, if that is a straight line."""
    places = mechanism.domain.places(65)
    means = np.asarray(mechanism.law(places).mean())
    slope = float((means[-1] - means[0]) / (places[-1] - places[0]))
    off = np.abs(means - means[0] - slope * (places - places[0])).max()
    return slope if off <= STRAIGHT * mechanism.domain.length and abs(slope) > 1e-9 else None


def report_variance(mechanism: NumericMechanism, shape: Shape) -> float:
    """Return the variance of a report of a random person from a shape."""
    law = mechanism.law(shape.values)
    means, own = np.asarray(law.mean()), np.asarray(law.variance())
    middle = np.average(means, weights=shape.weights)
    return float(np.average(own + (means - middle) ** 2, weights=shape.weights))


def worst_variance(mechanism: NumericMechanism) -> float:
    """Return the largest variance of a report, over all populations.

    With m and v the mean and the variance of a report of x, the report of somebody from a population P has
    the variance E_P[v + m²] − (E_P m)². For a given E_P m the first part is at most the concave hull of
    v + m² over m, which two values reach.
    """
    law = mechanism.law(mechanism.domain.places(513))
    means = np.asarray(law.mean())
    means = means - means.mean()
    squares = np.asarray(law.variance()) + means**2
    order = np.argsort(means)
    hull = _hull(means[order], squares[order])
    places = np.linspace(means.min(), means.max(), 4097)
    return float(np.max(np.interp(places, *hull) - places**2))


def _hull(places: Floats, heights: Floats) -> tuple[Floats, Floats]:
    """Return the corners of the least concave function above some points, which are in order."""
    kept: list[int] = []
    for each in range(places.size):
        while len(kept) > 1:
            rise, run = heights - heights[kept[-2]], places - places[kept[-2]]
            if rise[kept[-1]] * run[each] > rise[each] * run[kept[-1]]:  # the last corner is above the chord
                break
            kept.pop()
        kept.append(each)
    return places[kept], heights[kept]
