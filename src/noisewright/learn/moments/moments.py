"""First and second moments of features and label, each with the variance of its estimate.

A linear classifier needs nothing else of the data: how common the classes are, where every column has its
middle, how columns go with the label and with each other. All of them are plain averages, which noise leaves
unbiased, and each is known only so well: :mod:`noisewright.learn.moments.linear_moments` weighs them by it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from noisewright.domains import Floats


@dataclass(frozen=True, eq=False)
class Measured:
    """Estimated numbers and the variances of the estimates; infinite where nobody was asked."""

    value: Floats
    variance: Floats

    @classmethod
    def unknown(cls, *shape: int) -> Self:
        """Numbers that nothing is known of."""
        return cls(np.zeros(shape), np.full(shape, np.inf))

    @classmethod
    def of(cls, answers: Floats) -> Self:
        """The mean of each column of some unbiased answers.

        >>> found = Measured.of(np.array([[1.0, 0.0], [3.0, 0.0]]))
        >>> found.value.tolist(), found.variance.tolist()
        ([2.0, 0.0], [1.0, 0.0])
        """
        if len(answers) < 2:
            return cls.unknown(*answers.shape[1:])
        return cls(answers.mean(axis=0), answers.var(axis=0, ddof=1) / len(answers))

    @property
    def stderr(self) -> Floats:
        """Standard errors."""
        return np.sqrt(self.variance)

    def diagonal(self) -> Measured:
        """The diagonal of a table."""
        return Measured(np.diag(self.value), np.diag(self.variance))

    def known(self) -> Floats:
        """The values, and zero where nothing is known."""
        return np.where(np.isfinite(self.variance), self.value, 0.0)


@dataclass(frozen=True, eq=False)
class Moments:
    """What is known of d unit columns z and of the label's sign s (−1 or 1).

    ``label`` is E s, ``means`` are E z, ``ties`` the covariances of z and s, ``spreads`` the covariances of
    the columns, with their variances on the diagonal.
    """

    label: Measured
    means: Measured
    ties: Measured
    spreads: Measured

    @property
    def width(self) -> int:
        """How many columns there are."""
        return int(self.means.value.size)


def moments_from_raw(
    label: Measured, means: Measured, about: Measured, squares: Measured, centre: float
) -> Moments:
    """Moments from averages that are not centred yet.

    ``about`` are the averages of z·(s − centre) and ``squares`` those of z·z′. What is subtracted is itself
    uncertain, and adds its share of variance.
    """
    middle, doubt = means.known(), np.where(np.isfinite(means.variance), means.variance, 1.0)
    off = float(label.known()) - centre
    label_doubt = float(np.minimum(label.variance, 1.0))
    ties = Measured(about.value - middle * off, about.variance + middle**2 * label_doubt + off**2 * doubt)
    # The square of an estimated mean is too large by its variance.
    outer, crossed = np.outer(middle, middle) - np.diag(doubt), np.outer(middle**2, doubt)
    spreads = Measured(squares.value - outer, squares.variance + crossed + crossed.T)
    return Moments(label, means, ties, spreads)


def symmetric(listed: Measured, width: int) -> Measured:
    """A symmetric table from its diagonal and then its upper triangle, row by row.

    >>> symmetric(Measured(np.array([1.0, 2.0, 0.5]), np.zeros(3)), 2).value.tolist()
    [[1.0, 0.5], [0.5, 2.0]]
    """
    return Measured(_table(listed.value, width), _table(listed.variance, width))


def symmetric_diagonal(listed: Measured) -> Measured:
    """A table of which only the diagonal is known."""
    width = len(listed.value)
    table = Measured.unknown(width, width)
    np.fill_diagonal(table.value, listed.value)
    np.fill_diagonal(table.variance, listed.variance)
    return table


def _table(listed: Floats, width: int) -> Floats:
    table, upper = np.diag(listed[:width]).astype(np.float64), np.triu_indices(width, 1)
    table[upper] = table.T[upper] = listed[width:]
    return table
