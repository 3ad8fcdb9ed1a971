"""What a budget means for questions a reader would ask: how often a guess is right before and after."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from noisewright.errors import InvalidParameter
from noisewright.parameters import real
from noisewright.release.meaning import generalized_prior, posterior_success
from noisewright.release.worlds import Worlds

MEMBER: Final = "Was this one record in the half that was used?"
SHARES: Final = (0.6, 0.7, 0.8)
"""Shares of the used half that somebody may claim to name."""

OTHER_PRIORS: Final = (0.1, 0.01)
LEAST_PRIOR: Final = 1e-12
"""Blind guesses that are right more rarely are shown as if they were right so often: on the safe side."""


@dataclass(frozen=True)
class Guess:
    """A question about which half was used: how often a blind guess is right, and any guess at most.

    >>> Guess(MEMBER, 0.5, 0.75)
    Guess(question='Was this one record in the half that was used?', blind=0.5, at_most=0.75)
    """

    question: str
    blind: float
    at_most: float

    def __post_init__(self) -> None:
        if not isinstance(self.question, str):
            raise InvalidParameter("the question of a guess must be text")
        low, high = (real(f"{name} of a guess", getattr(self, name)) for name in ("blind", "at_most"))
        if not 0 < low <= high <= 1:
            raise InvalidParameter("a guess must have 0 < blind <= at_most <= 1")


def guesses(nats: float, records: int, worlds: Worlds | None, member: float) -> tuple[Guess, ...]:
    """The table of a card: one record, two rarer questions, and naming many members at once.

    ``member`` bounds the first; ``worlds`` is None where every half of the pool may have been used.

    >>> [round(guess.at_most, 3) for guess in guesses(0.25, 100, None, posterior_success(0.25))]
    [0.838, 0.364, 0.141, 0.227, 0.044, 0.016]
    """
    rarer = [
        Guess(f"A question that is blindly guessed {100 * prior:g} % of the time", prior, _after(nats, prior))
        for prior in OTHER_PRIORS
    ]
    many = [
        Guess(_naming(k, records // 2), prior, _after(nats, prior)) for k, prior in _many(records, worlds)
    ]
    return (Guess(MEMBER, 0.5, member), *rarer, *many)


def _after(nats: float, prior: float) -> float:
    return posterior_success(nats, prior)


def _naming(correct: int, half: int) -> str:
    return f"Naming {half:,} records, {correct:,} or more of which were used"


def _many(records: int, worlds: Worlds | None) -> Iterator[tuple[int, float]]:
    """How many members a claim names, and how often a blind one is right at most."""
    half = records // 2
    for correct in sorted({math.ceil(share * half) for share in SHARES}):
        blind = generalized_prior(records, correct) if worlds is None else worlds.prior_upper(correct)
        if blind < 1:
            yield correct, max(blind, LEAST_PRIOR)
