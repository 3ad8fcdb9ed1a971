"""A score together with what turns outputs into its features, so that its events can be tested on any run."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from noisewright.audit.encoding import Encoder
from noisewright.audit.outputs import Outputs
from noisewright.audit.scores import Score


@dataclass(frozen=True, eq=False)
class Scorer:
    """Says of any output of the black box whether an event {score > threshold} happened."""

    encoder: Encoder
    score: Score

    def holds(self, outputs: Outputs, threshold: float, *, above: bool) -> NDArray[np.bool_]:
        """Whether {score > threshold} holds for each output, or else {score ≤ threshold}."""
        at_most = self.score.values(self.encoder.features(outputs)) <= threshold
        return np.asarray(at_most != above, dtype=np.bool_)

    def words(self, threshold: float, *, above: bool) -> str:
        """The same event in words."""
        return self.score.event(threshold, above)
