"""What all privacy notions share: ranges of their fields, composition, a plain sentence, and a JSON form."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from numbers import Integral, Real
from typing import Any, ClassVar, Final, Self

from noisewright.errors import InvalidParameter, NoTheorem
from noisewright.parameters import shown
from noisewright.text import epsilon_words, factor


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
        """Return the cost of all the reports together, in the strongest notion that a theorem gives.

        >>> from noisewright.guarantees import ProbabilisticLDP, PureLDP
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

    def __radd__(self, other: object) -> Guarantee:
        """Let ``sum`` begin with its 0."""
        return self if other == 0 else NotImplemented

    def explain(self, seen: str | None = None) -> str:
        """Explain the guarantee to a lay reader in one sentence; ``seen`` names what the observer holds.

        A guarantee does not know what it was composed of, so the caller says it.

        >>> from noisewright.guarantees import PureLDP
        >>> PureLDP(0.0).explain("both reports")
        'An observer of both reports can raise their odds between any two values by at most a factor of 1.'
        """
        return self._sentence(self.seen if seen is None else seen)

    def to_dict(self) -> dict[str, Any]:
        """Describe the guarantee in strict JSON values.

        >>> from noisewright.guarantees import PureLDP
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
            raise InvalidParameter(f"unknown notion {shown(notion)}; known: {', '.join(Guarantee.notions)}")
        expected = [each.name for each in fields(Guarantee.notions[notion])]
        if set(given) != set(expected):
            raise InvalidParameter(f"{notion} has exactly the fields {expected}, got {list(given)}")
        if given.get("epsilon_colluding") == INFINITY:
            given["epsilon_colluding"] = math.inf
        return Guarantee.notions[notion](**given)

    def _like(self, example: Guarantee) -> Guarantee | None:
        """Return what this guarantee implies in the notion of another one, if a theorem says so."""
        return self if type(example) is type(self) else None

    def _combine(self, parts: Sequence[Guarantee | None]) -> Self:
        rules = [(each.name, each.metadata["combine"]) for each in fields(self)]
        return replace(self, **{n: combine(n, [getattr(p, n) for p in parts]) for n, combine in rules})

    def numbers(self) -> str:
        """Write the numbers of the guarantee in one line, every ε and δ rounded up.

        >>> from noisewright.guarantees import ApproximateLDP
        >>> ApproximateLDP(0.09999999999999999, 1e-6).numbers()
        'epsilon 0.1, delta 1e-6'
        """
        named = {name: value for name, value in self.to_dict().items() if name != "notion"}
        return ", ".join(f"{name} {_shown(name, value)}" for name, value in named.items())

    def rank(self) -> str:
        """Name the notion of privacy in a few words, with its rank against pure LDP.

        >>> from noisewright.guarantees import ApproximateLDP, PureLDP
        >>> PureLDP(1.0).rank(), ApproximateLDP(1.0, 1e-5).rank()
        ('pure ε-LDP', '(ε, δ)-LDP, a weaker promise')
        """
        names = {
            "pure_ldp": "pure ε-LDP",
            "approximate_ldp": "(ε, δ)-LDP, a weaker promise",
            "probabilistic_ldp": "probabilistic LDP, a weaker promise",
        }
        return names.get(self.notion, f"another notion: {self.notion.replace('_', ' ')}")

    @abstractmethod
    def _sentence(self, seen: str) -> str: ...


def _shown(name: str, value: Any) -> str:
    promised = name.startswith(("epsilon", "delta")) and isinstance(value, float)
    return epsilon_words(value) if promised else str(value)


def odds(seen: str, epsilon: float, pairs: str = "any two values") -> str:
    """Return the beginning of a sentence that bounds an observer's odds."""
    bound = f"by at most a factor of {factor(epsilon)}"
    return f"An observer of {seen} can raise their odds between {pairs} {bound}"


# -- fields: the range of each, and how its values compose -------------------------------------------------

INFINITY: Final = "infinity"
"""How an unbounded ε is written in JSON, which has no number for it."""


