"""Well-known mechanisms for labels as exact tables, to set a designed one against.

Each is a matrix on paper, rounded toward privacy like a designed law: the integers keep ε for certain.
"""

from __future__ import annotations

import numpy as np

from noisewright.design.rounding import round_toward_privacy
from noisewright.domains import FiniteDomain, Floats
from noisewright.mechanisms.designed_table import DesignedTable
from noisewright.mechanisms.tabular import exponential_law

MOST_FALL = 600.0
"""Steeper than this, a score mechanism is as good as no noise; and e^−600 is still a double."""

HALVINGS = 60


def randomized_response(domain: FiniteDomain, epsilon: float) -> DesignedTable:
    """The true label with a probability e^ε times that of any other (k-RR).

    >>> from noisewright import Categories
    >>> response = randomized_response(Categories("abc"), np.log(2))
    >>> round(response.worst_error("zero-one"), 6)
    0.5
    """
    return _table(domain, epsilon, np.exp(epsilon * (np.eye(domain.lattice) - 1)))


def exponential(domain: FiniteDomain, epsilon: float, losses: Floats) -> DesignedTable:
    """The textbook exponential mechanism: weights e^(−ε·loss/(2·largest loss)).

    >>> from noisewright import Categories
    >>> textbook = exponential(Categories("abc"), 2.0, 1.0 - np.eye(3))
    >>> round(textbook.epsilon_upper, 6)   # half of what is allowed
    1.0
    """
    return _table(domain, epsilon, exponential_law(losses, epsilon / 2))


def tight_exponential(domain: FiniteDomain, epsilon: float, losses: Floats) -> DesignedTable:
    """The exponential mechanism made as steep as ε really allows, found by bisection.

    >>> from noisewright import Categories
    >>> tight = tight_exponential(Categories("abc"), 2.0, 1.0 - np.eye(3))
    >>> round(tight.epsilon_upper, 6)
    2.0
    """
    low, high = epsilon / 2, MOST_FALL
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if _spent(exponential_law(losses, middle)) <= epsilon else (low, middle)
    return _table(domain, epsilon, exponential_law(losses, low))


def _spent(law: Floats) -> float:
    """The ε of rows of probabilities, in floating point: a first guess, never a proof."""
    return float((np.log(law.max(axis=0)) - np.log(law.min(axis=0))).max())


def _table(domain: FiniteDomain, epsilon: float, shape: Floats) -> DesignedTable:
    rounded = round_toward_privacy(shape / shape.sum(axis=1, keepdims=True), epsilon)
    return DesignedTable(domain, epsilon, rounded.outputs, rounded.weights)
