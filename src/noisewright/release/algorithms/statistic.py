"""A released statistic: its numbers and what they are called."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from noisewright.domains import Floats


@dataclass(frozen=True, eq=False)
class Statistic:
    """Noised numbers, with a name for each in the order of ``value.ravel()``.

    >>> import numpy as np
    >>> Statistic(np.array([36.6, 81.0]), names=("temperature", "pulse")).to_dict()
    {'value': [36.6, 81.0], 'names': ['temperature', 'pulse']}
    """

    value: Floats
    names: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """The statistic as plain JSON."""
        return {"value": self.value.tolist(), "names": list(self.names)}
