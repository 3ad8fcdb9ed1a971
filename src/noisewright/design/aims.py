"""The objective of a design: the worst true value, the average over a prior, or one point."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from noisewright.domains import Floats, Integers, NumericDomain
from noisewright.errors import InvalidParameter
from noisewright.mechanisms.basics.losses import Loss
from noisewright.mechanisms.numeric import MOST_VALUES, NumericMechanism
from noisewright.parameters import one_of, real

OBJECTIVES = ("worst", "average", "point")
SUM_SLACK = 1e-9
"""How far the sum of a prior's weights may be from one: only rounding is allowed."""

PLACES = 2049
"""Least number of true values for an average over a prior; an odd number samples all parts of cells alike."""


@dataclass(frozen=True)
class Aim:
    """A checked objective: ``prior`` has weights over equal parts of the domain, ``point`` is one true value.

    >>> from noisewright import Interval
    >>> from noisewright.mechanisms import OGPM
    >>> low_values = Aim.read(Interval(0, 1), "average", prior=[0.7, 0.2, 0.1, 0.0])
    >>> round(low_values.error(OGPM(Interval(0, 1), epsilon=2.0), "absolute"), 3)
    0.18
    """

    domain: NumericDomain
    objective: str
    prior: tuple[float, ...] = (1.0,)
    point: float | None = None

    @classmethod
    def read(
        cls,
        domain: NumericDomain,
        objective: str = "worst",
        *,
        prior: ArrayLike | None = None,
        point: float | None = None,
    ) -> Self:
        """Check an objective and its argument: a prior for "average", a point for "point"."""
        one_of("objective", objective, OBJECTIVES)
        if prior is not None and objective != "average":
            raise InvalidParameter(
                f'a prior has no effect with objective={objective!r}; use "average" or drop it'
            )
        if (point is None) == (objective == "point"):
            raise InvalidParameter('objective="point" and a point go together; pass both or neither')
        weights = (1.0,) if prior is None else tuple(read_prior(prior).tolist())
        if point is not None and not domain.contains(real("the point", point)):
            raise InvalidParameter(f"must lie in {domain!r}, got {point:g}", field="point")
        return cls(domain, objective, weights, None if point is None else float(point))

    def error(self, mechanism: NumericMechanism, loss: Loss) -> float:
        """Return the value of a mechanism at this objective, from its exact law."""
        if self.objective == "worst":
            return mechanism.worst_error(loss)
        values, weights = self.values()
        return float(np.dot(weights, np.atleast_1d(mechanism.law(values).expected(loss))))

    def values(self) -> tuple[Floats, Floats]:
        """Return true values that stand for the point or the prior, and their weights."""
        if self.point is not None:
            return np.array([self.point]), np.ones(1)
        if isinstance(self.domain, Integers):
            size, count = self.domain.size, max(MOST_VALUES, len(self.prior))
            numbers = self.domain.values
            if size > MOST_VALUES:  # equally spaced, at least one in every part of the prior
                steps = np.unique(((np.arange(count) + 0.5) * (size / count)).astype(np.int64))
                numbers = np.asarray(self.domain.first + steps, dtype=np.float64)
            return numbers, whole_weights(self.domain, numbers, self.prior)
        parts = len(self.prior)
        each = max(1, -(-PLACES // parts)) | 1
        places = (np.arange(parts * each) + 0.5) / (parts * each)
        values: Floats = np.asarray(self.domain.start + places * self.domain.length)
        return values, np.repeat(self.prior, each) / each


def whole_weights(domain: Integers, numbers: Floats, prior: tuple[float, ...]) -> Floats:
    """Return the weight of each whole number; a part of the prior is shared evenly among its numbers.

    >>> whole_weights(Integers(0, 3), np.arange(4.0), (0.8, 0.2)).tolist()
    [0.4, 0.4, 0.1, 0.1]
    """
    if len(prior) > domain.size:
        raise InvalidParameter(
            f"a prior of {len(prior)} parts is finer than the {domain.size} numbers of {domain!r}; give one "
            "weight for each of them, or fewer"
        )
    part = ((numbers - domain.low) * (len(prior) / domain.length)).astype(np.int64)
    return np.asarray(np.array(prior)[part] / np.bincount(part, minlength=len(prior))[part])


def read_prior(prior: ArrayLike, what: str = "the weights of a prior") -> Floats:
    """Return weights over equal parts of a domain: numbers of at least zero that sum to one, or a refusal.

    >>> read_prior([0.25, 0.75])
    array([0.25, 0.75])
    """
    weights = _list_of_numbers(prior)
    if not (np.isfinite(weights).all() and (weights >= 0).all()):
        raise InvalidParameter(f"{what} must be finite numbers of at least zero")
    total = float(weights.sum())
    if abs(total - 1) > SUM_SLACK:
        raise InvalidParameter(f"{what} must sum to one, got {total:.6g}; divide them by it")
    return np.asarray(weights / total, dtype=np.float64)


def _list_of_numbers(prior: ArrayLike) -> Floats:
    try:
        weights = np.asarray(prior)
    except ValueError:  # lists of different lengths
        weights = np.empty(0)
    if weights.ndim != 1 or weights.size == 0 or weights.dtype.kind not in "iuf":
        raise InvalidParameter("a prior must be a list of numbers, one for each equal part of the domain")
    return weights.astype(np.float64)
