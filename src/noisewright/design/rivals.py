"""The mechanisms that a design is compared with.

Well-known mechanisms for labels are exact tables here. Each is a matrix on paper, rounded toward privacy like
a designed law, so that the integers certainly keep ε.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from noisewright.design.rounding import round_toward_privacy
from noisewright.design.task import Task
from noisewright.domains import Circle, FiniteDomain, Floats
from noisewright.mechanisms import (
    OGPM,
    PM,
    BoundedLaplace,
    CircularOGPM,
    Duchi,
    Hybrid,
    Laplace,
    Mechanism,
    NumericMechanism,
    Purkayastha,
    Staircase,
    TruncatedLaplace,
)
from noisewright.mechanisms.basics.tables import exponential_law
from noisewright.mechanisms.designed import DesignedTable
from noisewright.statistics import bisect

MOST_FALL = 600.0
"""A steeper score mechanism adds practically no noise, and e^−600 is still a double."""

LAPLACE_FAMILY: tuple[type[NumericMechanism], ...] = (Laplace, TruncatedLaplace, BoundedLaplace, Staircase)
UNBIASED: tuple[type[NumericMechanism], ...] = (PM, Hybrid, Duchi)


# -- labels -----------------------------------------------------------------------------------------


def randomized_response(domain: FiniteDomain, epsilon: float) -> DesignedTable:
    """Return k-RR: the true label has e^ε times the probability of any other.

    >>> from noisewright import Categories
    >>> response = randomized_response(Categories("abc"), np.log(2))
    >>> round(response.worst_error("zero-one"), 6)
    0.5
    """
    return _table(domain, epsilon, np.exp(epsilon * (np.eye(domain.lattice) - 1)))


def exponential(domain: FiniteDomain, epsilon: float, losses: Floats) -> DesignedTable:
    """Return the textbook exponential mechanism: weights e^(−ε·loss/(2·largest loss)).

    >>> from noisewright import Categories
    >>> textbook = exponential(Categories("abc"), 2.0, 1.0 - np.eye(3))
    >>> round(textbook.epsilon_upper, 6)   # half of what is allowed
    1.0
    """
    return _table(domain, epsilon, exponential_law(losses, epsilon / 2))


def tight_exponential(domain: FiniteDomain, epsilon: float, losses: Floats) -> DesignedTable:
    """Return the exponential mechanism that is as steep as ε really allows, found by bisection.

    >>> from noisewright import Categories
    >>> tight = tight_exponential(Categories("abc"), 2.0, 1.0 - np.eye(3))
    >>> round(tight.epsilon_upper, 6)
    2.0
    """

    def keeps(fall: Floats) -> bool:
        """Return whether ε is kept in floating point: a first guess, never a proof."""
        law = np.log(exponential_law(losses, float(fall)))
        return bool(np.ptp(law, axis=0).max() <= epsilon)

    steepest, _ = bisect(keeps, epsilon / 2, MOST_FALL)
    return _table(domain, epsilon, exponential_law(losses, float(steepest)))


def _table(domain: FiniteDomain, epsilon: float, shape: Floats) -> DesignedTable:
    rounded = round_toward_privacy(shape / shape.sum(axis=1, keepdims=True), epsilon)
    return DesignedTable(domain, epsilon, rounded.outputs, rounded.weights)


@dataclass(frozen=True)
class Rival:
    """A mechanism by name, to be built later; the first of a list is the reference for the others."""

    name: str
    build: Callable[[], Mechanism]


def rivals(task: Task) -> list[Rival]:
    """Return OGPM and the Laplace family for numbers, or k-RR and score mechanisms for labels.

    >>> from noisewright import Circle
    >>> [rival.name for rival in rivals(Task(Circle(24), 1.0))]
    ['CircularOGPM', 'Purkayastha']
    """
    domain, epsilon = task.domain, task.epsilon
    if task.finite:
        return [
            Rival("k-RR", lambda: randomized_response(domain, epsilon)),
            Rival("Exponential", lambda: exponential(domain, epsilon, task.label_losses())),
            Rival("Tight exponential", lambda: tight_exponential(domain, epsilon, task.label_losses())),
        ]
    if isinstance(domain, Circle):
        kinds: tuple[type[NumericMechanism], ...] = (CircularOGPM, Purkayastha)
    else:
        kinds = (OGPM, *LAPLACE_FAMILY, *(UNBIASED if task.unbiased else ()))
    return [Rival(kind.__name__, partial(kind, domain, epsilon)) for kind in kinds]
