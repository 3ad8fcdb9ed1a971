"""What a run found, how it was kept private, and what it took."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from noisewright.mechanisms.joint import JointRandomizedResponse
from noisewright.protocol.coins.coin import SECURITY_MODEL
from noisewright.protocol.run.config import RunConfig
from noisewright.protocol.run.counts import LabelCount
from noisewright.protocol.run.grouping import MODELS
from noisewright.protocol.run.privacy import RunPrivacy


@dataclass(frozen=True)
class RunResult:
    """The outcome of a run: ``mechanism`` as it came about, ``reason`` why it was planned so, if it was."""

    config: RunConfig
    mechanism: JointRandomizedResponse
    reason: str
    reports: tuple[Any, ...]
    counts: tuple[LabelCount, ...]
    reasons: dict[str, int]
    grouping_seconds: float
    coin_seconds: float

    @property
    def method(self) -> str:
        """Who grouped the users."""
        return self.config.method

    @property
    def simulated(self) -> bool:
        """Whether the people were made up."""
        return self.config.simulated

    @property
    def pairs(self) -> int:
        """How many pairs there were."""
        return self.mechanism.users // 2

    @property
    def missing(self) -> int:
        """How many users never reported because the process that held their value was killed."""
        return self.mechanism.users - len(self.reports)

    @property
    def alone(self) -> int:
        """How many users reported by plain randomized response because their pair failed."""
        return sum(self.reasons.values())

    @property
    def pairs_per_second(self) -> float:
        """How fast the coins were drawn, process start-up not counted."""
        return self.pairs / self.coin_seconds

    @property
    def privacy(self) -> RunPrivacy:
        """What a collector learns who knows the share that was expected, or else a share that may be true.

        Of the interval that was found the end farther from one half is taken: it gives most away.
        """
        share = self.config.expected_share
        if share is None:
            ends = (self.counts[1].low / len(self.reports), self.counts[1].high / len(self.reports))
            share = min(max(max(ends, key=lambda end: abs(end - 0.5)), 0.0), 1.0)
        return RunPrivacy(self.mechanism, self.method, share)

    def to_dict(self) -> dict[str, Any]:
        """The result in plain JSON values, without the reports."""
        return {
            "users": self.mechanism.users,
            "missing": self.missing,
            "pairs": self.pairs,
            "fallbacks": self.alone,
            "fallback_reasons": self.reasons,
            "simulated_people": self.simulated,
            "grouping": self.method,
            "security_model": {"coins": SECURITY_MODEL, "grouping": MODELS[self.method]},
            "plan": self.reason or None,
            "privacy": self.privacy.to_dict(),
            "privacy_in_words": self.privacy.sentences(),
            "counts": [count.to_dict() for count in self.counts],
            "seconds": {"grouping": self.grouping_seconds, "coins": self.coin_seconds},
            "pairs_per_second": self.pairs_per_second,
        }
