"""What every score offers, and what a score is worth, in nats, on rows it has not seen."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar, NamedTuple, Self

import numpy as np
from scipy.optimize import isotonic_regression

from noisewright.audit.encoding import Features
from noisewright.domains import Floats


class SingledOut(NamedTuple):
    """An event that gets a bound of its own, however rare: {score > threshold}, or {score ≤ threshold}."""

    above: bool
    threshold: float


class Score(ABC):
    """A number for each output; higher means that it looks more like coming from the left input.

    Only the order matters: scores need not be probabilities. Each kind has a ``fit`` that learns from the
    fitting rows of both inputs; ``cheap`` ones are fitted again on all of them once they are chosen.
    """

    title: str
    cheap: ClassVar[bool] = True

    @property
    def base(self) -> Score:
        """The score without what was added to it after it was chosen."""
        return self

    @property
    def singled_out(self) -> tuple[SingledOut, ...]:
        """Events that the fitting rows have singled out already; none, where a score says nothing else."""
        return ()

    @abstractmethod
    def values(self, features: Features) -> Floats:
        """Return the score of each row."""

    def event(self, threshold: float, above: bool) -> str:
        """Words for {score > threshold}, or for {score ≤ threshold}."""
        return f"the trained score ({self.title}) is {'above' if above else 'at most'} {threshold:.6g}"


# -- the worth of a score ------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class MonotoneChances:
    """The chance of the left input as a rising step function of a score, by isotonic regression.

    Of a score only its order is used, so that is all it is judged by: this gives any order its best chances.

    >>> chances = MonotoneChances.fit(np.array([2.0, 3.0, 4.0]), np.array([0.0, 1.0, 2.5]))
    >>> chances.at(np.array([0.5, 2.2, 9.0])).round(2).tolist()
    [0.17, 0.5, 0.83]
    """

    tops: Floats
    chances: Floats

    @classmethod
    def fit(cls, left: Floats, right: Floats) -> Self:
        """Learn from scores of equally many rows of both inputs."""
        scores, place = np.unique(np.concatenate([left, right]), return_inverse=True)
        rows = np.bincount(place)
        shares = np.bincount(place[: len(left)], minlength=len(scores)) / rows
        found = isotonic_regression(shares, weights=rows)
        level = found.x[found.blocks[:-1]]
        chances = (level * found.weights + 0.5) / (found.weights + 1)  # nothing is certain
        return cls(scores[found.blocks[1:] - 1], chances)

    def at(self, scores: Floats) -> Floats:
        """Return the chance of the left input at each score."""
        return self.chances[np.minimum(np.searchsorted(self.tops, scores), len(self.tops) - 1)]


def log_losses(
    score: Score, calibrating: tuple[Features, Features], judging: tuple[Features, Features]
) -> Floats:
    """Nats lost in telling the input of each judging row (left rows first); guessing loses ln 2."""
    chances = MonotoneChances.fit(*(score.values(side) for side in calibrating))
    left, right = (chances.at(score.values(side)) for side in judging)
    return np.concatenate([-np.log(left), -np.log1p(-right)])
