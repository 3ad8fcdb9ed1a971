"""Exact counting, where there are few different outputs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from noisewright.audit.encoding import Encoder, Features
from noisewright.audit.scores.phrases import kinds, listed
from noisewright.audit.scores.score import Score
from noisewright.audit.scores.smoothing import Counts, log_ratios
from noisewright.domains import Floats
from noisewright.errors import InvalidParameter


@dataclass(frozen=True, eq=False)
class CountingScore(Score):
    """The log ratio of how often each output occurred; the best possible with many rows for every output.

    >>> levels, counts = np.array([1.0, -1.0, 0.0]), np.array([9, 9, 0])
    >>> CountingScore(levels, counts, ("yes", "no", "any other output")).event(0.5, above=True)
    'the output is yes'
    """

    levels: Floats
    counts: Counts
    texts: tuple[str, ...]
    title: str = "exact counting"
    phrase: Callable[[Sequence[str], str], str] = listed

    @classmethod
    def fit(cls, left: Features, right: Features, encoder: Encoder, seed: int = 0) -> Self:
        """Learn from the fitting rows of both inputs."""
        if encoder.atoms is None or left.atoms is None or right.atoms is None:
            raise InvalidParameter(
                'score "counting" needs outputs of few different values, each seen often; use score="auto"'
            )
        size = len(encoder.atoms)
        counts = np.bincount(left.atoms, minlength=size), np.bincount(right.atoms, minlength=size)
        ratios, total = log_ratios(*counts), counts[0] + counts[1]
        if encoder.exact:
            return cls(ratios, total, encoder.atoms)
        return cls(ratios, total, encoder.atoms, "counting of kinds of numbers", kinds)

    def values(self, features: Features) -> Floats:
        assert features.atoms is not None
        return self.levels[features.atoms]

    def event(self, threshold: float, above: bool) -> str:
        inside = (self.levels > threshold) == above
        named = inside if not inside[-1] else ~inside  # the last code has no name of its own
        often = np.argsort(-self.counts, kind="stable")
        texts = [self.texts[code] for code in often if named[code]]
        if not texts:
            return "the output is anything" if inside[-1] else "the output is nothing that was seen"
        return f"the output is {self.phrase(texts, 'not ' if inside[-1] else '')}"