def round_up(exact: Fraction) -> float:
    """Return the smallest float that is not below an exact number."""
    with suppress(OverflowError):
        nearest = exact.numerator / exact.denominator
        return nearest if nearest >= exact else math.nextafter(nearest, math.inf)
    return math.inf


def round_down(exact: Fraction) -> float:
    """Return the largest float that is not above an exact number.

    >>> round_down(Fraction(1, 3)) < Fraction(1, 3)
    True
    """
    nearest = float(exact)
    return nearest if nearest <= exact else math.nextafter(nearest, -math.inf)


def total(_: str, costs: Sequence[float]) -> float:
    """Return the sum, rounded up."""
    return math.inf if math.inf in costs else round_up(sum(map(Fraction, costs), Fraction(0)))


def any_of(name: str, deltas: Sequence[float]) -> float:
    """Return 1 − Π(1 − δ), rounded up; a single δ stays as it is."""
    # Kairouz, Oh & Viswanath 2015, heterogeneous case without slack; never worse than Σδ, adaptive.
    # Probabilistic notion: Zheng & Hu 2025, thm 2, here for unequal parts and adaptive choice.
    lossy = [delta for delta in deltas if delta > 0]
    if len(lossy) < 2:
        return sum(lossy)
    either = -math.expm1(math.fsum(math.log1p(-delta) for delta in lossy)) * (1 + 2**-50)
    if either >= 1:
        raise NoTheorem("the composed delta reaches 1, which promises nothing; use fewer reports")
    return min(either, total(name, lossy))


def same(name: str, values: Sequence[Any]) -> Any:
    """Return the common value, or refuse values that differ."""
    if len(set(values)) > 1:
        raise NoTheorem(f"these guarantees compose only for the same {name}, got {sorted(set(values))}")
    return values[0]


def same_set(name: str, values: Sequence[Any]) -> Any:
    """Return the common label; a count does not say which set is meant and is refused."""
    if any(isinstance(value, int) for value in values):
        raise NoTheorem(
            "relative guarantees compose for one set of databases; label it, a count does not name it"
        )
    return same(name, values)


def never(_: str, __: Sequence[Any]) -> Any:
    """Refuse to compose: the notion of this field does not."""
    raise NoTheorem(
        "distributional guarantees do not compose: both releases rely on the same randomness of the data, "
        "which the first may use up; analyse the releases as one"
    )


def rule(
    kind: type[Any], wanted: str, admits: Callable[[Any], bool], combine: Callable[[str, Sequence[Any]], Any]
) -> dict[str, Any]:
    """Return the metadata of a field: its range, for check and refusal, and how its values compose."""

    def check(name: str, value: Any) -> Any:
        with suppress(OverflowError):
            if isinstance(value, kind) and not isinstance(value, bool):
                plain = float(value) if kind is Real else int(value) if kind is Integral else value
                if admits(plain):
                    return plain
        raise InvalidParameter(f"must be {wanted}, got {value!r}", field=name)

    return {"check": check, "combine": combine}


EPSILON = rule(Real, "a finite number of at least 0", lambda x: 0 <= x < math.inf, total)
EPSILON_OR_INFINITY = rule(Real, "a number of at least 0, or infinity", lambda x: x >= 0, total)
DELTA = rule(Real, "a number of at least 0 and below 1", lambda x: 0 <= x < 1, any_of)
PRIOR = rule(Real, "a probability strictly between 0 and 1", lambda x: 0 < x < 1, same)
LENGTH = rule(Real, "a finite number above 0", lambda x: 0 < x < math.inf, same)
COUNT = rule(Integral, "a whole number of at least 1", lambda x: x >= 1, same)
USERS = rule(Integral, "a whole number of at least 2", lambda x: x >= 2, same)
COLLUDERS = rule(Integral, "a whole number of at least 0", lambda x: x >= 0, same)
LABEL = rule(str, "a text that says what is meant", lambda x: x.strip(), same)
ASSUMPTION = LABEL | {"combine": never}
DATABASES = {
    "check": lambda name, value: (LABEL if isinstance(value, str) else COUNT)["check"](name, value),
    "combine": same_set,
}
