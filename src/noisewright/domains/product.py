"""Records of several named parts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Final, Self

from noisewright.domains.base import Domain
from noisewright.errors import InvalidParameter

DEEPEST: Final = 16
"""The deepest nesting of products."""


@dataclass(frozen=True, repr=False)
class Product(Domain):
    """Records of several named parts, each with its own domain.

    Attributes:
        parts: The domain of each part, given as keyword arguments.

    >>> from noisewright import Circle, Interval
    >>> Product(heart_rate=Interval(40, 200), wake_time=Circle(24))
    Product(heart_rate=Interval(40.0, 200.0), wake_time=Circle(24.0))
    """

    parts: Mapping[str, Domain]
    kind: ClassVar[str] = "product"

    def __init__(self, /, **parts: Domain) -> None:
        object.__setattr__(self, "parts", dict(parts))
        if not self.parts:
            raise InvalidParameter("a product needs at least one part")
        for name, part in self.parts.items():
            if not isinstance(part, Domain):
                raise InvalidParameter(
                    f"part {name!r} of a product must be a domain, not {type(part).__name__}"
                )
        if self.depth > DEEPEST:
            raise InvalidParameter(f"products stand more than {DEEPEST} deep in one another; flatten them")

    @property
    def depth(self) -> int:
        """The depth of nesting, this product included."""
        return 1 + max(part.depth if isinstance(part, Product) else 0 for part in self.parts.values())

    def __repr__(self) -> str:
        return f"Product({', '.join(f'{name}={part!r}' for name, part in self.parts.items())})"

    def __hash__(self) -> int:
        return hash(frozenset(self.parts.items()))

    def __len__(self) -> int:
        return len(self.parts)

    def to_dict(self) -> dict[str, Any]:
        return {"kind": self.kind, "parts": {name: part.to_dict() for name, part in self.parts.items()}}

    @classmethod
    def _from_fields(cls, fields: Mapping[str, Any]) -> Self:
        return cls(**{name: Domain.from_dict(part) for name, part in fields["parts"].items()})
