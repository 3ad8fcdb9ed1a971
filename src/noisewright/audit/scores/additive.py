"""A sum of one term a column."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np

from noisewright.audit.encoding import Encoder, Features
from noisewright.audit.scores.linear import logistic_weights
from noisewright.audit.scores.score import Score
from noisewright.audit.scores.standard import Standard
from noisewright.audit.scores.steps import Steps
from noisewright.audit.scores.training import BLOCK, stacked
from noisewright.domains import Cells, Floats

BINS = 64
CELLS = 10_000_000
ROWS = 600_000


@dataclass(frozen=True, eq=False)
class AdditiveScore(Score):
    """Right for noise added independently to each number of a vector, whose log-likelihood ratio is a sum.

    Each column enters twice: itself, and its own log-likelihood ratio in bins, because that of Laplace noise
    is a clipped difference. A logistic regression weighs them.
    """

    standard: Standard
    steps: tuple[tuple[int, Steps], ...]
    weights: Floats
    title: str = "additive model"
    cheap: ClassVar[bool] = False

    @classmethod
    def fit(cls, left: Features, right: Features, encoder: Encoder, seed: int = 0) -> Self:
        """Learn from the fitting rows of both inputs."""
        table, labels = stacked(left, right, CELLS, ROWS)
        standard, steps = Standard.fit(table), _informative_steps(table, labels)
        design = _design(table, standard, steps)
        return cls(standard, steps, logistic_weights(design, labels))

    def values(self, features: Features) -> Floats:
        starts = range(0, len(features), BLOCK)
        blocks = (features.table[start : start + BLOCK] for start in starts)
        sums: list[Any] = [_design(block, self.standard, self.steps) @ self.weights for block in blocks]
        return np.concatenate(sums) if sums else np.empty(0)


def _informative_steps(table: Floats, labels: Cells) -> tuple[tuple[int, Steps], ...]:
    """The binned log ratio of every column in which bins tell anything."""
    left, right = table[labels == 1], table[labels == 0]
    found = [(k, Steps.fit(left[:, k], right[:, k], BINS)) for k in range(table.shape[1])]
    return tuple((k, steps.scaled()) for k, steps in found if len(steps.edges))


def _design(table: Floats, standard: Standard, steps: tuple[tuple[int, Steps], ...]) -> Floats:
    return np.column_stack([standard.scaled(table), *(each.at(table[:, k]) for k, each in steps)])
