"""Statistics of every column: means, and quantiles such as medians and quartiles."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from scipy.optimize import isotonic_regression

from noisewright.domains import Floats
from noisewright.errors import InvalidParameter
from noisewright.release.algorithms.base import (
    Algorithm,
    Facts,
    Labels,
    Limit,
    check_widths,
    read_limit,
    read_limits,
    set_fields,
)


@dataclass(frozen=True, eq=False)
class Statistic:
    """A released statistic: noised numbers and their names.

    Attributes:
        value: The numbers.
        names: A name for each, in the order of ``value.ravel()``.

    >>> import numpy as np
    >>> Statistic(np.array([36.6, 81.0]), names=("temperature", "pulse")).to_dict()
    {'value': [36.6, 81.0], 'names': ['temperature', 'pulse']}
    """

    value: Floats
    names: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return the statistic as plain JSON."""
        return {"value": self.value.tolist(), "names": list(self.names)}


@dataclass(frozen=True)
class Mean(Algorithm):
    """The mean of every column; the vector is the means.

    >>> rows = np.array([[1.0, 10.0], [3.0, 30.0]])
    >>> mean = Mean(); facts = mean.facts(rows, None, names=["weight", "age"])
    >>> mean.model(mean.fit(rows, None, seed=0, facts=facts), facts).to_dict()
    {'value': [2.0, 20.0], 'names': ['weight', 'age']}
    """

    title: ClassVar[str] = "the mean of every column"

    def fit(self, rows: Floats, labels: Labels | None, seed: int, facts: Facts) -> Floats:
        return np.asarray(rows.mean(axis=0))

    def model(self, vector: Floats, facts: Facts) -> Statistic:
        """Return the means under the names of their columns."""
        return Statistic(vector.copy(), facts.columns())

    def coordinates(self, facts: Facts) -> tuple[str, ...]:
        return tuple(f"mean of {name}" for name in facts.columns())

    def confidence(self, vectors: Floats, rows: Floats, labels: Labels | None, facts: Facts) -> Floats | None:
        """Return minus the distance of each row to each mean."""
        return np.array([-np.linalg.norm(rows - vector, axis=1) for vector in vectors])

    def utility(self, vectors: Floats, rows: Floats, labels: Labels | None, facts: Facts) -> Floats | None:
        """Return minus the distance to the mean of the rows."""
        return -np.asarray(np.linalg.norm(vectors - rows.mean(axis=0), axis=1))


@dataclass(frozen=True)
class Quantiles(Algorithm):
    """Quantiles of every column at some levels; the vector has column after column.

    After the noise the quantiles of a column are made to rise with the level by isotonic regression, and
    clipped to the public range.

    Args:
        levels: Levels of the quantiles, from 0 to 1, ascending; one number stands for one level.
        low: Public lower limit, a number or one for each column; None for none.
        high: Public upper limit, a number or one for each column; None for none.

    >>> rows = np.array([[1.0], [2.0], [3.0], [4.0], [5.0]])
    >>> quantiles = Quantiles([0.25, 0.5], low=0); facts = quantiles.facts(rows, None, names=["age"])
    >>> quantiles.fit(rows, None, seed=0, facts=facts).tolist()
    [2.0, 3.0]
    >>> quantiles.model(np.array([3.5, 2.5]), facts).to_dict()
    {'value': [[3.0, 3.0]], 'names': ['0.25 quantile of age', '0.5 quantile of age']}
    """

    levels: tuple[float, ...]
    low: Limit | None = None
    high: Limit | None = None

    title: ClassVar[str] = "quantiles of every column"

    def __post_init__(self) -> None:
        low, high = self.low, self.high
        if low is not None and high is not None:
            low, high = read_limits(low, high)
        elif low is not None:
            low = read_limit("low", low)
        elif high is not None:
            high = read_limit("high", high)
        set_fields(self, levels=_read_levels(self.levels), low=low, high=high)

    def facts(self, rows: Floats, labels: Labels | None, names: Sequence[str] | None = None) -> Facts:
        check_widths(rows.shape[1], low=self.low, high=self.high)
        return super().facts(rows, None, names)

    def fit(self, rows: Floats, labels: Labels | None, seed: int, facts: Facts) -> Floats:
        return np.asarray(np.quantile(rows, self.levels, axis=0).T.ravel())

    def model(self, vector: Floats, facts: Facts) -> Statistic:
        """Return quantiles that rise with the level, (columns, levels)."""
        return Statistic(self._rising(vector[None], facts)[0], self.coordinates(facts))

    def coordinates(self, facts: Facts) -> tuple[str, ...]:
        return tuple(f"{level:g} quantile of {name}" for name in facts.columns() for level in self.levels)

    def utility(self, vectors: Floats, rows: Floats, labels: Labels | None, facts: Facts) -> Floats | None:
        """Return minus the mean absolute distance to the quantiles of the rows."""
        gaps = self._rising(vectors, facts) - np.quantile(rows, self.levels, axis=0).T
        return np.asarray(-np.abs(gaps).mean(axis=(1, 2)))

    def _rising(self, vectors: Floats, facts: Facts) -> Floats:
        """Return quantiles in order and in range, (vectors, columns, levels)."""
        columns = vectors.reshape(-1, len(self.levels))
        rising = np.array([isotonic_regression(column).x for column in columns])
        low, high = (  # in a shape that broadcasts with (columns, levels)
            None if limit is None else np.atleast_1d(limit)[:, None] for limit in (self.low, self.high)
        )
        return np.asarray(np.clip(rising.reshape(len(vectors), facts.features, -1), low, high))


def _read_levels(levels: Any) -> tuple[float, ...]:
    read = read_limit("levels", levels)
    read = (read,) if isinstance(read, float) else read
    if not 0 <= read[0] <= read[-1] <= 1 or not np.all(np.diff(read) > 0):
        raise InvalidParameter("must lie between 0 and 1, each above the one before", field="levels")
    return read
