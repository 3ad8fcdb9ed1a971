"""What a monitor learns from the pairs it has seen: a score for outputs, anew whenever they have doubled."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from noisewright.audit.encoding import Encoder, fit_encoder
from noisewright.audit.outputs import Outputs
from noisewright.audit.scores import Score, choose_score
from noisewright.domains import Floats

FIRST = 150
"""Pairs from which the first score is learned."""

EVERY = 3
"""Every third pair teaches the score, which flatters itself: events and stakes are chosen on the others."""

KEPT = 100_000
"""Of how many pairs, the latest, outputs and scores are kept: a monitor may run for years."""


class Learner:
    """Past pairs, the score learned from some of them, and the scores of the others."""

    def __init__(self, wanted: Any = "auto", seed: int = 0) -> None:
        self.wanted, self.seed = wanted, seed
        self.pairs = 0
        self.score: Score | None = None
        self._encoder: Encoder | None = None
        self._learned_at: float = FIRST / 2
        self._outputs: list[tuple[Outputs, Outputs]] = []
        self._scores: list[tuple[Floats, Floats]] = []

    def observe(self, left: Outputs, right: Outputs) -> tuple[Floats, Floats] | None:
        """Remember new pairs; their scores, or None while nothing has been learned."""
        self.pairs += len(left)
        self._outputs.append((left, right))
        _forget(self._outputs)
        if self.score is None:
            return None
        found = self._values(left), self._values(right)
        self._scores.append(found)
        _forget(self._scores)
        return found

    def study(self) -> None:
        """Learn a new score if there are twice as many pairs as when the last was learned."""
        if self.pairs < 2 * self._learned_at:
            return
        self._learned_at = self.pairs
        left, right = (Outputs.joined([pair[side] for pair in self._outputs]) for side in (0, 1))
        teaching = np.arange(len(left)) % EVERY == 0
        self._encoder = fit_encoder(left[teaching], right[teaching])
        lessons = [self._encoder.features(side[teaching]) for side in (left, right)]
        self.score = choose_score(lessons[0], lessons[1], self._encoder, self.wanted, self.seed).score
        self._scores = [(self._values(left[~teaching]), self._values(right[~teaching]))]

    def past(self) -> tuple[Floats, Floats]:
        """Scores of past pairs that did not teach the score."""
        left, right = zip(*self._scores, strict=True)
        return np.concatenate(left), np.concatenate(right)

    def _values(self, outputs: Outputs) -> Floats:
        assert self.score is not None
        assert self._encoder is not None
        return self.score.values(self._encoder.features(outputs))


def _forget(parts: list[Any]) -> None:
    """Drop the oldest parts as long as enough is left without them."""
    while math.fsum(len(part[0]) for part in parts[1:]) >= KEPT:
        del parts[0]
