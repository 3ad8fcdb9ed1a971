"""First and second moments of features and label, with their errors, and the linear classifier they make.

A linear classifier needs nothing else of the data: how common the classes are, the middle of every column,
and how columns vary with the label and with each other. All of them are plain averages, which noise leaves
unbiased, and each has a known error.

With E s = 1 − 2π₀, covariance S of the columns and ties t = Cov(z, s), least squares gives S⁻¹t, and Fisher's
discriminant is the same direction with another length and threshold:

    weights   = S⁻¹t / (2·π₀·π₁·(1 − R²)),         R² = tᵀS⁻¹t / (4·π₀·π₁),
    intercept = log(π₁/π₀) − weightsᵀ(E z + (π₀ − π₁)·t / (4·π₀·π₁)),

as the covariance within classes is S − π₀π₁·ddᵀ, where d = t/(2π₀π₁) is the distance of the class means. If
the columns are Gaussian within classes, the score is the exact log-odds.

Noise enters t and S, and a plain plug-in would follow it. So every estimate is first replaced by the expected
truth given the estimate (:func:`posterior_means`), in units in which the columns are
alike: ties by the columns' standard deviations, covariances as correlations. The less is known, the smaller
the weights, until the rule names the more common class for everybody.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Self

import numpy as np

from noisewright.domains import Floats
from noisewright.learn.rules import LinearRule


@dataclass(frozen=True, eq=False)
class Measured:
    """Estimated numbers and the variances of the estimates; infinite where nobody was asked."""

    value: Floats
    variance: Floats

    @classmethod
    def unknown(cls, *shape: int) -> Self:
        """Return numbers of which nothing is known."""
        return cls(np.zeros(shape), np.full(shape, np.inf))

    @classmethod
    def of(cls, answers: Floats) -> Self:
        """Return the mean of each column of some unbiased answers.

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
        """Return the diagonal of a table."""
        return Measured(np.diag(self.value), np.diag(self.variance))

    def known(self) -> Floats:
        """Return the values, and zero where nothing is known."""
        return np.where(np.isfinite(self.variance), self.value, 0.0)


@dataclass(frozen=True, eq=False)
class Moments:
    """Moments of d unit columns z and of the label's sign s (−1 or 1), as far as they are known.

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
    """Return moments from averages that are not centred yet.

    ``about`` are the averages of z·(s − centre) and ``squares`` those of z·z′. The subtracted means are
    uncertain themselves, and add their share of variance.
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
    """Return a symmetric table from its diagonal and then its upper triangle, row by row.

    >>> symmetric(Measured(np.array([1.0, 2.0, 0.5]), np.zeros(3)), 2).value.tolist()
    [[1.0, 0.5], [0.5, 2.0]]
    """
    return Measured(_table(listed.value, width), _table(listed.variance, width))


def symmetric_diagonal(listed: Measured) -> Measured:
    """Return a table of which only the diagonal is known."""
    width = len(listed.value)
    table = Measured.unknown(width, width)
    np.fill_diagonal(table.value, listed.value)
    np.fill_diagonal(table.variance, listed.variance)
    return table


def _table(listed: Floats, width: int) -> Floats:
    table, upper = np.diag(listed[:width]).astype(np.float64), np.triu_indices(width, 1)
    table[upper] = table.T[upper] = listed[width:]
    return table


STEPS: Final = np.linspace(0.02, 4.0, 80)
"""Standard deviations, among the columns, of a quantity to be shrunk, in multiples of a usual one."""

USUAL_TIE: Final = 0.2
USUAL_CORRELATION: Final = 0.3
USUAL_MEAN: Final = 0.5
USUAL_SPREAD: Final = 0.06
"""Usual correlations with the label, and between columns; usual means and variances of columns."""

USUAL_VARIANCE: Final = Measured(np.array(0.12), np.array(0.08**2))
"""The assumed variance of a unit column before anybody answered: a third is that of an even spread."""

LEAST_VARIANCE: Final = 0.004
LEAST_EIGENVALUE: Final = 0.05
"""The least width of a column, and the least variance of a combination of columns, out of 1."""

MOST_EXPLAINED: Final = 0.9
LEAST_SHARE: Final = 0.02
"""Distance that R² and the share of a class keep from values at which the formulas divide by zero."""


def linear_from_moments(moments: Moments) -> LinearRule:
    """Return Fisher's discriminant from moments that are known with errors.

    >>> exact = Moments(
    ...     label=Measured(np.array(0.0), np.array(0.0)),
    ...     means=Measured(np.array([0.2, 0.0]), np.zeros(2)),
    ...     ties=Measured(np.array([0.1, 0.0]), np.zeros(2)),
    ...     spreads=Measured(0.1 * np.eye(2), np.zeros((2, 2))),
    ... )
    >>> rule = linear_from_moments(exact)
    >>> rule.weights.round(2).tolist(), round(rule.intercept, 2)
    ([2.22, 0.0], -0.44)
    """
    known = Shrunk.of(moments)
    tied = np.linalg.solve(correlations(moments.spreads, known.deviations), known.ties)
    explained = min(float(known.ties @ tied) / known.both, MOST_EXPLAINED)
    return known.rule(2 * tied / (known.deviations * known.both * (1 - explained)))


