"""The report of all attacks on a release, with a verdict on what was promised."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from noisewright.errors import InvalidParameter
from noisewright.estimate import Estimate
from noisewright.release.attacks.result import AttackResult
from noisewright.release.attacks.words import report_words, verdict_words

Verdict = Literal["pass", "fail"]

ABOUT = (
    "Attacks were played on simulated releases with known worlds; the real one was not touched. They ask "
    "which half of the pool was used. Nothing here is about who is in the pool at all."
)


@dataclass(frozen=True, eq=False)
class AttackReport:
    """What the attacks achieved on a release, against what was promised of it.

    ``promised`` is the largest success that any attack may have about any record, ``information_upper`` the
    nats that the release may carry at most, ``information`` the nats measured. All low ends of
    successes and of the information hold together with probability ``confidence``, however many records and
    attacks there are; so a release that keeps its promise fails with at most the rest.
    """

    attacks: tuple[AttackResult, ...]
    promised: float
    information: Estimate
    information_upper: float
    trials: int
    confidence: float

    @property
    def verdict(self) -> Verdict:
        """Fail if an attack, or the measured information, exceeds the promise beyond chance; else pass."""
        broken = any(result.exceeds(self.promised) for result in self.attacks)
        return "fail" if broken or self.information.low > self.information_upper else "pass"

    @property
    def passed(self) -> bool:
        """Whether the verdict is "pass"."""
        return self.verdict == "pass"

    @property
    def sentence(self) -> str:
        """The verdict and what it rests on."""
        return verdict_words(self)

    @property
    def strongest(self) -> AttackResult:
        """The attack with the largest mean success."""
        return max(self.attacks, key=lambda result: float(result.success.value))

    def __getitem__(self, name: str) -> AttackResult:
        """The result of an attack by its name."""
        for result in self.attacks:
            if result.name == name:
                return result
        names = ", ".join(result.name for result in self.attacks)
        raise InvalidParameter(f"there is no attack {name!r} in this report; there are {names}")

    def __str__(self) -> str:
        return report_words(self)

    def to_dict(self) -> dict[str, Any]:
        """The report in plain JSON values, without the numbers of single records."""
        return {
            "verdict": self.verdict,
            "sentence": self.sentence,
            "promised_success": self.promised,
            "information": self.information.to_dict(),
            "information_upper": self.information_upper,
            "trials": self.trials,
            "confidence": self.confidence,
            "attacks": [result.to_dict() for result in self.attacks],
            "about": ABOUT,
        }

    def plot(self, axes: Any = None) -> Any:
        """Draw all curves on logarithmic axes under the curve that the promise allows; returns the axes."""
        from noisewright.release.attacks.drawing import plot_report  # noqa: PLC0415  (matplotlib is an extra)

        return plot_report(self, axes)
