"""The best mechanism for a small public set of points: of all laws, the one that errs least on average."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from noisewright.domains import Categories, Floats, MetricSpace
from noisewright.errors import InvalidParameter
from noisewright.mechanisms import DesignedTable
from noisewright.mechanisms.designed import IntegerRows
from noisewright.parameters import real
from noisewright.randomness import Stream
from noisewright.trajectory.mechanisms.location import LocationMechanism
from noisewright.trajectory.routes import PointSet

MOST_POINTS = 256
"""Most points of a set: the search has as many unknowns as there are pairs."""


@dataclass(frozen=True)
class OptimalPoints(LocationMechanism):
    """Report one of a few public points, by the ε-LDP law with the least average distance over them.

    A location is first rounded to its nearest public point. The law is found by linear programming and proved
    on the integers that are sampled (:func:`noisewright.design.optimal_law`).

    Args:
        space: Where locations lie. It is public and must not come from the data.
        epsilon: The budget of one location, above 0 and at most 32.
        points: The public points, 2 to 256, all different.
        weights: The expected share of each point, from public knowledge; even by default.
        table: The outputs and integers of the law, from a description: they are proved, but not searched
            again. Searched by default.

    >>> from noisewright.trajectory import Rectangle
    >>> stops = ((0.1, 0.1), (0.2, 0.1), (0.8, 0.9), (0.5, 0.5))
    >>> mechanism = OptimalPoints(Rectangle(0, 0, 1, 1), 2.0, points=stops)
    >>> mechanism.perturb([(0.12, 0.1)])[0].tolist() in [list(stop) for stop in stops]
    True
    """

    points: tuple[tuple[float, float], ...] = ()
    weights: tuple[float, ...] | None = None
    table: tuple[tuple[int, ...], IntegerRows] | None = field(default=None, repr=False)
    """The integers of the law, from a description: they are proved, but not searched again."""
    title: ClassVar[str] = "The best law for a few public points"

    def _prepare(self) -> None:
        public = self.space.two_columns(self.points, "points")
        if not 2 <= len(public) <= MOST_POINTS:
            raise InvalidParameter(f"the best law takes 2 to {MOST_POINTS} public points, got {len(public)}")
        if len(np.unique(public, axis=0)) < len(public):
            raise InvalidParameter("a public point appears twice; name every point once")
        self.space.admit(public, "points")
        object.__setattr__(self, "points", tuple((float(x), float(y)) for x, y in public))
        if self.weights is not None:
            object.__setattr__(self, "weights", tuple(real("a weight", weight) for weight in self.weights))
        if self.table is None:
            object.__setattr__(self, "table", self._search())
        _ = self.law  # proves it

    def _search(self) -> tuple[tuple[int, ...], IntegerRows]:
        from noisewright.design import optimal_law  # noqa: PLC0415  (it loads a solver)

        public = np.array(self.points)
        gaps = self.space.distance(public[:, None], public[None, :])
        gaps = np.maximum(gaps, gaps.T) * (1 - np.eye(len(public)))
        domain = MetricSpace(range(len(public)), gaps)
        law = optimal_law(domain, self.epsilon, "absolute", "average", prior=self.weights)
        assert isinstance(law, DesignedTable)
        return law.outputs, law.weights

    @cached_property
    def law(self) -> DesignedTable:
        """The mechanism between the numbers of the points."""
        assert self.table is not None
        return DesignedTable(Categories(range(len(self.points))), self.epsilon, *self.table)

    @property
    def epsilon_upper(self) -> float:
        return self.law.epsilon_upper

    @cached_property
    def _places(self) -> PointSet:
        return PointSet(self.space, self.points)

    def draw(self, references: Floats, points: Floats, stream: Stream) -> Floats:
        cells = self._places.nearest(points)
        return np.array(self.points)[self.law._draw_cells(cells, stream)]

    def expected_error(self, points: ArrayLike | None = None) -> float:
        """Return the expected distance of a report from its location: anywhere, or at one of ``points``."""
        truth = self.space.spread(1 << 12) if points is None else self.space.admit(points, "points")
        law = np.asarray(self.law.law(self.law.domain.labels).probabilities)[self._places.nearest(truth)]
        away = self.space.distance(truth[:, None], np.array(self.points)[None, :])
        return float((law * away).sum(axis=1).mean())

    @classmethod
    def _from_parts(cls, parts: dict[str, Any]) -> OptimalPoints:
        points = tuple(tuple(point) for point in parts.get("points", ()))
        weights, (outputs, rows) = parts.get("weights"), parts["table"]
        table = tuple(outputs), tuple(map(tuple, rows))
        settled = {"points": points, "weights": None if weights is None else tuple(weights), "table": table}
        return super()._from_parts({**parts, **settled})
