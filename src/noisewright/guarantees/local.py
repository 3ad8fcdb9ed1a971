"""Promises about one person's reports: pure, approximate, probabilistic, by distance, under collusion."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import ClassVar

from noisewright.errors import InvalidParameter, NoTheorem
from noisewright.guarantees.base import (
    COLLUDERS,
    COUNT,
    DELTA,
    EPSILON,
    EPSILON_OR_INFINITY,
    LENGTH,
    USERS,
    Guarantee,
    odds,
    round_up,
)
from noisewright.guarantees.information import PACPrivacy
from noisewright.text import delta_words, factor


@dataclass(frozen=True)
class PureLDP(Guarantee):
    """The strongest promise: no report, however unlucky, moves the odds between two values by more than e^ε.

    P[report | x] ≤ e^ε · P[report | x'] for all x, x' and every report. ε adds up (Zheng 2026, thm 11).

    Attributes:
        epsilon: ε, at least 0.

    >>> PureLDP(2.0).explain()
    'An observer of one report can raise their odds between any two values by at most a factor of 7.4.'
    """

    epsilon: float = field(metadata=EPSILON)
    notion: ClassVar[str] = "pure_ldp"

    def as_approximate(self) -> ApproximateLDP:
        """Return the same promise with δ = 0."""
        return ApproximateLDP(self.epsilon, 0.0)

    def as_probabilistic(self) -> ProbabilisticLDP:
        """Return the same promise with δ = 0."""
        return ProbabilisticLDP(self.epsilon, 0.0)

    def as_mutual_information(self, values: int | None = None) -> PACPrivacy:
        """Bound, under every prior, the nats a report carries about a value (one of ``values``, if given).

        I ≤ min(ln values, c − 1 − ln c) with c = ε / (1 − e^−ε). This is at most ε²/8 and below
        ε·tanh(ε/2) ≤ ε, and cannot be improved for large domains: subset selection attains it.

        >>> round(PureLDP(1.0).as_mutual_information().mutual_information, 4)
        0.1233
        """
        # Sharpens Zheng 2026, thm 19 (I ≤ min(ln|X|, ε)). For each report y, r = P[y|x]/P[y] has mean 1 under
        # the prior and lies in some [a, e^ε·a]; r·ln r is convex, so E[r·ln r] is at most its chord at 1, and
        # that is largest for a = 1/c. Hoeffding's lemma bounds it by ε²/8, used where floats would cancel.
        bound = math.nextafter(self.epsilon * self.epsilon / 8, math.inf) if self.epsilon else 0.0
        if self.epsilon >= 0.01:
            c = self.epsilon / -math.expm1(-self.epsilon)
            bound = c - 1 - math.log(c) + 8 * math.ulp(c)
        if values is not None:
            bound = min(bound, math.nextafter(math.log(COUNT["check"]("values", values)), math.inf))
        return PACPrivacy(bound)

    def _like(self, example: Guarantee) -> Guarantee | None:
        match example:
            case ApproximateLDP():
                return self.as_approximate()
            case ProbabilisticLDP():
                return self.as_probabilistic()
            case JointLDP():  # this report shares no coins, so a colluding partner adds nothing to it
                return replace(example, epsilon_average=self.epsilon, epsilon_colluding=self.epsilon)
        return super()._like(example)

    def _sentence(self, seen: str) -> str:
        return f"{odds(seen, self.epsilon)}."


@dataclass(frozen=True)
class EpsilonDelta(Guarantee):
    """A guarantee with an ε, and a probability δ with which it may fail.

    Attributes:
        epsilon: ε, at least 0.
        delta: δ, at least 0 and below 1.
    """

    epsilon: float = field(metadata=EPSILON)
    delta: float = field(metadata=DELTA)

    def _likelier(self, seen: str, under: str) -> str:
        claim = f"conclusions drawn from {seen} are at most a factor of {factor(self.epsilon)} {under}"
        rest = f", plus a probability of {delta_words(self.delta)} for which nothing is promised"
        return claim + (rest if self.delta else "")


@dataclass(frozen=True)
class ApproximateLDP(EpsilonDelta):
    """The usual (ε, δ) promise: as pure, up to an event of probability δ in which anything may happen.

    P[report in S | x] ≤ e^ε · P[report in S | x'] + δ for all x, x', S. Composes to (Σε, 1 − Π(1 − δ)).

    >>> ApproximateLDP(1.0, 0.1) + ApproximateLDP(1.0, 0.1)
    ApproximateLDP(epsilon=2.0, delta=0.19...)
    """

    notion: ClassVar[str] = "approximate_ldp"

    def _sentence(self, seen: str) -> str:
        return f"For any two values, {self._likelier(seen, 'likelier under one than under the other')}."


@dataclass(frozen=True)
class ProbabilisticLDP(EpsilonDelta):
    """The promise also called PAC-LDP: for any two values the loss stays below ε in a share 1 − δ of reports.

    P[ln(P[y | x] / P[y | x']) ≤ ε] ≥ 1 − δ for y drawn under x. Composes to (Σε, 1 − Π(1 − δ)): the theorem
    needs only fresh noise, because a later mechanism fails with probability at most δ after *every* history.
    Processing a report may break this notion; use :meth:`as_approximate` for what is derived from it.

    >>> ProbabilisticLDP(1.0, 0.01).as_approximate()
    ApproximateLDP(epsilon=1.0, delta=0.01)
    """

    notion: ClassVar[str] = "probabilistic_ldp"

    def as_approximate(self) -> ApproximateLDP:
        """Return the weaker notion: P(S) ≤ P(S, loss ≤ ε) + P(loss > ε) ≤ e^ε·Q(S) + δ."""
        return ApproximateLDP(self.epsilon, self.delta)

    def _like(self, example: Guarantee) -> Guarantee | None:
        return self.as_approximate() if isinstance(example, ApproximateLDP) else super()._like(example)

    def _sentence(self, seen: str) -> str:
        share = delta_words(self.delta)
        rest = f", but for each pair they may move further, to certainty, in {share} of reports"
        return f"{odds(seen, self.epsilon)}{rest if self.delta else ''}."


@dataclass(frozen=True)
class MetricLDP(Guarantee):
    """Privacy that fades with distance (geo-indistinguishability): ε for every ``unit`` two values lie apart.

    ln(P[y | x] / P[y | x']) ≤ ε · distance(x, x') / unit (Andrés et al. 2013). ε adds up for equal units.

    Attributes:
        epsilon: ε for values that are one unit apart.
        unit: The distance to which ε belongs.

    >>> MetricLDP(1.0, unit=100.0).as_pure(diameter=250.0)
    PureLDP(epsilon=2.5)
    """

    epsilon: float = field(metadata=EPSILON)
    unit: float = field(default=1.0, metadata=LENGTH)
    notion: ClassVar[str] = "metric_ldp"

    def as_pure(self, diameter: float) -> PureLDP:
        """Return what holds for all pairs of values in a domain of the given ``diameter``."""
        widest = Fraction(LENGTH["check"]("diameter", diameter))
        return PureLDP(round_up(Fraction(self.epsilon) * widest / Fraction(self.unit)))

    def _sentence(self, seen: str) -> str:
        pairs = f"any two values that lie {self.unit:,.15g} apart"
        return f"{odds(seen, self.epsilon, pairs)}, by less for closer and by more for more distant values."


@dataclass(frozen=True)
class JointLDP(Guarantee):
    """Users who share correlated coins: what one report reveals alone, and beside its partner's.

    Both numbers add up over rounds with fresh coins and a *fresh grouping*; the average does not otherwise.

    Attributes:
        epsilon_average: ε averaged over the random partner (Zheng 2026, thm 3, mended). It is about *one
            report seen alone*. A collector who sees all reports, and has an idea of the true shares, learns
            more than that although nobody colludes.
        epsilon_colluding: ε whatever else is known, including the partner's value and coin; may be infinite.
        colluders: Number of users who reveal their coins.
        users: Number of users.

    >>> JointLDP(1.0, math.inf, colluders=10, users=1000) + PureLDP(0.5)
    JointLDP(epsilon_average=1.5, epsilon_colluding=inf, colluders=10, users=1000)
    """

    epsilon_average: float = field(metadata=EPSILON)
    epsilon_colluding: float = field(metadata=EPSILON_OR_INFINITY)
    colluders: int = field(metadata=COLLUDERS)
    users: int = field(metadata=USERS)
    notion: ClassVar[str] = "joint_ldp"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.colluders >= self.users:
            raise InvalidParameter(
                f"must be fewer than users ({self.users}), got {self.colluders}", field="colluders"
            )

    def as_pure(self) -> PureLDP:
        """Return what holds even if the partner colludes; refused if that is unbounded."""
        if self.epsilon_colluding == math.inf:
            raise NoTheorem("a colluding partner can learn the value with certainty, so no pure ε holds")
        return PureLDP(max(self.epsilon_average, self.epsilon_colluding))

    def _sentence(self, seen: str) -> str:
        alone = (
            f"on average over who the partner is, if no other report is seen and at most {self.colluders:,}"
        )
        more = "but whoever knows the partner's coin, or its report and its true value, can"
        most = "learn the value with certainty"
        if self.epsilon_colluding < math.inf:
            most = f"raise them by a factor of {factor(self.epsilon_colluding)}"
        return f"{odds(seen, self.epsilon_average)} {alone} of {self.users:,} users collude; {more} {most}."
