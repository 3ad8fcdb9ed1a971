"""The mean of every column."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from noisewright.domains import Floats
from noisewright.release.algorithms.base import Algorithm, Facts, Labels
from noisewright.release.algorithms.statistic import Statistic


@dataclass(frozen=True)
class Mean(Algorithm):
    """The mean of every column; the vector is the means.

    >>> rows = np.array([[1.0, 10.0], [3.0, 30.0]])
    >>> mean = Mean(); facts = mean.facts(rows, None, names=["weight", "age"])
    >>> mean.model(mean.fit(rows, None, seed=0, facts=facts), facts).to_dict()
    {'value': [2.0, 20.0], 'names': ['weight', 'age']}
    """

    title: ClassVar[str] = "the mean of every column"

    def fit(self, rows: Floats, labels: Labels | None, seed: int, facts: Facts) -> Floats:
        return np.asarray(rows.mean(axis=0))

    def model(self, vector: Floats, facts: Facts) -> Statistic:
        """The means under the names of their columns."""
        return Statistic(vector.copy(), facts.columns())

    def coordinates(self, facts: Facts) -> tuple[str, ...]:
        return tuple(f"mean of {name}" for name in facts.columns())

    def confidence(self, vectors: Floats, rows: Floats, labels: Labels | None, facts: Facts) -> Floats | None:
        """Minus the distance of each row to each mean."""
        return np.array([-np.linalg.norm(rows - vector, axis=1) for vector in vectors])

    def utility(self, vectors: Floats, rows: Floats, labels: Labels | None, facts: Facts) -> Floats | None:
        """Minus the distance to the mean of the rows."""
        return -np.asarray(np.linalg.norm(vectors - rows.mean(axis=0), axis=1))
