"""The certificate of a release that was calibrated to a membership success."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from noisewright.guarantees.words import ceiling


@dataclass(frozen=True)
class SuccessCertificate:
    """With probability ``confidence`` no attack is right about any record more often than ``rate_upper``.

    The chance is that of the simulation (``trials`` fresh releases, its ``attempts``-th try), not of the
    data: a confidence of 1 stands for a bound by theorem, without any simulation. ``nats`` is the mutual
    information that the noise was measured out for, ``worst_success`` the success about the most exposed
    record as estimated. Which record that is depends on the pool, so it is not shown.

    >>> print(SuccessCertificate(0.58794, 0.999, trials=65536, worst_success=0.5861, nats=0.49))
    no attack is right about any record more than 58.8 % of the time
    (65,536 simulated releases, confidence 99.9 %)
    """

    rate_upper: float
    confidence: float
    trials: int
    worst_success: float
    nats: float
    attempts: int = 1
    worst_record: int | None = field(default=None, repr=False)

    def to_dict(self) -> dict[str, Any]:
        """The certificate in plain JSON values, without the name of a record."""
        names = ("rate_upper", "confidence", "trials", "worst_success", "nats", "attempts")
        return {name: getattr(self, name) for name in names}

    def __str__(self) -> str:
        most = f"{ceiling(100 * self.rate_upper, 4).normalize():f} %"
        promise = f"no attack is right about any record more than {most} of the time"
        if not self.trials:
            return promise
        return f"{promise} ({self.trials:,} simulated releases, confidence {100 * self.confidence:g} %)"
