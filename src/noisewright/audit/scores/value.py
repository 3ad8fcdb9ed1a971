"""The output itself as the score, where it is one number."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
from scipy.stats import rankdata

from noisewright.audit.encoding import Encoder, Features
from noisewright.audit.scores.score import Score
from noisewright.domains import Floats
from noisewright.errors import InvalidParameter

ENOUGH = 50_000
"""Rows of each input that settle on which side the larger numbers are."""


@dataclass(frozen=True)
class ValueScore(Score):
    """The best of all scores where the likelihood ratio rises or falls with the output, and free of charge.

    >>> ValueScore(-1).event(-3.25, above=True)
    'the output is below 3.25'
    """

    sign: int
    title: str = "the output itself"

    @classmethod
    def fit(cls, left: Features, right: Features, encoder: Encoder, seed: int = 0) -> Self:
        """Learn from the fitting rows of both inputs."""
        need_one_number(encoder, "value")
        some, others = left.table[:ENOUGH, 0], right.table[:ENOUGH, 0]
        ranks = rankdata(np.concatenate([some, others]))
        left_is_high = ranks[: len(some)].mean() >= ranks[len(some) :].mean()
        return cls(1 if left_is_high else -1)

    def values(self, features: Features) -> Floats:
        column = features.table[:, 0]
        return column if self.sign > 0 else -column

    def event(self, threshold: float, above: bool) -> str:
        words = {(1, True): "above", (1, False): "at most", (-1, True): "below", (-1, False): "at least"}
        return f"the output is {words[self.sign, above]} {self.sign * threshold + 0.0:.6g}"


def need_one_number(encoder: Encoder, name: str) -> None:
    """Refuse outputs that are not one number."""
    if encoder.width != 1:
        raise InvalidParameter(f'score "{name}" needs outputs that are one number each; use score="auto"')
