"""A privacy claim as a value that an audit can refute, and checked values of ε, δ and confidence.

Of all pairs of laws that keep (ε₀, δ₀) in both directions, one is the worst at every ε at once. With
probability δ₀ the input itself is published; otherwise it goes through randomized response at ε₀
(Kairouz, Oh and Viswanath 2015, thm 3.1). :func:`allowed_delta` is its spectrum.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from noisewright.domains import Floats
from noisewright.errors import InvalidParameter
from noisewright.guarantees import ApproximateLDP, Guarantee, ProbabilisticLDP, PureLDP, RelativeDP
from noisewright.parameters import real

LARGEST: Final = 700.0
"""e^ε must be a double."""

LEAST_CONFIDENCE: Final = 0.5

NAMES: Final = ("epsilon", "delta")
SPELLINGS: Final = {"epsilon": "epsilon", "eps": "epsilon", "ε": "epsilon", "delta": "delta", "δ": "delta"}
"""Accepted names of the parts of a claim."""


def read_epsilons(epsilons: ArrayLike) -> Floats:
    """Return one ε or an array of them as floats, or refuse them.

    Args:
        epsilons: One ε or an array of them, from 0 to 700.

    >>> read_epsilons([0, 1]).tolist()
    [0.0, 1.0]
    """
    try:
        grid = np.asarray(epsilons, dtype=np.float64)
    except (TypeError, ValueError):
        raise InvalidParameter("must be numbers, as in [0, 0.5, 1]", field="epsilons") from None
    if not np.all((grid >= 0) & (grid <= LARGEST)):
        raise InvalidParameter(f"must be numbers from 0 to {LARGEST:g}", field="epsilons")
    return grid


def read_grid(epsilons: ArrayLike) -> Floats:
    """Return the values of ε, each once and in order; there must be one at least.

    >>> read_grid([1, 0, 1]).tolist()
    [0.0, 1.0]
    """
    grid = np.unique(read_epsilons(epsilons))
    if not grid.size:
        raise InvalidParameter(f"must be numbers from 0 to {LARGEST:g}; got none", field="epsilons")
    return grid


def read_delta(delta: float, name: str = "delta") -> float:
    """Return a δ, which is a probability below 1."""
    value = real(name, delta)
    if not 0 <= value < 1:
        raise InvalidParameter(f"must be at least 0 and below 1, got {value:g}", field=name)
    return value


def read_positive(name: str, value: object) -> float:
    """Return a number above 0."""
    number = real(name, value)
    if number <= 0:
        raise InvalidParameter(f"must be above 0, got {number:g}", field=name)
    return number


def read_confidence(confidence: object) -> float:
    """Return a confidence level, a probability from one half to below 1.

    >>> read_confidence(0.95)
    0.95
    """
    level = real("confidence", confidence)
    if not LEAST_CONFIDENCE <= level < 1:
        raise InvalidParameter(
            f"must be at least {LEAST_CONFIDENCE:g} and below 1, for example 0.95; got {level:g}",
            field="confidence",
        )
    return level


def read_law(name: str, law: ArrayLike) -> Floats:
    """Return a list of probabilities, or refuse it."""
    masses = np.asarray(law, dtype=np.float64)
    if masses.ndim != 1 or not np.all(masses >= 0) or not abs(masses.sum() - 1) < 1e-9:
        raise InvalidParameter(f"{name} must be a list of probabilities that sum to 1")
    return masses


@dataclass(frozen=True)
class Claim:
    """(ε, δ)-indistinguishability of the outputs for two inputs, in both directions.

    Attributes:
        epsilon: The ε that is claimed, from 0 to 700.
        delta: The δ that is claimed, at least 0 and below 1; 0 claims pure privacy.

    >>> Claim.parse("epsilon=1, delta=1e-6")
    Claim(epsilon=1.0, delta=1e-06)
    """

    epsilon: float
    delta: float = 0.0

    def __post_init__(self) -> None:
        epsilon = real("the claim's epsilon", self.epsilon)
        if not 0 <= epsilon <= LARGEST:
            raise InvalidParameter(f"the claim's epsilon must be from 0 to {LARGEST:g}, got {epsilon:g}")
        object.__setattr__(self, "epsilon", epsilon)
        object.__setattr__(self, "delta", read_delta(self.delta, "the claim's delta"))

    @classmethod
    def of(cls, claim: Claimed | None) -> Claim | None:
        """Return a claim from anything a user may write for one; None stays None.

        >>> Claim.of(PureLDP(1.0)), Claim.of("1")
        (Claim(epsilon=1.0, delta=0.0), Claim(epsilon=1.0, delta=0.0))
        """
        match claim:
            case None | Claim():
                return claim
            case str():
                return cls.parse(claim)
            case Guarantee():
                return cls.from_guarantee(claim)
        return cls(claim)

    @classmethod
    def from_guarantee(cls, guarantee: Guarantee) -> Claim:
        """Return the claim that a guarantee makes about any two inputs, if it is an ε and perhaps a δ."""
        match guarantee:
            case PureLDP(epsilon=epsilon):
                return cls(epsilon)
            case ApproximateLDP() | RelativeDP() | ProbabilisticLDP():  # the last implies the first
                return cls(guarantee.epsilon, guarantee.delta)
        raise InvalidParameter(
            f"{type(guarantee).__name__} does not speak of two inputs alone; claim an epsilon and a delta"
        )

    @classmethod
    def parse(cls, text: str) -> Claim:
        """Return a claim from "epsilon=1,delta=1e-6", or from a plain number, which is ε."""
        parts = [part.strip() for part in text.split(",") if part.strip()]
        found: dict[str, float] = {}
        for place, part in enumerate(parts):
            name, _, value = part.partition("=") if "=" in part else (NAMES[place % 2], "", part)
            key = SPELLINGS.get(name.strip().lower())
            if key is None or key in found:
                raise InvalidParameter(
                    f"a claim has one epsilon and at most one delta, got {name.strip()!r} besides"
                )
            try:
                found[key] = float(value)
            except ValueError:
                raise InvalidParameter(f'a claim looks like "epsilon=1,delta=1e-6", got {text!r}') from None
        if "epsilon" not in found:
            raise InvalidParameter(f'a claim names its epsilon, as in "epsilon=1,delta=1e-6", got {text!r}')
        return cls(**found)

    def __str__(self) -> str:
        return f"ε = {self.epsilon:g}" + (f", δ = {self.delta:g}" if self.delta else "")

    @property
    def factor(self) -> float:
        """e^ε: how many times likelier an output may be under one input than under the other."""
        return math.exp(self.epsilon)


Claimed: TypeAlias = Claim | Guarantee | str | float
"""Anything a user may write for a claim."""


def allowed_delta(claim: Claim, epsilons: Floats) -> Floats:
    """Return the largest δ at every ε that a claim leaves room for; more than that refutes it.

    δ(ε) = δ₀ + (1 − δ₀)·(e^ε₀ − e^ε)₊ / (e^ε₀ + 1)

    >>> allowed_delta(Claim(1.0), np.array([0.0, 1.0, 2.0])).round(4).tolist()
    [0.4621, 0.0, 0.0]
    """
    room = -np.expm1(np.minimum(epsilons - claim.epsilon, 0.0)) / (1.0 + np.exp(-claim.epsilon))
    return np.asarray(claim.delta + (1.0 - claim.delta) * room)


def allowed_misses(claim: Claim, false_alarms: Floats) -> Floats:
    """Return the least share of misses of any test if the claim holds (Dong et al. 2022, prop. 2.4).

    >>> allowed_misses(Claim(0.0), np.array([0.0, 0.25])).tolist()
    [1.0, 0.75]
    """
    steep = 1.0 - claim.delta - claim.factor * false_alarms
    flat = (1.0 - claim.delta - false_alarms) / claim.factor
    return np.maximum(np.maximum(steep, flat), 0.0)
