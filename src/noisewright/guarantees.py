"""What a report costs, as a value that composes, converts where a theorem allows, and explains itself.

    >>> PureLDP(0.5) + ApproximateLDP(1.0, 1e-6)
    ApproximateLDP(epsilon=1.5, delta=1e-06)

Composition is about *fresh* noise: given the true value and all earlier reports, each mechanism tosses its
coins anew. Without that no notion composes, not even with a union bound: x + noise and x + 2·noise are
harmless one by one and reveal x together. Choosing the next mechanism after seeing earlier reports is
allowed unless a class says otherwise. Every computed number is rounded outward.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, fields, replace
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from numbers import Integral, Real
from typing import Any, ClassVar, Final, Self

from noisewright.errors import InvalidParameter, NoTheorem

INFINITY: Final = "infinity"
"""How an unbounded ε is written in JSON, which has no number for it."""


def _round_up(exact: Fraction) -> float:
    with suppress(OverflowError):
        nearest = exact.numerator / exact.denominator
        return nearest if nearest >= exact else math.nextafter(nearest, math.inf)
    return math.inf


def _total(_: str, costs: Sequence[float]) -> float:
    return math.inf if math.inf in costs else _round_up(sum(map(Fraction, costs), Fraction(0)))


def _any_of(name: str, deltas: Sequence[float]) -> float:
    """1 − Π(1 − δ), rounded up; one δ alone is kept as it is."""
    # Kairouz, Oh & Viswanath 2015, heterogeneous case without slack; never worse than Σδ, adaptive.
    # Probabilistic notion: Zheng & Hu 2025, thm 2, here for unequal parts and adaptive choice.
    lossy = [delta for delta in deltas if delta > 0]
    if len(lossy) < 2:
        return sum(lossy)
    either = -math.expm1(math.fsum(math.log1p(-delta) for delta in lossy)) * (1 + 2**-50)
    if either >= 1:
        raise NoTheorem("the composed delta reaches 1, which promises nothing; use fewer reports")
    return min(either, _total(name, lossy))


def _same(name: str, values: Sequence[Any]) -> Any:
    if len(set(values)) > 1:
        raise NoTheorem(f"these guarantees compose only for the same {name}, got {sorted(set(values))}")
    return values[0]


def _same_set(name: str, values: Sequence[Any]) -> Any:
    if any(isinstance(value, int) for value in values):
        raise NoTheorem("relative guarantees compose for one set of databases; label it, a count is no name")
    return _same(name, values)


def _never(_: str, __: Sequence[Any]) -> Any:
    raise NoTheorem(
        "distributional guarantees do not compose: both releases lean on the same randomness of the data and "
        "the first may use it up; analyse the releases as one"
    )


def _rule(
    kind: type[Any], wanted: str, admits: Callable[[Any], bool], combine: Callable[[str, Sequence[Any]], Any]
) -> dict[str, Any]:
    """Metadata of a field: its range, once, for the check and the refusal; and how values of it compose."""

    def check(name: str, value: Any) -> Any:
        with suppress(OverflowError):
            if isinstance(value, kind) and not isinstance(value, bool):
                plain = float(value) if kind is Real else int(value) if kind is Integral else value
                if admits(plain):
                    return plain
        raise InvalidParameter(f"{name} must be {wanted}, got {value!r}")

    return {"check": check, "combine": combine}


_EPSILON = _rule(Real, "a finite number of at least 0", lambda x: 0 <= x < math.inf, _total)
_EPSILON_OR_INFINITY = _rule(Real, "a number of at least 0, or infinity", lambda x: x >= 0, _total)
_DELTA = _rule(Real, "a number of at least 0 and below 1", lambda x: 0 <= x < 1, _any_of)
_PRIOR = _rule(Real, "a probability strictly between 0 and 1", lambda x: 0 < x < 1, _same)
_LENGTH = _rule(Real, "a finite number above 0", lambda x: 0 < x < math.inf, _same)
_COUNT = _rule(Integral, "a whole number of at least 1", lambda x: x >= 1, _same)
_USERS = _rule(Integral, "a whole number of at least 2", lambda x: x >= 2, _same)
_COLLUDERS = _rule(Integral, "a whole number of at least 0", lambda x: x >= 0, _same)
_LABEL = _rule(str, "a text that says what is meant", lambda x: x.strip(), _same)
_ASSUMPTION = _LABEL | {"combine": _never}
_DATABASES = {
    "check": lambda name, value: (_LABEL if isinstance(value, str) else _COUNT)["check"](name, value),
    "combine": _same_set,
}


@dataclass(frozen=True)
class Guarantee(ABC):
    """What all privacy notions share: composition, a sentence for a lay reader, and a JSON form."""

    notions: ClassVar[dict[str, type[Guarantee]]] = {}
    notion: ClassVar[str]
    seen: ClassVar[str] = "one report"

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if "notion" in cls.__dict__:
            Guarantee.notions[cls.notion] = cls

    def __post_init__(self) -> None:
        for each in fields(self):
            object.__setattr__(self, each.name, each.metadata["check"](each.name, getattr(self, each.name)))

    def compose(self, *others: Guarantee) -> Guarantee:
        """What all the reports together cost, in the strongest notion that a theorem gives.

        >>> PureLDP(1.0).compose(PureLDP(1.0), ProbabilisticLDP(0.5, 0.01))
        ProbabilisticLDP(epsilon=2.5, delta=0.01)
        """
        parts = (self, *others)
        if not all(isinstance(part, Guarantee) for part in others):
            raise InvalidParameter("a guarantee composes only with other guarantees")
        if not others:
            return self
        kinds = {type(part): part for part in parts}
        for example in kinds.values():
            alike = [part._like(example) for part in parts]
            if None not in alike:
                return example._combine(alike)
        names = " and ".join(kind.__name__ for kind in kinds)
        raise NoTheorem(f"no theorem composes {names}; convert them to one notion first if you can")

    def __add__(self, other: Guarantee) -> Guarantee:
        return self.compose(other) if isinstance(other, Guarantee) else NotImplemented

    def explain(self, seen: str | None = None) -> str:
        """One plain sentence for a lay reader; ``seen`` names what the observer holds.

        >>> PureLDP(0.0).explain("both reports")
        'An observer of both reports can raise their odds between any two values by at most a factor of 1.'
        """
        return self._sentence(self.seen if seen is None else seen)

    def to_dict(self) -> dict[str, Any]:
        """Describe the guarantee in strict JSON values.

        >>> PureLDP(2.0).to_dict()
        {'notion': 'pure_ldp', 'epsilon': 2.0}
        """
        values = {each.name: getattr(self, each.name) for each in fields(self)}
        return {"notion": self.notion} | {k: INFINITY if v == math.inf else v for k, v in values.items()}

    @staticmethod
    def from_dict(description: Mapping[str, Any]) -> Guarantee:
        """Rebuild a guarantee from :meth:`to_dict`, or refuse with what is wrong.

        >>> Guarantee.from_dict({"notion": "approximate_ldp", "epsilon": 1, "delta": 1e-6})
        ApproximateLDP(epsilon=1.0, delta=1e-06)
        """
        if not isinstance(description, Mapping) or not isinstance(description.get("notion"), str):
            raise InvalidParameter("a guarantee is described by a mapping whose key 'notion' names its class")
        given = {str(key): value for key, value in description.items()}
        notion = given.pop("notion")
        if notion not in Guarantee.notions:
            raise InvalidParameter(f"unknown notion {notion!r}; known: {', '.join(Guarantee.notions)}")
        expected = [each.name for each in fields(Guarantee.notions[notion])]
        if set(given) != set(expected):
            raise InvalidParameter(f"{notion} has exactly the fields {expected}, got {list(given)}")
        if given.get("epsilon_colluding") == INFINITY:
            given["epsilon_colluding"] = math.inf
        return Guarantee.notions[notion](**given)

    def _like(self, example: Guarantee) -> Guarantee | None:
        """What this guarantee implies in the notion of another one, if a theorem says so."""
        return self if type(example) is type(self) else None

    def _combine(self, parts: Sequence[Guarantee | None]) -> Self:
        rules = [(each.name, each.metadata["combine"]) for each in fields(self)]
        return replace(self, **{n: combine(n, [getattr(p, n) for p in parts]) for n, combine in rules})

    @abstractmethod
    def _sentence(self, seen: str) -> str: ...


@dataclass(frozen=True)
class PureLDP(Guarantee):
    """The strongest promise: no report, however unlucky, moves the odds between two values by more than e^ε.

    P[report | x] ≤ e^ε · P[report | x'] for all x, x' and every report. ε adds up (Zheng 2026, thm 11).

    >>> PureLDP(2.0).explain()
    'An observer of one report can raise their odds between any two values by at most a factor of 7.4.'
    """

    epsilon: float = field(metadata=_EPSILON)
    notion: ClassVar[str] = "pure_ldp"

    def as_approximate(self) -> ApproximateLDP:
        """The same promise with δ = 0."""
        return ApproximateLDP(self.epsilon, 0.0)

    def as_probabilistic(self) -> ProbabilisticLDP:
        """The same promise with δ = 0."""
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
            bound = min(bound, math.nextafter(math.log(_COUNT["check"]("values", values)), math.inf))
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
        return f"{_odds(seen, self.epsilon)}."


@dataclass(frozen=True)
class _EpsilonDelta(Guarantee):
    epsilon: float = field(metadata=_EPSILON)
    delta: float = field(metadata=_DELTA)

    def _likelier(self, seen: str, under: str) -> str:
        claim = f"conclusions drawn from {seen} are at most a factor of {_factor(self.epsilon)} {under}"
        rest = f", plus a probability of {_share(self.delta)} for which nothing is promised"
        return claim + (rest if self.delta else "")


@dataclass(frozen=True)
class ApproximateLDP(_EpsilonDelta):
    """The usual (ε, δ) promise: as pure, up to an event of probability δ in which anything may happen.

    P[report in S | x] ≤ e^ε · P[report in S | x'] + δ for all x, x', S. Composes to (Σε, 1 − Π(1 − δ)).

    >>> ApproximateLDP(1.0, 0.1) + ApproximateLDP(1.0, 0.1)
    ApproximateLDP(epsilon=2.0, delta=0.19...)
    """

    notion: ClassVar[str] = "approximate_ldp"

    def _sentence(self, seen: str) -> str:
        return f"For any two values, {self._likelier(seen, 'likelier under one than under the other')}."


@dataclass(frozen=True)
class ProbabilisticLDP(_EpsilonDelta):
    """The promise also called PAC-LDP: for any two values the loss stays below ε in a share 1 − δ of reports.

    P[ln(P[y | x] / P[y | x']) ≤ ε] ≥ 1 − δ for y drawn under x. Composes to (Σε, 1 − Π(1 − δ)): the theorem
    needs only fresh noise, because a later mechanism fails with probability at most δ after *every* history.
    Processing a report may break this notion; use :meth:`as_approximate` for what is derived from it.

    >>> ProbabilisticLDP(1.0, 0.01).as_approximate()
    ApproximateLDP(epsilon=1.0, delta=0.01)
    """

    notion: ClassVar[str] = "probabilistic_ldp"

    def as_approximate(self) -> ApproximateLDP:
        """The weaker notion with the same numbers: P(S) ≤ P(S, loss ≤ ε) + P(loss > ε) ≤ e^ε·Q(S) + δ."""
        return ApproximateLDP(self.epsilon, self.delta)

    def _like(self, example: Guarantee) -> Guarantee | None:
        return self.as_approximate() if isinstance(example, ApproximateLDP) else super()._like(example)

    def _sentence(self, seen: str) -> str:
        rest = f", but for each pair they may move further, to certainty, in {_share(self.delta)} of reports"
        return f"{_odds(seen, self.epsilon)}{rest if self.delta else ''}."


@dataclass(frozen=True)
class MetricLDP(Guarantee):
    """Privacy that fades with distance (geo-indistinguishability): ε for every ``unit`` two values lie apart.

    ln(P[y | x] / P[y | x']) ≤ ε · distance(x, x') / unit (Andrés et al. 2013). ε adds up for equal units.

    >>> MetricLDP(1.0, unit=100.0).as_pure(diameter=250.0)
    PureLDP(epsilon=2.5)
    """

    epsilon: float = field(metadata=_EPSILON)
    unit: float = field(default=1.0, metadata=_LENGTH)
    notion: ClassVar[str] = "metric_ldp"

    def as_pure(self, diameter: float) -> PureLDP:
        """What holds for all pairs of values in a domain where none lie further apart than ``diameter``."""
        widest = Fraction(_LENGTH["check"]("diameter", diameter))
        return PureLDP(_round_up(Fraction(self.epsilon) * widest / Fraction(self.unit)))

    def _sentence(self, seen: str) -> str:
        pairs = f"any two values that lie {self.unit:,.15g} apart"
        return f"{_odds(seen, self.epsilon, pairs)}, by less for closer and by more for more distant values."


@dataclass(frozen=True)
class JointLDP(Guarantee):
    """Two users who share correlated coins: what an outsider sees, and what a partner who colludes sees.

    ``epsilon_average`` averages over the random partner when ``colluders`` of the other users collude
    (Zheng 2026, thm 3); ``epsilon_colluding`` holds given that the partner is one of them, and may be
    infinite. Both add up over rounds with fresh coins and a *fresh grouping*; the average does not otherwise.

    >>> JointLDP(1.0, math.inf, colluders=10, users=1000) + PureLDP(0.5)
    JointLDP(epsilon_average=1.5, epsilon_colluding=inf, colluders=10, users=1000)
    """

    epsilon_average: float = field(metadata=_EPSILON)
    epsilon_colluding: float = field(metadata=_EPSILON_OR_INFINITY)
    colluders: int = field(metadata=_COLLUDERS)
    users: int = field(metadata=_USERS)
    notion: ClassVar[str] = "joint_ldp"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.colluders >= self.users:
            raise InvalidParameter(f"colluders must be fewer than users ({self.users}), got {self.colluders}")

    def as_pure(self) -> PureLDP:
        """What holds even if the partner colludes; refused when that is unbounded."""
        if self.epsilon_colluding == math.inf:
            raise NoTheorem("a colluding partner can learn the value with certainty, so no pure ε holds")
        return PureLDP(max(self.epsilon_average, self.epsilon_colluding))

    def _sentence(self, seen: str) -> str:
        colluding = "a colluding partner can learn the value with certainty"
        if self.epsilon_colluding < math.inf:
            colluding = f"by at most {_factor(self.epsilon_colluding)} given that the partner colludes"
        average = f"on average if {self.colluders:,} of {self.users:,} users collude"
        return f"{_odds(seen, self.epsilon_average)} {average}, but {colluding}."


@dataclass(frozen=True)
class RelativeDP(_EpsilonDelta):
    """Differential privacy checked only for a set of databases, each against itself minus one record.

    ``databases`` is the set's label, or just how many it holds. Releases from the *same labelled* set compose
    (Lu et al. 2024, prop 4, with the sharper δ); separate databases stand :meth:`beside` each other.

    >>> RelativeDP(1.0, 1e-5, "trial 7") + RelativeDP(1.0, 0.0, "trial 7")
    RelativeDP(epsilon=2.0, delta=1e-05, databases='trial 7')
    """

    databases: int | str = field(metadata=_DATABASES)
    notion: ClassVar[str] = "relative_dp"
    seen: ClassVar[str] = "one release"

    def beside(self, *others: RelativeDP) -> RelativeDP:
        """Releases from separate databases, one each: the largest ε and δ hold for all.

        >>> RelativeDP(1.0, 1e-5, "trial 7").beside(RelativeDP(2.0, 0.0, "trial 8"))
        RelativeDP(epsilon=2.0, delta=1e-05, databases='trial 7 × trial 8')
        """
        parts = (self, *others)
        counts = [p.databases for p in parts if isinstance(p.databases, int)]
        labels = [p.databases for p in parts if isinstance(p.databases, str)]
        if counts and labels:
            raise NoTheorem("give every set of databases a label, or every one a count")
        databases: int | str = " × ".join(labels) if labels else math.prod(counts, start=1)
        # Lu et al. 2024, prop 3
        return RelativeDP(max(p.epsilon for p in parts), max(p.delta for p in parts), databases)

    def _sentence(self, seen: str) -> str:
        which = f"{self.databases:,} checked" if isinstance(self.databases, int) else f"“{self.databases}”"
        claim = self._likelier(seen, "likelier or rarer with any one record than without it")
        return f"For the {which} databases, {claim}; nothing is promised for any other database."


@dataclass(frozen=True)
class DistributionalDP(_EpsilonDelta):
    """Privacy that leans on the randomness of the data itself; worth as much as the assumption about it.

    P[M(D) in S | D_i = x] ≤ e^ε · P[M(D) in S | D_i = x'] + δ for D drawn as ``distribution`` says. It does
    **not** compose: the total, and the total without the first row, are each blurred by the other rows, and
    together give the first row away.

    >>> DistributionalDP(0.5, 0.0, "fair coins").explain().partition(",")[0]
    'Only under the assumption “fair coins”'
    """

    distribution: str = field(metadata=_ASSUMPTION)
    notion: ClassVar[str] = "distributional_dp"
    seen: ClassVar[str] = "one release"

    def _sentence(self, seen: str) -> str:
        claim = self._likelier(seen, "likelier under one value of a record than under any other")
        return (
            f"Only under the assumption “{self.distribution}”, {claim}; if it is false nothing is promised."
        )


@dataclass(frozen=True)
class PACPrivacy(Guarantee):
    """A bound on the nats that a release carries about a secret drawn from a known distribution.

    I(secret; release) ≤ ``mutual_information``. Releases about the *same* secret add up if all mechanisms
    were fixed beforehand: I(X; Y, Z) = I(X; Y) + I(X; Z | Y) ≤ I(X; Y) + I(X; Z) for Y, Z independent given
    X. A mechanism chosen after a release meets another distribution of X, and the sum may fail.

    >>> PACPrivacy(0.25) + PACPrivacy(0.5)
    PACPrivacy(mutual_information=0.75)
    """

    mutual_information: float = field(metadata=_EPSILON)
    notion: ClassVar[str] = "pac_privacy"
    seen: ClassVar[str] = "one release"

    def success_upper(self, prior: float) -> float:
        """How often an observer can be right whose best guess before the release is right with ``prior``.

        The largest p with p·ln(p/prior) + (1−p)·ln((1−p)/(1−prior)) ≤ mutual information.

        >>> round(PACPrivacy(1 / 64).success_upper(prior=0.5), 4)
        0.5882
        """
        prior = _PRIOR["check"]("prior", prior)
        # Sridhar et al. 2024, eq. 3; the slack covers rounding, outward
        allowed = self.mutual_information + 2e-15 * (1 + self.mutual_information)
        low, high = prior, 1.0 if self.mutual_information else prior
        while low < (p := (low + high) / 2) < high:
            gain = p * (math.log(p) - math.log(prior)) + (1 - p) * math.log((1 - p) / (1 - prior))
            low, high = (p, high) if gain <= allowed else (low, p)
        return high

    def _sentence(self, seen: str) -> str:
        most = f"{_ceiling(100 * self.success_upper(0.5), 3).normalize():f} %"
        return (
            f"Averaged over how the secret was drawn, an observer of {seen} whose best guess was right "
            f"half the time is then right at most {most} of the time; no worst case is promised anything."
        )


def _ceiling(number: float, digits: int = 2) -> Decimal:
    """A few digits, rounded up; a hair is taken off first so that e^(ln 3) reads 3 and not 3.1."""
    return Context(prec=digits, rounding=ROUND_CEILING).create_decimal(number * (1 - 1e-12))


def _factor(epsilon: float) -> str:
    """e^ε for a reader: two digits, or two digits of what exceeds 1, rounded up."""
    if epsilon > 34:
        return f"10^{math.ceil(epsilon / math.log(10))}"
    excess = math.expm1(epsilon)
    shown = _ceiling(1 + excess) if excess >= 1 else 1 + _ceiling(excess and max(excess, 1e-6))
    return f"{shown.normalize():,f}"


def _share(delta: float) -> str:
    """A probability for a reader, never understated."""
    if delta >= 0.01:
        return f"up to {_ceiling(100 * delta).normalize():f} %"
    most = Context(prec=2, rounding=ROUND_FLOOR).create_decimal((1 + 1e-12) / max(delta, 1e-15))
    return f"up to 1 in {most.normalize():,f}"


def _odds(seen: str, epsilon: float, pairs: str = "any two values") -> str:
    factor = f"by at most a factor of {_factor(epsilon)}"
    return f"An observer of {seen} can raise their odds between {pairs} {factor}"
