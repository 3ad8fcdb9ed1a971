"""The result of a run: its counts, its privacy and its cost.

The collector estimates how many users have each label, with an interval. It also learns something about
single users, which :class:`RunPrivacy` states in numbers and in words. The averaged number of a guarantee is
about one report seen alone, and a collector never sees one alone. After a beacon it knows the pairs and
compares their reports; after a committee it does not, but sees all reports. The number given that the partner
colludes holds for both, and is the only one that holds where nothing better is computed.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from noisewright.design.joint_rows import finite
from noisewright.estimate import Tally, frequencies
from noisewright.estimate.result import LEVEL
from noisewright.joint.coins.coin import SECURITY_MODEL
from noisewright.joint.run.board import MODELS
from noisewright.joint.run.config import RunConfig
from noisewright.mechanisms.joint import JointRandomizedResponse
from noisewright.mechanisms.joint.collector import (
    FEWEST_USERS,
    collector_epsilon,
    is_worked_out,
    pair_epsilon,
)
from noisewright.mechanisms.joint.words import shown
from noisewright.report import Report, Reportable
from noisewright.text import factor


@dataclass(frozen=True)
class LabelCount:
    """The estimated number of users with a label; it is unbiased, so a rare label's may be negative."""

    label: str
    reported: int
    value: float
    stderr: float
    low: float
    high: float
    symmetric: bool
    """Whether value ± standard error says the same as the interval."""

    def to_dict(self) -> dict[str, Any]:
        """Return the count in plain JSON values."""
        return asdict(self)


def count_labels(
    mechanism: JointRandomizedResponse, reports: Sequence[Any], level: float = LEVEL
) -> list[LabelCount]:
    """Estimate the number of users with each label.

    The interval is about these very users: it covers the noise, not the luck of drawing them from a larger
    population. Estimating ``about="reporters"`` from the written reports gives the same.
    """
    supports = mechanism.supports(reports)
    tally = Tally.of_supports(supports, len(reports), mechanism)
    found = frequencies(tally, level=level, about="reporters").counts()
    numbers = (found.value, found.stderr, found.low, found.high, found.symmetric)
    return [
        LabelCount(str(label), reported, *row)
        for label, reported, *row in zip(
            mechanism.domain.labels, supports.tolist(), *(each.tolist() for each in numbers), strict=True
        )
    ]


def as_drawn(mechanism: JointRandomizedResponse, reports: int, alone: int) -> JointRandomizedResponse:
    """Return the mechanism as it was run, if ``alone`` users share their coins with nobody who reported.

    This is the worst case: each of them was in a different pair, in which nothing cancels.

    >>> from noisewright.domains import Categories
    >>> planned = JointRandomizedResponse(Categories(["no", "yes"]), 1.0, users=200, correlation=-0.3)
    >>> as_drawn(planned, reports=200, alone=25).together
    0.75
    """
    return replace(mechanism, together=max(0.0, 1 - alone / (reports / 2)))


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
        """The ε against the collector, or None where only the number given a colluding partner is known."""
        mechanism = self.mechanism
        if not self.correlation:
            return mechanism.collusion.epsilon_average  # reports reveal nothing about each other
        if len(mechanism.domain) > 2:
            return None
        if self.public_pairs:
            return pair_epsilon(mechanism.coins, self.share)
        if not is_worked_out(mechanism.users, len(mechanism.domain), mechanism.group):
            return None
        return collector_epsilon(mechanism.coins, mechanism.users, self.share)

    def sentences(self) -> list[str]:
        """Return what the collector learns, then both numbers of the mechanism."""
        return [self._collector(self.epsilon), *self.mechanism.explain()]

    def to_dict(self) -> dict[str, Any]:
        """Return all numbers in strict JSON values."""
        numbers = self.mechanism.guarantee.to_dict()
        coins = {"truth": float(self.mechanism.coins.truth), "correlation": self.correlation}
        found = None if self.epsilon is None else finite(self.epsilon)
        knows = {"pairs": self.public_pairs, "share": self.share}
        return {**numbers, **coins, "epsilon_collector": found, "collector_knows": knows}

    def _collector(self, epsilon: float | None) -> str:
        if not self.correlation:
            return "Nobody shares coins: all reports together reveal no more of a user than its own report."
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
            return f"Pairs are public, and two reports of a pair reveal more than one: {counts}."
        case = "more than two labels"
        if len(self.mechanism.domain) == 2:
            case = f"fewer than {FEWEST_USERS} users"
        return f"What all reports together reveal to the collector is not worked out for {case}: {counts}."


@dataclass(frozen=True)
class RunResult(Reportable):
    """The outcome of a run.

    Attributes:
        config: What was asked for.
        mechanism: The mechanism as it came about.
        reason: Reason for the plan, if there was one.
        reports: One report of each user who reported.
        counts: How many users have each label.
        reasons: Why users reported alone, and how many for each reason.
        grouping_seconds: Seconds that the grouping took.
        coin_seconds: Seconds that drawing the coins took.
    """

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
        """How the users were grouped, "beacon" or "committee"."""
        return self.config.method

    @property
    def simulated(self) -> bool:
        """Whether the people were simulated."""
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
        """The privacy against a collector who knows the expected share, or else a share that may be true.

        The latter is the end of the estimated interval farther from one half: it gives most away.
        """
        share = self.config.expected_share
        if share is None:
            ends = (self.counts[1].low / len(self.reports), self.counts[1].high / len(self.reports))
            share = min(max(max(ends, key=lambda end: abs(end - 0.5)), 0.0), 1.0)
        return RunPrivacy(self.mechanism, self.method, share)

    def to_dict(self) -> dict[str, Any]:
        """Return the result in plain JSON values, without the reports."""
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

    def report(self) -> Report:
        """Describe the run as a document."""
        from noisewright.joint.run.report import run_report  # noqa: PLC0415  (it needs this module)

        return run_report(self)
