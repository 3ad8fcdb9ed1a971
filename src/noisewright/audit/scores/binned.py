"""The output in bins, where it is one number and the likelihood ratio goes up and down."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from noisewright.audit.encoding import Encoder, Features
from noisewright.audit.scores.phrases import in_intervals
from noisewright.audit.scores.score import Score
from noisewright.audit.scores.steps import Steps
from noisewright.audit.scores.value import need_one_number
from noisewright.domains import Floats

BINS = 256


@dataclass(frozen=True, eq=False)
class BinnedScore(Score):
    """Sees windows, gaps and repeated numbers: the log ratio of the counts in each bin of the number line."""

    steps: Steps
    title: str = "bins of the output"

    @classmethod
    def fit(cls, left: Features, right: Features, encoder: Encoder, seed: int = 0) -> Self:
        """Learn from the fitting rows of both inputs."""
        need_one_number(encoder, "bins")
        return cls(Steps.fit(left.table[:, 0], right.table[:, 0], BINS))

    def values(self, features: Features) -> Floats:
        return self.steps.at(features.table[:, 0])

    def event(self, threshold: float, above: bool) -> str:
        return in_intervals(self.steps.edges, (self.steps.levels > threshold) == above)
