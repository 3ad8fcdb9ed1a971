"""What larger audits would see: how many runs refute a claim, for violations of several sizes."""

from __future__ import annotations

from typing import Final

from noisewright.audit.claim import Claim
from noisewright.audit.planning.planner import samples_to_refute
from noisewright.errors import NoisewrightError

BEYOND: Final = (1.05, 1.1, 1.25, 1.5, 2.0)
"""How many times its claim a mechanism may really cost."""

RAREST: Final = 1e-6
COMMONEST: Final = 0.999
"""Between them lies the rate of an event that runs can be planned for."""


def outlook(claim: Claim, rate: float, confidence: float) -> list[tuple[float, int]]:
    """Pairs of a true ε and the runs that show it, by an event of such a rate; where none do, it is left out.

    >>> outlook(Claim(1.0), rate=0.5, confidence=0.95)[1]
    (1.1, 24364)
    """
    found = []
    for actual in (factor * claim.epsilon for factor in BEYOND):
        try:
            runs = samples_to_refute(claim, actual, min(max(rate, RAREST), COMMONEST), confidence=confidence)
        except NoisewrightError:  # too small a difference, or too rare an event
            continue
        found.append((actual, runs))
    return found
