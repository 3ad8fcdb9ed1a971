"""A mechanism without noise whose privacy comes from the data alone: counting uniform bits."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import bdtr

from noisewright.audit.coordinates import read_epsilons
from noisewright.domains import Floats
from noisewright.parameters import whole


def ddp_histogram(rows: int, epsilons: ArrayLike) -> Floats:
    """How well the exact histogram of ``rows`` fair independent bits tells one of them from its opposite.

    The other bits make the count Binomial(rows − 1, ½) under one value and one more under the other, so
    δ(ε) = F(k) − e^ε·F(k − 1) with k the last count whose ratio (rows − k)/k is above e^ε; δ(0) is the
    largest binomial mass, about √(2/(π·rows)). Directions agree because the law is its own mirror image.

    >>> ddp_histogram(3, [0.0, 1.0]).tolist()
    [0.5, 0.25]
    >>> bool(abs(ddp_histogram(10_000, 0.0) - (2 / np.pi / 10_000) ** 0.5) < 1e-6)
    True
    """
    grid, count = read_epsilons(epsilons), whole("rows", rows, 1, 1 << 24)
    last = np.ceil(count / (1 + np.exp(grid))) - 1
    below = np.where(last >= 1, bdtr(np.maximum(last - 1, 0.0), count - 1, 0.5), 0.0)
    return np.asarray(np.maximum(bdtr(last, count - 1, 0.5) - np.exp(grid) * below, 0.0))
