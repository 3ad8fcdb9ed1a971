"""PAC privacy: a bound on what a release reveals about a random secret."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import ClassVar

from noisewright.guarantees.base import EPSILON, PRIOR, Guarantee
from noisewright.text import ceiling


@dataclass(frozen=True)
class PACPrivacy(Guarantee):
    """A bound on the nats that a release carries about a secret drawn from a known distribution.

    I(secret; release) ≤ ``mutual_information``. Releases about the *same* secret add up if all mechanisms
    were fixed beforehand: I(X; Y, Z) = I(X; Y) + I(X; Z | Y) ≤ I(X; Y) + I(X; Z) for Y, Z independent given
    X. A mechanism chosen after a release meets another distribution of X, and the sum may fail.

    Attributes:
        mutual_information: The bound in nats, at least 0.

    >>> PACPrivacy(0.25) + PACPrivacy(0.5)
    PACPrivacy(mutual_information=0.75)
    """

    mutual_information: float = field(metadata=EPSILON)
    notion: ClassVar[str] = "pac_privacy"
    seen: ClassVar[str] = "one release"

    def success_upper(self, prior: float) -> float:
        """Bound how often an observer is right whose best guess was right with probability ``prior``.

        This is the largest p with p·ln(p/prior) + (1−p)·ln((1−p)/(1−prior)) ≤ mutual information.

        >>> round(PACPrivacy(1 / 64).success_upper(prior=0.5), 4)
        0.5882
        """
        prior = PRIOR["check"]("prior", prior)
        # Sridhar et al. 2024, eq. 3; the slack covers rounding, outward
        allowed = self.mutual_information + 2e-15 * (1 + self.mutual_information)
        low, high = prior, 1.0 if self.mutual_information else prior
        while low < (p := (low + high) / 2) < high:
            gain = p * (math.log(p) - math.log(prior)) + (1 - p) * math.log((1 - p) / (1 - prior))
            low, high = (p, high) if gain <= allowed else (low, p)
        return high

    def _sentence(self, seen: str) -> str:
        most = f"{ceiling(100 * self.success_upper(0.5), 3).normalize():f} %"
        return (
            f"Averaged over how the secret was drawn, an observer of {seen} whose best guess was right "
            f"half the time is then right at most {most} of the time; no worst case is promised anything."
        )
