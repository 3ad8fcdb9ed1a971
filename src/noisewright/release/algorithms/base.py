"""What can be released: an algorithm turns rows into a vector, and a noised vector back into a model.

The two steps stand apart because all the noise goes between them. Whatever leaves (intercepts, means, the
labels of leaves, scalers) is an entry of the vector; whatever happens after the noise is free.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from numpy.typing import NDArray

from noisewright.domains import Floats

Labels = NDArray[Any]


@dataclass(frozen=True, eq=False)
class Facts:
    """What is taken as public about a pool of records: its shape, its classes, a reference to align with.

    All of it is a function of the pool and never of the half that was used, so it tells nothing about the
    secret. It does tell about the pool: ``reference`` is exact and must not be published.
    """

    records: int
    features: int
    classes: tuple[Any, ...] | None = None
    reference: Floats | None = field(default=None, repr=False)
    names: tuple[str, ...] | None = None

    def columns(self) -> tuple[str, ...]:
        """The names of the features, made up if there are none.

        >>> Facts(records=10, features=2).columns()
        ('x0', 'x1')
        """
        return self.names or tuple(f"x{place}" for place in range(self.features))


class Algorithm(ABC):
    """Rows → vector → model. Subclasses are frozen dataclasses of public parameters.

    :meth:`fit` must be a function of its arguments: all its chance comes from ``seed``.
    """

    title: ClassVar[str]
    needs_labels: ClassVar[bool] = False

    def facts(self, rows: Floats, labels: Labels | None, names: Sequence[str] | None = None) -> Facts:
        """What is public about the pool. Labels are not, unless a subclass lists them as its classes."""
        return Facts(
            records=rows.shape[0],
            features=rows.shape[1],
            names=None if names is None else tuple(names),
        )

    @abstractmethod
    def fit(self, rows: Floats, labels: Labels | None, seed: int, facts: Facts) -> Floats:
        """The vector of one world, in canonical form; of the same length in every world."""

    @abstractmethod
    def model(self, vector: Floats, facts: Facts) -> Any:
        """The model that a (noised) vector describes, after free post-processing."""

    @abstractmethod
    def coordinates(self, facts: Facts) -> tuple[str, ...]:
        """A name for each entry of the vector."""

    def confidence(self, vectors: Floats, rows: Floats, labels: Labels | None, facts: Facts) -> Floats | None:
        """How much each row looks like a member to each vector, (vectors, rows); None without a score."""
        return None

    def utility(self, vectors: Floats, rows: Floats, labels: Labels | None, facts: Facts) -> Floats | None:
        """How good the model of each vector is on some rows, higher is better; None without a measure."""
        return None
