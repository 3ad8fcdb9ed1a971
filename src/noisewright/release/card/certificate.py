"""What a card tells of a release whose noise was calibrated on the best attack."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

from noisewright.errors import InvalidParameter
from noisewright.parameters import real, whole


@dataclass(frozen=True)
class Certificate:
    """How often the best attack on one record is right, at most, found by playing it ``trials`` times.

    No trials stand for a bound by theorem.
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
        """The certificate of a release, if it has one; which record is the most exposed is left out."""
        found = getattr(released, "certificate", None)
        return None if found is None else cls(found.rate_upper, found.confidence, found.trials)
