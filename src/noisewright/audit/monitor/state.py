"""What a monitor knows at one moment."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any

from noisewright.audit.claim import Claim
from noisewright.audit.rounding import at_least


@dataclass(frozen=True)
class State:
    """What may be said now: true with the stated confidence at all moments together.

    ``samples`` are runs that were played, over both inputs; ``waiting`` are runs whose partner has not come
    yet. ``capital`` is the natural logarithm of what a player who started with 1 has won against the claim.

    >>> print(State(Claim(1.0), 0.95, 4000, 0, 0.9, False, 1.5, None).sentence)
    After 4,000 runs nothing refutes ε = 1: the evidence is 4.48 where 20 is needed (ε is at least 0.9).
    """

    claim: Claim
    confidence: float
    samples: int
    waiting: int
    epsilon_lower: float
    refuted: bool
    capital: float
    event: str | None

    @property
    def sentence(self) -> str:
        """The state in words."""
        runs = f"After {self.samples:,} runs"
        least = f"ε is at least {at_least(self.epsilon_lower, 4)}"
        if self.refuted:
            return (
                f"{runs} the claim {self.claim} is false, with confidence {self.confidence:.4g} at whatever "
                f"moment one stops ({least}{f'; it shows where {self.event}' if self.event else ''})."
            )
        needed = 1 / (1 - self.confidence)
        return (
            f"{runs} nothing refutes {self.claim}: the evidence is {math.exp(self.capital):.3g} where "
            f"{needed:.4g} is needed ({least})."
        )

    def to_dict(self) -> dict[str, Any]:
        """The state for a file or another program."""
        return {**asdict(self), "sentence": self.sentence}
