"""The parts of a card: guesses and how often they are right, the certificate, and the size of the noise.

The noise of a plan depends on the pool and never on the world that was used, so its size may be published. It
is rounded to few digits: an exact value would be an extra statistic of the pool.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Self

import numpy as np

from noisewright.domains import Floats
from noisewright.errors import InvalidParameter
from noisewright.parameters import real, whole
from noisewright.release.basics.budgets import generalized_prior, posterior_success
from noisewright.release.basics.worlds import Worlds
from noisewright.release.noise.plan import NEGLIGIBLE

MEMBER: Final = "Was this one record in the world that was used?"
SHARES: Final = (0.6, 0.7, 0.8)
"""Shares of the used world that a guess may name."""

OTHER_PRIORS: Final = (0.1, 0.01)
LEAST_PRIOR: Final = 1e-12
"""Blind guesses that are right more rarely are shown with this probability, which is on the safe side."""

SHOWN: Final = 8
"""Names that a card lists before it counts the rest."""

DIGITS: Final = 3
MOST_GROUPS: Final = 12
OTHERS: Final = "all others"


@dataclass(frozen=True)
class Guess:
    """A question about which world was used, and how often a guess is right.

    Attributes:
        question: The question.
        blind: How often a blind guess is right.
        at_most: Bound on how often any guess is right with the release.

    >>> Guess(MEMBER, 0.5, 0.75)
    Guess(question='Was this one record in the world that was used?', blind=0.5, at_most=0.75)
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
    """Return the guesses of a card: about one record, two rarer questions, and naming many members at once.

    Args:
        nats: Nats that the release may reveal.
        records: Number of records in the pool.
        worlds: Public list of worlds; None if any half of the pool may have been used.
        member: Bound on the first guess, about one record.

    >>> [round(guess.at_most, 3) for guess in guesses(0.25, 100, None, posterior_success(0.25))]
    [0.838, 0.364, 0.141, 0.227, 0.044, 0.016]
    """
    others = [
        (f"A question that is blindly guessed {100 * prior:g} % of the time", prior) for prior in OTHER_PRIORS
    ]
    half = records // 2
    for correct in sorted({math.ceil(share * half) for share in SHARES}):
        blind = generalized_prior(records, correct) if worlds is None else worlds.prior_upper(correct)
        question = f"Naming {half:,} records, {correct:,} or more of which were used"
        others += [(question, max(blind, LEAST_PRIOR))] if blind < 1 else []
    bounded = (Guess(question, blind, posterior_success(nats, blind)) for question, blind in others)
    return (Guess(MEMBER, 0.5, member), *bounded)


@dataclass(frozen=True)
class NoiseGroup:
    """The size of the noise in some of the released numbers.

    Attributes:
        name: What the numbers are.
        numbers: How many there are.
        deviation: Standard deviation of the noise in one of them.
        signal_to_noise: Variance over worlds divided by the variance of the noise, over the group. It says
            how well the noise hides which world was used, and nothing about how good the numbers are.
    """

    name: str
    numbers: int
    deviation: float
    signal_to_noise: float

    @classmethod
    def of(cls, name: str, noise: Floats, signal: Floats) -> Self:
        """Return the group of some numbers, given the variances of their noise and over the worlds."""
        total = float(noise.sum())
        share = float(signal.sum()) / total if total else 0.0
        return cls(name, noise.size, few_digits(math.sqrt(total / noise.size)), few_digits(share))

    @property
    def moved(self) -> float:
        """How far a number moves from world to world: its standard deviation over worlds."""
        return few_digits(self.deviation * math.sqrt(self.signal_to_noise))

    def __post_init__(self) -> None:
        if not isinstance(self.name, str):
            raise InvalidParameter("the name of a group of numbers must be text")
        whole("numbers of a group", self.numbers, 1, 1 << 53)
        for name in ("deviation", "signal_to_noise"):
            if real(f"{name} of a group", getattr(self, name)) < 0:
                raise InvalidParameter(f"{name} of a group must not be negative")


def noise_groups(plan: Any, names: Sequence[str]) -> tuple[NoiseGroup, ...]:
    """Return the noise of a plan by groups of released numbers; each number is a group if there are few.

    >>> from noisewright.release.noise import plan_noise
    >>> plan = plan_noise(np.random.default_rng(0).normal(size=(64, 2)) * [1, 10], nats=0.5)
    >>> [(group.name, group.deviation) for group in noise_groups(plan, ["height", "weight"])]
    [('height', 3.01), ('weight', 7.9)]
    """
    noise, signal = number_variances(plan)
    groups: dict[str, list[int]] = {}
    for place, name in enumerate(names):
        groups.setdefault(name if len(names) <= MOST_GROUPS else _family(name), []).append(place)
    named = list(groups.items())
    if len(named) > MOST_GROUPS:
        rest = [place for _, places in named[MOST_GROUPS - 1 :] for place in places]
        named[MOST_GROUPS - 1 :] = [(OTHERS, rest)]
    return tuple(NoiseGroup.of(name, noise[places], signal[places]) for name, places in named)


def number_variances(plan: Any) -> tuple[Floats, Floats]:
    """Return the variance of the noise, and of the outputs over worlds, in each released number.

    A number without noise is the same in every world.
    """
    limited = hasattr(plan, "moments")  # of an unbounded release: limits in place of exact variances
    spread = plan.moments if limited else plan.spread.variances
    directions = plan.frame.directions if limited else plan.spread.directions
    if directions is None:
        return plan.variances, spread
    noise, signal = directions**2 @ plan.variances, directions**2 @ spread
    return np.where(noise > NEGLIGIBLE**2 * noise.max(), noise, 0.0), signal  # the rest is rounding


def _family(name: str) -> str:
    """Return the part of a name that it shares with others of its kind.

    >>> _family("petal_length for setosa"), _family("tree 1 leaf 2 share of a"), _family("intercept")
    ('petal_length', 'tree leaf share', 'intercept')
    """
    return (
        re.split(r" for | of | on | from |[:,\[]", re.sub(r" \d+\b", "", name), maxsplit=1)[0].strip() or name
    )


def few_digits(value: float) -> float:
    """Round a number to the few digits that a card shows.

    >>> few_digits(0.123456)
    0.123
    """
    return float(f"{value:.{DIGITS}g}")


@dataclass(frozen=True)
class Certificate:
    """A bound on how often the best attack on one record is right, found by simulating it ``trials`` times.

    0 trials stand for a bound by theorem.
    """

    rate_upper: float
    confidence: float
    trials: int

    def __post_init__(self) -> None:
        for name in ("rate_upper", "confidence"):
            if not 0 < real(f"{name} of the certificate", getattr(self, name)) <= 1:
                raise InvalidParameter(f"{name} of the certificate must be above 0 and at most 1")
        whole("trials of the certificate", self.trials, 0, 1 << 53)

    @classmethod
    def of(cls, released: Any) -> Self | None:
        """Return the certificate of a release, if it has one, without the most exposed record."""
        found = getattr(released, "certificate", None)
        return None if found is None else cls(found.rate_upper, found.confidence, found.trials)
