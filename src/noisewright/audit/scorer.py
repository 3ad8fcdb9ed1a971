"""A score together with what turns outputs into its features, so that its events can be tested on any run."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from noisewright.audit.encoding import Encoder
from noisewright.audit.outputs import Outputs
from noisewright.audit.scores import BinnedScore, Score, ValueScore


@dataclass(frozen=True, eq=False)
class Scorer:
    """Says of any output of the black box whether an event {score > threshold} happened."""

    encoder: Encoder
    score: Score

    def holds(self, outputs: Outputs, threshold: float, *, above: bool) -> NDArray[np.bool_]:
        """Whether {score > threshold} holds for each output, or else {score ≤ threshold}."""
        at_most = self.score.values(self.encoder.features(outputs)) <= threshold
        return np.asarray(at_most != above, dtype=np.bool_)

    def words(self, threshold: float, *, above: bool, nan: bool = False) -> str:
        """The same event in words; if some outputs are no numbers (``nan``), they are named where it holds.

        They stand below all numbers, so that "at most 0.3" holds for them and "above 0.3" does not.
        """
        said = self.score.event(threshold, above)
        if not nan or not isinstance(self.score.base, ValueScore | BinnedScore):
            return said
        holds = bool(self.holds(Outputs(np.array([[np.nan]])), threshold, above=above)[0])
        return f"{said}, or no number (NaN)" if holds else said
