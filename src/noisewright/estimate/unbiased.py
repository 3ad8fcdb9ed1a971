"""Functions of a report that are unbiased for a functional of the truth, with the least variance.

With Z the law of the parts of the reports (columns) for each class of people (rows), a function G of the
part is unbiased for ψ if Z·G = ψ, and among those

    G = W·Zᵀ·(Z·W·Zᵀ)⁻¹·ψ,     W = 1/expected shares of reports,

has the least variance. Any positive W keeps G unbiased. Because of ε-LDP no entry of Z·W exceeds e^ε, so
rare reports do no harm. Reports of several mechanisms are stacked, each with its share of all reports.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from noisewright.domains import Floats

RANK = 1e-13
"""Directions with a smaller share of the largest information are lost in rounding."""

MISSED = 1e-6
"""A functional is out of reach if G misses it by more than this share of its size."""


@dataclass(frozen=True, eq=False)
class Answers:
    """The average of G over the reports for each functional, its standard error, and G itself."""

    value: Floats
    stderr: Floats
    functions: list[Floats]
    counts: Sequence[Floats]

    def covariance(self) -> Floats:
        """How the averages of several functionals err together."""
        total = sum(float(seen.sum()) for seen in self.counts)
        spread = np.zeros((self.value.size, self.value.size))
        for function, seen in zip(self.functions, self.counts, strict=True):
            mean = function @ seen / seen.sum()
            spread += (function * seen) @ function.T - seen.sum() * np.outer(mean, mean)
        return np.asarray(spread / total**2)


def invert(
    laws: Sequence[Floats], weights: Sequence[Floats], shares: Sequence[float], targets: Floats
) -> list[Floats]:
    """G for every mechanism (functionals × parts); rows of NaN for functionals that no G reaches."""
    weighted = [law * weight for law, weight in zip(laws, weights, strict=True)]
    information = sum(
        share * (heavy @ law.T) for share, heavy, law in zip(shares, weighted, laws, strict=True)
    )
    solved = targets @ _inverse(np.asarray(information))
    missed = np.abs(solved @ information - targets).max(axis=1) > MISSED * np.abs(targets).max(axis=1)
    solved[missed] = np.nan
    return [solved @ heavy for heavy in weighted]


def average(functions: list[Floats], counts: Sequence[Floats]) -> Answers:
    """Average G over the reports; its variance is measured on them and not taken from a model."""
    total = sum(int(seen.sum()) for seen in counts)
    value, variance = np.zeros(functions[0].shape[0]), np.zeros(functions[0].shape[0])
    for function, seen in zip(functions, counts, strict=True):
        many = int(seen.sum())
        mean, square = function @ seen / many, function**2 @ seen / many
        value += mean * many / total
        variance += np.maximum(square - mean**2, 0.0) * many / total**2 * many / max(many - 1, 1)
    return Answers(value, np.sqrt(variance), functions, counts)


def _inverse(information: Floats) -> Floats:
    """The inverse of a symmetric matrix, without the directions that rounding has destroyed."""
    scale = np.sqrt(np.diag(information))
    values, vectors = np.linalg.eigh(information / np.outer(scale, scale))
    kept = values > RANK * values[-1]
    inverse = (vectors[:, kept] / values[kept]) @ vectors[:, kept].T
    return np.asarray(inverse / np.outer(scale, scale))
