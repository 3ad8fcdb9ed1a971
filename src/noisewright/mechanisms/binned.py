"""k-ary randomized response for numbers: the part of the domain that holds the value, or any other alike.

It is the plainest way to randomize a number with a mechanism for labels: cut the domain into equal parts
and call each part a label. The report forgets which parts are neighbours, so it pays off only with few
parts or a large budget.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from noisewright.domains import Circle, Floats, Interval, NumericDomain
from noisewright.mechanisms.tabular import GridMechanism


@dataclass(frozen=True)
class BinnedKRR(GridMechanism):
    """k-RR over the equal parts of a domain; reports are the centres of parts.

    With k parts, the value's own part is reported with probability e^ε/(k − 1 + e^ε), and each other part
    with probability 1/(k − 1 + e^ε) (Kairouz et al. 2014).

    >>> law = BinnedKRR(Interval(0, 1), epsilon=2.0, points=100).law(0.5)
    >>> round(law.mass(0.5, 0.51), 4)       # e²/(99 + e²), the part that begins at 0.5
    0.0695
    >>> round(law.mass(0.2, 0.8), 4)        # 60 of the 100 parts, the value's own among them
    0.624
    """

    usual_points: ClassVar[int] = 100  # more parts cost this mechanism more than rounding does
    title: ClassVar[str] = "k-RR on equal parts (k-RR)"
    summary: ClassVar[str] = "the part that holds the value, or any other part alike; blind to distances"
    domains: ClassVar[tuple[type[NumericDomain], ...]] = (Interval, Circle)

    def ideal(self, budget: float) -> Floats:
        """One row a part: e^(−budget) for every other part against 1 for the row's own, normalized."""
        other = math.exp(-budget)
        law = np.full((self.points, self.points), other)
        np.fill_diagonal(law, 1.0)
        return np.asarray(law / (1.0 + (self.points - 1) * other))
