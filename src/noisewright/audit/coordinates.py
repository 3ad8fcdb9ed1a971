"""Where a spectrum is looked at, and how surely: values of ε, δ and confidence, as users write them."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from noisewright.domains import Floats
from noisewright.errors import InvalidParameter
from noisewright.parameters import real

LARGEST: Final = 700.0
"""e^ε must be a double."""

LEAST_CONFIDENCE: Final = 0.5


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


def read_confidence(confidence: object, name: str = "confidence") -> float:
    """How sure a bound is to be: a probability that is worth the word.

    >>> read_confidence(0.95)
    0.95
    """
    level = real(name, confidence)
    if not LEAST_CONFIDENCE <= level < 1:
        raise InvalidParameter(
            f"{name} must be at least {LEAST_CONFIDENCE:g} and below 1, for example 0.95; got {level:g}"
        )
    return level
