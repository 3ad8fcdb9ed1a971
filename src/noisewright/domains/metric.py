"""A finite set of places with the distances between them: wards of a town, stops of a line, grades."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from noisewright.domains.base import Floats
from noisewright.domains.finite import FiniteDomain
from noisewright.errors import InvalidParameter

MOST_POINTS = 512
"""Points of the largest space: its distances are checked triangle by triangle and kept in a file."""

SLACK = 1e-9
"""Of the largest distance: how far rounding may bend a triangle."""


@dataclass(frozen=True, repr=False)
class MetricSpace(FiniteDomain):
    """A public list of labels with the distance of any two; refused unless it is a metric.

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
    """A matrix of distances as doubles, or a refusal that says which law of a metric it breaks."""
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
        raise InvalidParameter("distances must be finite numbers that are not negative")
    if np.diag(matrix).any() or (matrix + np.eye(size) <= 0).any():
        raise InvalidParameter("a distance must be 0 from a point to itself, and above 0 between two points")
    if (matrix != matrix.T).any():
        raise InvalidParameter("distances must be the same in both directions")
    for middle in range(size):
        detour = matrix[:, [middle]] + matrix[[middle], :]
        if (matrix > detour + SLACK * matrix.max()).any():
            raise InvalidParameter(
                f"the distances break the triangle inequality: a way through point {middle} is shorter "
                "than a distance; give a loss matrix instead if that is meant"
            )
    return matrix
