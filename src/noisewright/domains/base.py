"""What every domain is: a set of values that describes itself."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from noisewright.errors import InvalidParameter
from noisewright.parameters import shown

Cells = NDArray[np.int64]
Floats = NDArray[np.float64]


class Domain(ABC):
    """A set of values together with its public lattice of cells."""

    kinds: ClassVar[dict[str, type[Domain]]] = {}
    kind: ClassVar[str]

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if "kind" in cls.__dict__:
            Domain.kinds[cls.kind] = cls

    @abstractmethod
    def to_dict(self) -> dict[str, Any]:
        """Describe the domain in plain JSON values."""

    @classmethod
    @abstractmethod
    def _from_fields(cls, fields: Mapping[str, Any]) -> Self: ...

    @staticmethod
    def from_dict(description: Mapping[str, Any]) -> Domain:
        """Rebuild a domain from :meth:`to_dict`.

        >>> from noisewright import Interval
        >>> Domain.from_dict(Interval(0, 1).to_dict())
        Interval(0.0, 1.0)
        """
        if not isinstance(description, Mapping):
            raise InvalidParameter("a domain is described by a mapping with the key 'kind'")
        fields = dict(description)
        kind = fields.pop("kind", None)
        if not isinstance(kind, str) or kind not in Domain.kinds:
            raise InvalidParameter(
                f"unknown kind of domain {shown(kind)}; known: {', '.join(sorted(Domain.kinds))}"
            )
        try:
            return Domain.kinds[kind]._from_fields(fields)
        except (TypeError, KeyError, AttributeError) as broken:
            raise InvalidParameter(f"the description of a {kind} domain is broken: {broken}") from broken
        except RecursionError:
            raise InvalidParameter("the description of a domain holds others without end") from None
