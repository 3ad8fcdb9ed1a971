"""Where a spectrum is looked at: values of ε and of δ, as users write them."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from noisewright.domains import Floats
from noisewright.errors import InvalidParameter
from noisewright.parameters import real

LARGEST: Final = 700.0
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
        raise InvalidParameter(f"epsilons must be numbers from 0 to {LARGEST:g}")
    return grid


def read_grid(epsilons: ArrayLike) -> Floats:
    """The values of ε, each once and in order; there must be one at least.

    >>> read_grid([1, 0, 1]).tolist()
    [0.0, 1.0]
    """
    grid = np.unique(read_epsilons(epsilons))
    if not grid.size:
        raise InvalidParameter(f"epsilons must be numbers from 0 to {LARGEST:g}; got none")
    return grid


def read_delta(delta: float) -> float:
    """A δ, which is a probability below 1."""
    value = real("delta", delta)
    if not 0 <= value < 1:
        raise InvalidParameter(f"delta must be at least 0 and below 1, got {value:g}")
    return value
