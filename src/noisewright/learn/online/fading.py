"""Counts of answers in which the old fade away."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from noisewright.domains import Floats
from noisewright.errors import InvalidParameter
from noisewright.learn.feedback import Evaluation
from noisewright.parameters import as_float, is_number


class Fading:
    """Weighted counts, by name: every answer that comes makes all earlier ones count e^(−1/memory) times.

    With weights w of the answers about a name, three sums are kept: Σ w·bit, Σ w and Σ w². The effective
    number of answers is (Σ w)² / Σ w²: a mean of so many equal answers would vary as much.

    >>> counts = Fading(memory=10.0)
    >>> counts.open("rule")
    >>> counts.count("rule", np.ones(1000, dtype=bool))
    >>> round(counts.size("rule"), 1)                        # about twice the memory, and never more
    20.0
    """

    def __init__(self, memory: float) -> None:
        if not is_number(memory) or not as_float(memory) >= 1:
            raise InvalidParameter(f"memory must be a number of answers of at least 1, got {memory!r}")
        self.memory = as_float(memory)
        self._sums: dict[str, Floats] = {}

    @property
    def _rates(self) -> Floats:
        """By how much the logarithm of each sum falls with an answer: weights once, their squares twice."""
        return np.array([1.0, 1.0, 2.0]) / self.memory

    def open(self, name: str) -> None:
        """Begin to count for a name."""
        self._sums[name] = np.zeros(3)

    def close(self, name: str) -> None:
        """Forget a name."""
        del self._sums[name]

    def count(self, name: str, bits: NDArray[np.bool_]) -> None:
        """Add answers about a name, the oldest first."""
        faded = np.exp(-len(bits) * self._rates)
        self._sums = {each: sums * faded for each, sums in self._sums.items()}
        weights = np.exp(-np.arange(len(bits))[::-1] / self.memory)
        self._sums[name] += [weights[bits].sum(), weights.sum(), (weights**2).sum()]

    def size(self, name: str) -> float:
        """The effective number of answers about a name."""
        _, total, squares = self._sums[name]
        return float(total**2 / squares) if squares else 0.0

    def evaluation(self, names: Sequence[str], epsilon: float) -> Evaluation:
        """The accuracies that the answers about some names stand for (Qin and Bai 2026, eq. 8)."""
        right, total, _ = np.array([self._sums[name] for name in names]).reshape(-1, 3).T
        sizes = np.array([self.size(name) for name in names])
        heard = total > 0
        return Evaluation.of_shares(np.where(heard, right / np.where(heard, total, 1.0), 0.5), sizes, epsilon)

    def to_dict(self) -> dict[str, Any]:
        """The counts in plain JSON values; no memory limit is null."""
        memory = None if math.isinf(self.memory) else self.memory
        return {"memory": memory, "sums": {name: sums.tolist() for name, sums in self._sums.items()}}

    @classmethod
    def from_dict(cls, kept: Mapping[str, Any], names: Sequence[str]) -> Self:
        """The counts of :meth:`to_dict`, which must be about these names."""
        counts = cls(math.inf if kept["memory"] is None else kept["memory"])
        for name in names:
            sums = np.array(kept["sums"][name], dtype=np.float64)
            if sums.shape != (3,) or not np.isfinite(sums).all() or not 0 <= sums[0] <= sums[1]:
                raise InvalidParameter("the counts of an online mixture are broken")
            counts._sums[name] = sums
        return counts
