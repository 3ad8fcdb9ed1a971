"""What a monitor knows at one moment."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any

from noisewright.audit.claim import Claim
from noisewright.audit.rounding import at_least, at_most, confidence_words


@dataclass(frozen=True)
class State:
    """What may be said now: true with the stated confidence at all moments together.

    ``samples`` are runs that were seen, over both inputs; ``waiting`` are runs whose partner has not come
    yet. ``log_capital`` is how far the evidence is: the natural logarithm of the most that bets against the
    claim have made of 1 so far. The claim is refuted as soon as that reaches ``log_needed``.

    >>> print(State(Claim(1.0), 0.95, 4000, 0, 0.9, False, 1.5, None).sentence)
    After 4,000 runs nothing refutes ε = 1: the evidence is 4.48 where 20 is needed (ε is at least 0.9).
    """

    claim: Claim
    confidence: float
    samples: int
    waiting: int
    epsilon_lower: float
    refuted: bool
    log_capital: float
    event: str | None

    @property
    def log_needed(self) -> float:
        """ln(1/α): the log capital that refutes, with α = 1 − ``confidence``."""
        return math.log(1 / (1 - self.confidence))

    @property
    def sentence(self) -> str:
        """The state in words."""
        runs = f"After {self.samples:,} runs"
        least = f"ε is at least {at_least(self.epsilon_lower, 4)}"
        if self.refuted:
            more = [least] if self.epsilon_lower > self.claim.epsilon else []
            shown = "; ".join(more + ([f"it shows where {self.event}"] if self.event else []))
            return (
                f"{runs} the claim {self.claim} is false, with {confidence_words(self.confidence)} "
                f"confidence at whatever moment one stops{f' ({shown})' if shown else ''}."
            )
        needed = round(math.exp(self.log_needed), 9)  # 1/0.05 is 20, whatever doubles make of it
        return (
            f"{runs} nothing refutes {self.claim}: the evidence is {at_least(math.exp(self.log_capital))} "
            f"where {at_most(needed, 4)} is needed ({least})."
        )

    def to_dict(self) -> dict[str, Any]:
        """The state for a file or another program."""
        return {**asdict(self), "log_needed": self.log_needed, "sentence": self.sentence}
