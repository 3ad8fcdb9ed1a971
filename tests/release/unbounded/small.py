"""A small pool whose halves can all be listed, and an algorithm that is quick on it."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Any, ClassVar

import numpy as np

from noisewright.domains import Floats
from noisewright.release.algorithms.base import Algorithm, Facts, Labels

ROWS = np.random.default_rng(3).normal(size=(8, 2)) * np.array([1.0, 0.2])


@dataclass(frozen=True)
class ColumnMeans(Algorithm):
    """The means of the columns; raises for one seed, if told to."""

    spoilt: int | None = None
    title: ClassVar[str] = "column means"

    def fit(self, rows: Floats, labels: Labels | None, seed: int, facts: Facts) -> Floats:
        if seed == self.spoilt:
            raise ValueError(f"the secret is {rows}")
        return np.asarray(rows.mean(axis=0))

    def model(self, vector: Floats, facts: Facts) -> Any:
        return vector.tolist()

    def coordinates(self, facts: Facts) -> tuple[str, ...]:
        return facts.columns()


FACTS = ColumnMeans().facts(ROWS, None)


def all_halves(records: int) -> Floats:
    """Every half as a row of 0 and 1."""
    member = np.zeros((0, records))
    for size in {records // 2, (records + 1) // 2}:
        chosen = np.array(list(combinations(range(records), size)))
        member = np.vstack([member, np.eye(records)[chosen].sum(axis=1)])
    return member
