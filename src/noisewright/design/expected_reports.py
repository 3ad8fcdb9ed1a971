"""The reports to expect from people of a guessed shape, counted as if they had come in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from noisewright.design.aims import read_prior
from noisewright.domains import FiniteDomain, Floats, Integers, NumericDomain
from noisewright.errors import InvalidParameter
from noisewright.estimate.number_group import NumberGroup, parts_of
from noisewright.estimate.tally import Tally
from noisewright.mechanisms import FrequencyOracle, NumericMechanism

PLACES = 512
"""True values, at least, that stand for people spread over an interval."""

MOST_VALUES = 4096
"""Whole numbers that are taken one by one; of more, as many places."""


@dataclass(frozen=True, eq=False)
class Shape:
    """A public guess of how true values are spread: some of them, and the share of people at each.

    Args:
        values: true values of a column of numbers, or places in a list of labels.
        weights: the share of people at each; they sum to one.
    """

    values: Floats
    weights: Floats


GUESS: Final = "the shares of a guess"


def read_shape(domain: NumericDomain | FiniteDomain, guess: Sequence[float] | None) -> Shape:
    """The shape of a guess: shares of people in equal parts of a domain, or with each label; even if none.

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
    """The reports of a collection in which every number of reports is what is expected, but for rounding.

    Counts are rounded so that those of all parts up to any one are right to half a report.
    """
    reports, parts = mechanism.reports, parts_of(mechanism.reports)
    law = mechanism.law(shape.values)
    last_cells = -(-np.arange(1, parts + 1) * reports.lattice // parts) - 1
    ends = reports.centres(last_cells)
    heights = [float(shape.weights @ np.atleast_1d(law.cdf(end))) for end in ends[:-1]]
    counts = _rounded(people, np.concatenate([[0.0], heights, [1.0]]))
    middles = ((last_cells + np.concatenate([[0], last_cells[:-1] + 1])) / 2).round().astype(np.int64)
    many = [int(count) for count in counts]
    cells = [int(cell) for cell in middles]
    total = sum(count * cell for count, cell in zip(many, cells, strict=True))
    squares = sum(count * cell**2 for count, cell in zip(many, cells, strict=True))
    return Tally((NumberGroup(mechanism, counts, total, squares),))


def expected_support(oracle: FrequencyOracle, people: int, shares: Floats) -> Tally:
    """The counts of support of a collection in which each is what is expected, but for rounding."""
    each = people * (oracle.miss + (oracle.hit - oracle.miss) * shares)
    below = np.concatenate([[0.0], np.cumsum(each)])
    if oracle.labels_supported is not None:  # every report supports as many labels: no rounding of the sum
        below[-1] = oracle.labels_supported * people
    counts = np.minimum(np.diff(np.rint(below).astype(np.int64)), people)
    return Tally.of_supports(counts, people, oracle)


def _rounded(people: int, heights: Floats) -> NDArray[np.int64]:
    """Counts whose sums up to each place are the nearest whole numbers to those expected."""
    return np.asarray(np.diff(np.rint(people * np.maximum.accumulate(heights)).astype(np.int64)))
