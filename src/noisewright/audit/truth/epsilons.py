"""The values of ε at which a spectrum is asked for."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from noisewright.domains import Floats
from noisewright.errors import InvalidParameter

LARGEST = 700.0
"""e^ε must be a double."""


def read_epsilons(epsilons: ArrayLike) -> Floats:
    """One ε or an array of them as floats, or a refusal.

    >>> read_epsilons([0, 1]).tolist()
    [0.0, 1.0]
    """
    try:
        grid = np.asarray(epsilons, dtype=np.float64)
    except (TypeError, ValueError):
        raise InvalidParameter("epsilons must be numbers, as in [0, 0.5, 1]") from None
    if not np.all((grid >= 0) & (grid <= LARGEST)):
        raise InvalidParameter(f"epsilons must be finite numbers from 0 to {LARGEST:g}")
    return grid
