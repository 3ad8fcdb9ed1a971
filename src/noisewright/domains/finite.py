"""Domains with finitely many values: labels that are equally far apart, or places with their distances."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from noisewright.domains.base import Cells, Domain, Floats
from noisewright.errors import InvalidParameter, OutOfDomain

MOST_LABELS = 1 << 20
"""Labels of the largest list: a lattice of categories is no finer than a lattice of numbers."""


@dataclass(frozen=True, repr=False)
class FiniteDomain(Domain):
    """A public list of labels; the list must never be taken from the private data.

    Attributes:
        labels: Distinct labels, at least two.
    """

    labels: tuple[Hashable, ...]
    label_word: ClassVar[str] = "label"
    """What a reader calls one of the labels."""

    def _check_labels(self, what: str) -> None:
        if not 2 <= len(self.labels) <= MOST_LABELS:
            raise InvalidParameter(
                f"need at least two labels and at most {MOST_LABELS:,}, got {len(self.labels):,}", field=what
            )
        if len(set(self.labels)) < len(self.labels):
            raise InvalidParameter("must be distinct", field=what)

    def __len__(self) -> int:
        return len(self.labels)

    @property
    def lattice(self) -> int:
        """Number of labels."""
        return len(self.labels)

    @property
    def count_words(self) -> str:
        """The number of labels for a reader.

        >>> Categories(["no", "yes"]).count_words
        '2 labels'
        """
        return f"{len(self):,} {self.label_word}s"

    @property
    def words(self) -> str:
        """The domain for a reader."""
        return self.count_words

    @property
    @abstractmethod
    def distances(self) -> Floats:
        """The distances between labels, as a matrix in the order of the list."""

    @cached_property
    def _places(self) -> dict[Hashable, int]:
        return {label: place for place, label in enumerate(self.labels)}

    def snap(self, values: Iterable[Hashable], *, name: str = "value") -> Cells:
        """Return the place of each label in the list, or refuse an unknown one by where it stands."""
        items = values.tolist() if isinstance(values, np.ndarray) else list(values)
        cells = [self._places.get(item, -1) for item in items]
        if not cells:
            raise OutOfDomain(f"{name} is empty; there is nothing to randomize")
        if -1 in cells:
            raise OutOfDomain(f"{name}[{cells.index(-1)}] is not one of the {len(self)} declared categories")
        return np.array(cells, dtype=np.int64)

    def as_labels(self) -> FiniteDomain:
        """Return the labels that reports are made of; for bins they are not the true values."""
        return self

    def centres(self, cells: ArrayLike) -> NDArray[Any]:
        """Return the label of each cell."""
        known = np.empty(len(self), dtype=object)
        known[:] = self.labels
        return np.asarray(known[np.asarray(cells, dtype=np.int64)])


@dataclass(frozen=True, repr=False)
class Categories(FiniteDomain):
    """A public list of labels; the list must never be taken from the private data.

    >>> Categories(["no", "yes"]).snap(["yes", "no", "yes"])
    array([1, 0, 1])
    """

    kind: ClassVar[str] = "categories"

    def __init__(self, labels: Iterable[Hashable]) -> None:
        object.__setattr__(self, "labels", tuple(labels))
        self._check_labels("categories")

    def __repr__(self) -> str:
        return f"Categories({list(self.labels)!r})"

    @property
    def distances(self) -> Floats:
        """1 between any two labels: all wrong answers are equally wrong."""
        return 1.0 - np.eye(len(self))

    def to_dict(self) -> dict[str, Any]:
        return {"kind": self.kind, "labels": list(self.labels)}

    @classmethod
    def _from_fields(cls, fields: Mapping[str, Any]) -> Self:
        return cls(fields["labels"])


MOST_POINTS = 512
"""Points of the largest space: its distances are checked triangle by triangle and kept in a file."""

SLACK = 1e-9
"""How far rounding may bend a triangle, as a share of the largest distance."""


@dataclass(frozen=True, repr=False)
class MetricSpace(FiniteDomain):
    """A public list of labels with distances, which must form a metric.

    Attributes:
        labels: Distinct labels, at least two.
        distances: The distances of each label to all, a square matrix.
        rows: The same as tuples.

    >>> stops = MetricSpace(["A", "B", "C"], [[0, 1, 3], [1, 0, 2], [3, 2, 0]])
    >>> float(stops.distances[0, 2]), stops.lattice
    (3.0, 3)
    """

    rows: tuple[tuple[float, ...], ...]
    kind: ClassVar[str] = "metric"

    def __init__(self, labels: Iterable[Hashable], distances: ArrayLike) -> None:
        object.__setattr__(self, "labels", tuple(labels))
        self._check_labels("the points of a metric space")
        object.__setattr__(self, "rows", tuple(map(tuple, _metric(distances, len(self.labels)).tolist())))

    def __repr__(self) -> str:
        return f"MetricSpace({list(self.labels)!r}, {[list(row) for row in self.rows]!r})"

    @property
    def distances(self) -> Floats:
        return np.array(self.rows)

    def to_dict(self) -> dict[str, Any]:
        return {"kind": self.kind, "labels": list(self.labels), "distances": [list(row) for row in self.rows]}

    @classmethod
    def _from_fields(cls, fields: Mapping[str, Any]) -> Self:
        return cls(fields["labels"], fields["distances"])


def _metric(distances: ArrayLike, size: int) -> Floats:
    """Return a matrix of distances as doubles, or say which law of a metric it breaks."""
    try:
        matrix = np.asarray(distances, dtype=np.float64)
    except (TypeError, ValueError):
        raise InvalidParameter("the distances of a metric space must be a square table of numbers") from None
    if size > MOST_POINTS:
        raise InvalidParameter(f"a metric space has at most {MOST_POINTS} points, got {size}")
    if matrix.shape != (size, size):
        raise InvalidParameter(
            f"the distances of {size} points must be a table of {size} × {size}, got shape {matrix.shape}"
        )
    if not np.isfinite(matrix).all() or (matrix < 0).any():
        raise InvalidParameter("must be finite numbers that are not negative", field="distances")
    if np.diag(matrix).any() or (matrix + np.eye(size) <= 0).any():
        raise InvalidParameter("a distance must be 0 from a point to itself, and above 0 between two points")
    if (matrix != matrix.T).any():
        raise InvalidParameter("must be the same in both directions", field="distances")
    for middle in range(size):
        detour = matrix[:, [middle]] + matrix[[middle], :]
        if (matrix > detour + SLACK * matrix.max()).any():
            raise InvalidParameter(
                f"the distances break the triangle inequality: a way through point {middle} is shorter "
                "than a distance; give a loss matrix instead if that is meant"
            )
    return matrix
