"""The lattice on which an output lies, as the score."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from noisewright.audit.encoding import Encoder, Features
from noisewright.audit.scores.phrases import in_intervals
from noisewright.audit.scores.score import Score
from noisewright.audit.scores.steps import Steps
from noisewright.domains import Floats
from noisewright.errors import InvalidParameter

BINS = 256
GRAIN = "grain of the output"


@dataclass(frozen=True, eq=False)
class GrainScore(Score):
    """Tells inputs apart by the finest binary digit of a number, whatever its density (Mironov 2012).

    >>> GrainScore(Steps(np.array([-54.0]), np.array([2.0, -0.1])), 1).event(0.0, above=True)
    'the output is no whole multiple of 2^-53'
    """

    steps: Steps
    column: int
    title: str = "grain of the output"

    @classmethod
    def fit(cls, left: Features, right: Features, encoder: Encoder, seed: int = 0) -> Self:
        """Learn from the fitting rows of both inputs."""
        if GRAIN not in encoder.columns:
            raise InvalidParameter('score "grain" needs one number an output and bits=True; use score="auto"')
        column = encoder.columns.index(GRAIN)
        return cls(Steps.fit(left.table[:, column], right.table[:, column], BINS), column)

    def values(self, features: Features) -> Floats:
        return self.steps.at(features.table[:, self.column])

    def event(self, threshold: float, above: bool) -> str:
        inside = (self.steps.levels > threshold) == above
        changes = np.flatnonzero(np.diff(inside.astype(int)))
        if len(changes) != 1:
            return in_intervals(self.steps.edges, inside, "the exponent of the output's lowest binary digit")
        power = int(np.floor(self.steps.edges[changes[0]])) + 1
        return f"the output is {'no' if inside[0] else 'a'} whole multiple of 2^{power}"
