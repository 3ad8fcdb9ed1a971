"""What a mechanism is said to keep, as a value that an audit can refute."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TypeAlias

from noisewright.audit.coordinates import LARGEST
from noisewright.errors import InvalidParameter
from noisewright.guarantees import ApproximateLDP, Guarantee, ProbabilisticLDP, PureLDP, RelativeDP
from noisewright.parameters import real


@dataclass(frozen=True)
class Claim:
    """(ε, δ)-indistinguishability of the outputs for two inputs, in both directions.

    >>> Claim.parse("epsilon=1, delta=1e-6")
    Claim(epsilon=1.0, delta=1e-06)
    """

    epsilon: float
    delta: float = 0.0

    def __post_init__(self) -> None:
        epsilon, delta = real("the claim's epsilon", self.epsilon), real("the claim's delta", self.delta)
        if not 0 <= epsilon <= LARGEST:
            raise InvalidParameter(f"the claim's epsilon must be from 0 to {LARGEST:g}, got {epsilon:g}")
        if not 0 <= delta < 1:
            raise InvalidParameter(f"the claim's delta must be at least 0 and below 1, got {delta:g}")
        object.__setattr__(self, "epsilon", epsilon)
        object.__setattr__(self, "delta", delta)

    @classmethod
    def of(cls, claim: Claimed | None) -> Claim | None:
        """A claim from whatever a user may write for one; None stays None.

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
        """What a guarantee says of any two inputs, where that is an ε and perhaps a δ."""
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
        """A claim from "epsilon=1,delta=1e-6", or from a plain number, which is ε."""
        parts = [part.strip() for part in text.split(",") if part.strip()]
        found: dict[str, float] = {}
        for place, part in enumerate(parts):
            name, _, value = (
                part.partition("=") if "=" in part else (("epsilon", "delta")[place % 2], "", part)
            )
            found[_name(name, found)] = _number(value, text)
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
"""Whatever a user may write for a claim."""


def _name(name: str, found: dict[str, float]) -> str:
    known = {"epsilon": "epsilon", "eps": "epsilon", "ε": "epsilon", "delta": "delta", "δ": "delta"}
    key = known.get(name.strip().lower())
    if key is None or key in found:
        raise InvalidParameter(f"a claim has one epsilon and at most one delta, got {name.strip()!r} besides")
    return key


def _number(value: str, text: str) -> float:
    try:
        return float(value)
    except ValueError:
        raise InvalidParameter(f'a claim looks like "epsilon=1,delta=1e-6", got {text!r}') from None
