"""What all privacy notions share: composition, a sentence for a lay reader, and a JSON form."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, ClassVar, Self

from noisewright.errors import InvalidParameter, NoTheorem
from noisewright.guarantees.rules import INFINITY
from noisewright.parameters import shown


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
        """One plain sentence for a lay reader; ``seen`` names what the observer holds.

        A guarantee is a value and does not know what it was composed of, so say it here.

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
        """What this guarantee implies in the notion of another one, if a theorem says so."""
        return self if type(example) is type(self) else None

    def _combine(self, parts: Sequence[Guarantee | None]) -> Self:
        rules = [(each.name, each.metadata["combine"]) for each in fields(self)]
        return replace(self, **{n: combine(n, [getattr(p, n) for p in parts]) for n, combine in rules})

    @abstractmethod
    def _sentence(self, seen: str) -> str: ...
