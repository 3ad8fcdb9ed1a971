"""What an exhibit can do: be run many times, and, where theory allows, say what it really spends."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noisewright.domains import Floats

Numbers = Sequence[float]
"""A database as most exhibits see it: the answers of its queries, or the values of its rows."""


class ShownMechanism(ABC):
    """A mechanism of the gallery: its fields are public parameters, and one call gives many outputs.

    Noise is drawn as libraries usually draw it, in doubles. "Right" therefore speaks of the law on paper;
    what floating point gives away besides is for the floating-point auditor to say.
    """

    @abstractmethod
    def __call__(self, data: Any, count: int, generator: np.random.Generator) -> NDArray[Any]:
        """Outputs of ``count`` independent runs on the data, one a row."""

    def epsilon(self, left: Any, right: Any, delta: float = 0.0) -> float | None:
        """The smallest ε with which two inputs are (ε, δ)-indistinguishable; None where it is not known."""
        return None


@dataclass(frozen=True, eq=False)
class FiniteLaw:
    """Every output that can occur, one a row, and how likely each is.

    >>> outputs = np.array([[0], [1]])
    >>> left, right = FiniteLaw(outputs, np.array([0.75, 0.25])), FiniteLaw(outputs, np.array([0.25, 0.75]))
    >>> round(math.exp(left.epsilon(right)), 3), round(math.exp(left.epsilon(right, delta=0.25)), 3)
    (3.0, 2.0)
    """

    outputs: NDArray[Any]
    shares: Floats

    def epsilon(self, other: FiniteLaw, delta: float = 0.0) -> float:
        """The smallest ε that holds with δ between two laws on the same outputs, in both directions."""
        return max(_one_way(self.shares, other.shares, delta), _one_way(other.shares, self.shares, delta))


class FiniteMechanism(ShownMechanism):
    """A mechanism whose exact law can be written down, and with it everything it spends."""

    @abstractmethod
    def law(self, data: Any) -> FiniteLaw:
        """The law of one output; the outputs stand in the same order for all data."""

    def epsilon(self, left: Any, right: Any, delta: float = 0.0) -> float:
        return self.law(left).epsilon(self.law(right), delta)


def one_sided(left: Numbers, right: Numbers, scale: float) -> float | None:
    """Σ|difference|/scale, what Laplace noise on each number spends at most, where all move the same way.

    >>> one_sided([0.0, 0.0], [1.0, 1.0], 4.0), one_sided([0.0, 0.0], [1.0, -1.0], 4.0)
    (0.5, None)
    """
    moves = np.subtract(right, left)
    return float(np.abs(moves).sum()) / scale if np.all(moves >= 0) or np.all(moves <= 0) else None


def _one_way(first: Floats, second: Floats, delta: float) -> float:
    """The largest ln((P(S) − δ)/Q(S)): the sets that matter take outputs in the order of their ratio."""
    seen = (first > 0) | (second > 0)
    first, second = first[seen], second[seen]
    with np.errstate(divide="ignore"):
        order = np.argsort(-(first / second), kind="stable")
    hits, false_hits = np.cumsum(first[order]) - delta, np.cumsum(second[order])
    if np.any(hits[false_hits == 0] > 0):
        return math.inf
    ratios = hits[false_hits > 0] / false_hits[false_hits > 0]
    return math.log(max(1.0, float(ratios.max())))
