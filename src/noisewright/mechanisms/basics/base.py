"""The base class of mechanisms: channels with a domain, reports, a guarantee, a sampler and a law."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, ClassVar

import numpy as np

from noisewright.domains import Cells, Domain
from noisewright.errors import InvalidParameter
from noisewright.guarantees import Guarantee, PureLDP
from noisewright.parameters import EPSILON, shown
from noisewright.randomness import BLOCK, SecureSource, Source, Stream

MOST_CELLS = 1 << 22
"""Cells of the finest lattice: all products of a cell and a random position fit into one 64-bit word."""


@dataclass(frozen=True)
class Mechanism(ABC):
    """A channel: for every true value a probability law over reports.

    The fields of a mechanism are public and may be logged, stored and pickled; only the arguments of
    :meth:`perturb` are secret. Building a mechanism calibrates its integers and proves its guarantee.

    Attributes:
        domain: Where the true values live; its lattice has 2 to 2²² cells.
        epsilon: The budget of one report, above 0 and at most 32.
    """

    domain: Any
    epsilon: float
    registry: ClassVar[dict[str, type[Mechanism]]] = {}
    title: ClassVar[str]
    summary: ClassVar[str]
    domains: ClassVar[tuple[type[Any], ...]]
    designed: ClassVar[bool] = False
    """Whether it takes a design (a width, a table) besides its domain and ε; see ``noisewright.design``."""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if "title" in cls.__dict__:
            Mechanism.registry[cls.__name__] = cls

    def __post_init__(self) -> None:
        if not isinstance(self.domain, self.domains):
            raise InvalidParameter(self.misfit(self.domain))
        if not 2 <= self.domain.lattice <= MOST_CELLS:
            name, cells = type(self).__name__, self.domain.lattice
            raise InvalidParameter(f"{name} needs a lattice of 2 to {MOST_CELLS:,} cells, got {cells:,}")
        object.__setattr__(self, "epsilon", EPSILON.check(self.epsilon))
        self._prepare()
        object.__setattr__(self, "_spent", self._prove())

    @classmethod
    def misfit(cls, domain: object) -> str:
        """Return the sentence that refuses a domain of the wrong kind."""
        kinds = " or ".join(kind.__name__ for kind in cls.domains)
        return f"{cls.__name__} needs a domain of kind {kinds}, got {domain!r}"

    def _prepare(self) -> None:  # noqa: B027  (most mechanisms have nothing more to check)
        """Check the further fields of a mechanism."""

    # -- the promise -------------------------------------------------------------------------------

    @property
    def guarantee(self) -> Guarantee:
        """What one report costs."""
        return PureLDP(self.epsilon)

    @property
    def epsilon_upper(self) -> float:
        """The ε that the sampler's integers spend, rounded up: never above ``epsilon``."""
        return float(self.__dict__["_spent"])

    @abstractmethod
    def _prove(self) -> float:
        """Check the guarantee on the sampler's own integers; return the ε they spend, or raise."""

    @property
    @abstractmethod
    def reports(self) -> Any:
        """Where reports live."""

    @abstractmethod
    def word_counts(self, cell: int) -> tuple[list[int], int]:
        """Return, for one input cell, the random outcomes that lead to each report cell, and all outcomes.

        This is the exact law, for small lattices; a proof by exhaustion needs nothing else.
        """

    # -- drawing and law: numeric.py and finite.py say how values become cells ------------------------

    @abstractmethod
    def perturb(
        self,
        values: Any,
        source: Source | None = None,
        *,
        out_of_domain: str = "refuse",
        name: str = "value",
    ) -> Any:
        """Draw one report for each true value.

        Args:
            values: True values: a number or an array of numbers, or a list of labels.
            source: Randomness; by default a :class:`~noisewright.randomness.SecureSource`.
            out_of_domain: "refuse" values outside the domain, or "clip" numbers into it.
            name: What the values are called in a refusal.
        """

    def perturb_cells(self, cells: Cells, source: Source | None = None) -> Cells:
        """Draw report cells for input cells: :meth:`perturb` without the real values around it."""
        flat = self._checked_cells(cells)
        stream, reports = open_stream(source), np.empty(flat.size, dtype=np.int64)
        for at in range(0, flat.size, BLOCK):  # each block into its place: copies cost more than draws
            reports[at : at + BLOCK] = self._draw_cells(flat[at : at + BLOCK], stream)
        return reports.reshape(np.shape(cells))

    def _checked_cells(self, cells: Cells) -> Cells:
        """Return input cells in one row, or refuse numbers that are not cells."""
        if np.asarray(cells).dtype.kind not in "iu":
            raise InvalidParameter("input cells must be whole numbers")
        flat = np.asarray(cells, dtype=np.int64).reshape(-1)
        if flat.size == 0 or flat.min() < 0 or flat.max() >= self.domain.lattice:
            raise InvalidParameter(
                f"input cells must be numbers from 0 to {self.domain.lattice - 1}, at least one"
            )
        return flat

    @abstractmethod
    def _draw_cells(self, cells: Cells, stream: Stream) -> Cells:
        """Draw report cells for at most one block of input cells."""

    @abstractmethod
    def law(self, values: Any) -> Any:
        """Return the exact law of the reports for given true values."""

    @abstractmethod
    def worst_error(self, loss: Any = "absolute") -> float:
        """Return the largest expected loss over all true values."""

    @abstractmethod
    def average_error(self, loss: Any = "absolute") -> float:
        """Return the expected loss of a true value that is uniform over the domain."""

    @property
    def possible_reports(self) -> int:
        """Number of different reports.

        >>> from noisewright import Interval
        >>> from noisewright.mechanisms import OGPM
        >>> OGPM(Interval(0, 1, cells=1024), 1.0).possible_reports
        1024
        """
        return int(self.reports.lattice)

    # -- description -------------------------------------------------------------------------------

    def to_dict(self) -> dict[str, Any]:
        """Describe the mechanism in plain JSON values, as an analyst of its reports needs it."""
        parts = {field.name: getattr(self, field.name) for field in fields(self)}
        parts["domain"] = self.domain.to_dict()
        return {"mechanism": type(self).__name__, **parts}

    @staticmethod
    def from_dict(description: Mapping[str, Any]) -> Mechanism:
        """Rebuild a mechanism from :meth:`to_dict`, proving its guarantee again.

        >>> from noisewright import Interval
        >>> from noisewright.mechanisms import OGPM
        >>> Mechanism.from_dict(OGPM(Interval(0, 1), epsilon=1.0).to_dict())
        OGPM(domain=Interval(0.0, 1.0), epsilon=1.0)
        """
        if not isinstance(description, Mapping):
            raise InvalidParameter("a mechanism is described by a mapping with the key 'mechanism'")
        parts = dict(description)
        name = parts.pop("mechanism", None)
        if not isinstance(name, str) or name not in Mechanism.registry:
            raise InvalidParameter(
                f"unknown mechanism {shown(name)}; known: {', '.join(sorted(Mechanism.registry))}"
            )
        try:
            return Mechanism.registry[name](**{**parts, "domain": Domain.from_dict(parts.get("domain", {}))})
        except TypeError as broken:
            raise InvalidParameter(f"the description of a {name} mechanism is broken: {broken}") from broken

    def __getstate__(self) -> dict[str, Any]:
        """Pickle the public fields only; tables are rebuilt and proved again on arrival."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        for name, value in state.items():
            object.__setattr__(self, name, value)
        self.__post_init__()


def open_stream(source: Source | None) -> Stream:
    """Open a stream of a source; default: a :class:`~noisewright.randomness.SecureSource`."""
    if source is not None and not isinstance(source, Source):
        raise InvalidParameter(
            f"must be a SecureSource or a SeededSource, not {type(source).__name__}", field="source"
        )
    return (source or SecureSource()).stream()
