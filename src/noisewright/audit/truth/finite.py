"""Spectra of mechanisms with finitely many outputs, by summing over them."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from noisewright.audit.coordinates import read_epsilons
from noisewright.domains import Floats
from noisewright.errors import InvalidParameter
from noisewright.parameters import EPSILON, whole


def finite(left: ArrayLike, right: ArrayLike, epsilons: ArrayLike) -> Floats:
    """Two laws over the same outputs: Σ (left − e^ε·right)₊. Swap the laws for the other direction.

    >>> finite([0.9, 0.1], [0.5, 0.5], [0.0, 0.5]).round(4).tolist()
    [0.4, 0.0756]
    >>> finite([0.5, 0.5], [0.9, 0.1], [0.0, 0.5]).round(4).tolist()
    [0.4, 0.3351]
    """
    grid, p, q = read_epsilons(epsilons), read_law("left", left), read_law("right", right)
    if p.shape != q.shape:
        raise InvalidParameter("both laws must be over the same outputs; they differ in length")
    return np.asarray(np.maximum(p - np.exp(grid)[..., None] * q, 0.0).sum(axis=-1))


def randomized_response(epsilon: float, labels: int, epsilons: ArrayLike) -> Floats:
    """k-ary randomized response, two different true labels: (e^epsilon − e^ε)₊ / (k − 1 + e^epsilon).

    >>> randomized_response(1.0, 2, [0.0, 1.0]).round(4).tolist()
    [0.4621, 0.0]
    """
    budget, others = EPSILON.check(epsilon), whole("labels", labels, 2, 1 << 62) - 1
    # divided by e^epsilon above and below, so that nothing overflows
    gap = -np.expm1(np.minimum(read_epsilons(epsilons) - budget, 0.0))
    return np.asarray(gap / (others * np.exp(-budget) + 1) + 0.0)


def exponential(
    epsilon: float, left_scores: ArrayLike, right_scores: ArrayLike, epsilons: ArrayLike
) -> Floats:
    """The exponential mechanism on two databases that score the same candidates; directions may differ.

    >>> scores = counting_scores(count=2, rows=3), counting_scores(count=1, rows=3)
    >>> exponential(2.0, *scores, [0.0, 1.0, 2.0]).round(4).tolist()
    [0.4621, 0.0, 0.0]
    """
    return finite(exponential_law(epsilon, left_scores), exponential_law(epsilon, right_scores), epsilons)


def exponential_law(epsilon: float, scores: ArrayLike) -> Floats:
    """The chance of every candidate, ∝ e^(epsilon·score/2) for scores of sensitivity 1.

    >>> exponential_law(2.0, [0.0, 1.0]).round(4).tolist()
    [0.2689, 0.7311]
    """
    levels = np.asarray(scores, dtype=np.float64) * (EPSILON.check(epsilon) / 2)
    weights = np.exp(levels - levels.max())
    return np.asarray(weights / weights.sum())


def counting_scores(count: int, rows: int) -> Floats:
    """How near each candidate 0, 1, …, ``rows`` is to a true count: minus the distance.

    The candidates must not follow the database: a neighbour with a row less keeps the same ``rows``.

    >>> counting_scores(count=2, rows=3).tolist()
    [-2.0, -1.0, 0.0, -1.0]
    """
    candidates = np.arange(whole("rows", rows, 1, 1 << 24) + 1)
    return np.asarray(0.0 - np.abs(candidates - float(whole("count", count, 0, rows))))


def read_law(name: str, law: ArrayLike) -> Floats:
    """A list of probabilities, or a refusal."""
    masses = np.asarray(law, dtype=np.float64)
    if masses.ndim != 1 or not np.all(masses >= 0) or not abs(masses.sum() - 1) < 1e-9:
        raise InvalidParameter(f"{name} must be a list of probabilities that sum to 1")
    return masses