@dataclass(frozen=True, eq=False)
class Shrunk:
    """The moments that linear rules need, shrunk by their errors: the share of class 1, and the columns'.

    ``ties`` are in units of the columns' standard ``deviations``.
    """

    one: float
    means: Floats
    deviations: Floats
    ties: Floats

    @classmethod
    def of(cls, moments: Moments) -> Self:
        """Return posterior means of the moments, each given its variance."""
        one = float(np.clip((1 + moments.label.known()) / 2, LEAST_SHARE, 1 - LEAST_SHARE))
        deviations = column_deviations(moments.spreads.diagonal())
        scaled = Measured(moments.ties.value / deviations, moments.ties.variance / deviations**2)
        return cls(one, column_means(moments.means), deviations, posterior_means(scaled, USUAL_TIE))

    @property
    def both(self) -> float:
        """4·π₀·π₁, the variance of the label's sign."""
        return 4 * self.one * (1 - self.one)

    def rule(self, weights: Floats) -> LinearRule:
        """Return the rule of these weights whose score is the log-odds midway between the class means."""
        middle = self.means + (1 - 2 * self.one) * self.deviations * self.ties / self.both
        return LinearRule(weights, float(np.log(self.one / (1 - self.one)) - weights @ middle))


def posterior_means(measured: Measured, usual: float) -> Floats:
    """Return the expected values of numbers θ scattered about zero, given noisy estimates of them.

    Given their standard deviation τ, θ̂ is shrunk by τ²/(τ² + variance). τ is averaged out, by the likelihood
    of all the estimates together and a half-normal prior of scale ``usual``.

    >>> answers = Measured(np.array([0.5, -0.1, 0.0]), np.array([0.01, 0.01, np.inf]))
    >>> posterior_means(answers, usual=0.2).round(2).tolist()
    [0.43, -0.09, 0.0]
    """
    asked = np.isfinite(measured.variance)
    if not asked.any():
        return np.zeros_like(measured.value)
    values, variances = measured.value[asked], measured.variance[asked]
    scatter = (usual * STEPS[:, None]) ** 2
    total = variances + scatter
    evidence = -(values**2 / total + np.log(total)).sum(axis=1) / 2 - STEPS**2 / 2
    chances = np.exp(evidence - evidence.max())
    shrunk = np.zeros_like(measured.value)
    shrunk[asked] = (chances / chances.sum()) @ (scatter / total * values)
    return shrunk


def column_means(means: Measured) -> Floats:
    """Return the means of the columns, shrunk towards the middle of the domain."""
    return np.clip(posterior_means(means, USUAL_MEAN), -1, 1)


def column_deviations(spreads: Measured) -> Floats:
    """Return the deviations of columns: each as far as its variance is known, else the common one."""
    certain = np.where(np.isfinite(spreads.variance), 1 / np.maximum(spreads.variance, 1e-12), 0.0)
    usual = 1 / USUAL_VARIANCE.variance
    common = (usual * USUAL_VARIANCE.value + certain @ spreads.known()) / (usual + certain.sum())
    common = np.clip(common, LEAST_VARIANCE, 1.0)
    own = common + posterior_means(Measured(spreads.value - common, spreads.variance), USUAL_SPREAD)
    return np.asarray(np.sqrt(np.clip(own, LEAST_VARIANCE, 1.0)))


def correlations(spreads: Measured, deviations: Floats) -> Floats:
    """Return the columns' correlations, shrunk towards none, and repaired to be those of some law."""
    scale = np.outer(deviations, deviations)
    upper = np.triu_indices(len(deviations), 1)
    matrix = np.eye(len(deviations))
    matrix[upper] = posterior_means(
        Measured((spreads.value / scale)[upper], (spreads.variance / scale**2)[upper]), USUAL_CORRELATION
    )
    return lift_eigenvalues(matrix + np.triu(matrix, 1).T)


def lift_eigenvalues(matrix: Floats) -> Floats:
    """Return a symmetric matrix with its small eigenvalues lifted; its diagonal of ones is kept."""
    values, vectors = np.linalg.eigh(matrix)
    lifted = vectors * np.maximum(values, LEAST_EIGENVALUE) @ vectors.T
    scale = np.sqrt(np.diag(lifted))
    return np.asarray(lifted / np.outer(scale, scale))
