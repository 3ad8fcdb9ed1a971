"""The linear support vector machine of many samples at once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from noisewright.domains import Floats
from noisewright.errors import InvalidParameter
from noisewright.learn.bases.base import LinearBase
from noisewright.learn.bases.design import penalised_columns, sizes, split_intercept, with_intercept
from noisewright.learn.bases.interior import solve
from noisewright.parameters import real


@dataclass(frozen=True)
class SupportVector(LinearBase):
    """The soft-margin linear support vector machine, hinge loss, as in libsvm with a linear kernel.

    It minimises ½·|weights|² + cost·Σ max(0, 1 − sign·score), the intercept unpenalised. Where no client
    stands exactly on the margin many intercepts are optimal; one from the middle of them is taken.

    >>> import numpy as np
    >>> rule = SupportVector().fit([[-2.0], [-1.0], [1.0], [3.0]], [-1, -1, 1, 1], np.random.default_rng(0))
    >>> rule.scores(np.array([[-1.0], [0.5]])).round(6)
    array([-1. ,  0.5])
    """

    cost: float = 1.0

    def __post_init__(self) -> None:
        if real("cost", self.cost) <= 0:
            raise InvalidParameter(f"cost must be a number above 0, got {self.cost!r}; 1 is usual")

    def coefficients(self, units: Floats, signs: Floats) -> tuple[Floats, Floats]:
        size = sizes(np.sqrt((units**2).mean(axis=(1, 2))), units)
        signed = with_intercept(units / size[:, None, None], self.intercept) * signs[:, :, None]
        # Units of size one mean weights that are larger by that size; the ridge takes it out again.
        ridge = penalised_columns(units.shape[2], self.intercept) / (self.cost * size[:, None] ** 2)
        weights, intercepts = split_intercept(solve(signed, ridge), self.intercept)
        return weights / size[:, None], intercepts
