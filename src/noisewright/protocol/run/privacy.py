"""What the collector of a run learns of one user, in a number and in words.

The averaged number of a guarantee speaks of one report seen alone, and a collector never sees one report
alone. After a beacon it knows the pairs and compares their reports; after a committee it does not, but sees
all reports. The number given that the partner colludes holds for both, and is all that holds where nothing
better is worked out.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from noisewright.design.joint_rows import finite
from noisewright.guarantees.words import factor
from noisewright.mechanisms.joint import JointRandomizedResponse
from noisewright.mechanisms.joint.collector import (
    FEWEST_USERS,
    collector_epsilon,
    is_worked_out,
    pair_epsilon,
)
from noisewright.mechanisms.joint.words import shown


@dataclass(frozen=True)
class RunPrivacy:
    """The privacy of a run whose collector knows that about ``share`` of the people have the second label.

    >>> from noisewright.domains import Categories
    >>> made = JointRandomizedResponse(Categories(["no", "yes"]), 1.0, users=200, correlation=-0.3)
    >>> print(RunPrivacy(made, "beacon", share=0.08).sentences()[0])
    Pairs are public: whoever sees both reports of a pair and knows that about 8 % of people are "yes" can
    raise their odds by at most a factor of 8.4 (ε = 2.122).
    """

    mechanism: JointRandomizedResponse
    method: str
    share: float

    @property
    def correlation(self) -> float:
        """The correlation of the flags of a pair, without the last digits of rounding."""
        return round(float(self.mechanism.coins.correlation), 15) + 0.0

    @property
    def public_pairs(self) -> bool:
        """Whether everybody can work out who was paired with whom."""
        return self.method == "beacon"

    @property
    def epsilon(self) -> float | None:
        """The ε of the collector, or None where only the number given that the partner colludes is known."""
        mechanism = self.mechanism
        if not self.correlation:
            return mechanism.collusion.epsilon_average  # reports say nothing of each other
        if len(mechanism.domain) > 2:
            return None
        if self.public_pairs:
            return pair_epsilon(mechanism.coins, self.share)
        if not is_worked_out(mechanism.users, len(mechanism.domain), mechanism.group):
            return None
        return collector_epsilon(mechanism.coins, mechanism.users, self.share)

    def sentences(self) -> list[str]:
        """What the collector gets, then both numbers of the mechanism."""
        return [self._collector(self.epsilon), *self.mechanism.explain()]

    def to_dict(self) -> dict[str, Any]:
        """All numbers in strict JSON values."""
        numbers = self.mechanism.guarantee.to_dict()
        coins = {"truth": float(self.mechanism.coins.truth), "correlation": self.correlation}
        found = None if self.epsilon is None else finite(self.epsilon)
        knows = {"pairs": self.public_pairs, "share": self.share}
        return {**numbers, **coins, "epsilon_collector": found, "collector_knows": knows}

    def _collector(self, epsilon: float | None) -> str:
        if not self.correlation:
            return "Nobody shares coins: all reports together say no more of a user than its own report."
        if epsilon is None:
            return self._unknown()
        if epsilon == math.inf:
            bound = "be certain of a value"
        else:
            bound = f"raise their odds by at most a factor of {factor(epsilon)}"
        known = f'knows that about {100 * self.share:.3g} % of people are "{self.mechanism.domain.labels[1]}"'
        if self.public_pairs:
            who = f"Pairs are public: whoever sees both reports of a pair and {known} can"
        else:
            who = f"Pairs are hidden: whoever sees all reports and {known} can, in 95 % of rounds,"
        return f"{who} {bound} (ε = {shown(epsilon)})."

    def _unknown(self) -> str:
        counts = "the number given that the partner colludes is the one that counts"
        if self.public_pairs:
            return f"Pairs are public, and two reports of a pair say more than one: {counts}."
        case = "more than two labels"
        if len(self.mechanism.domain) == 2:
            case = f"fewer than {FEWEST_USERS} users"
        return f"What all reports together tell the collector is not worked out for {case}: {counts}."
