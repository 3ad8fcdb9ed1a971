"""The robustness radius: the largest ball around a record on which a model keeps its answer."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from noisewright.domains import Floats
from noisewright.parameters import Parameter
from noisewright.utility.published.robustness import Prober

PRECISION = Parameter(
    "precision", "how closely sides are searched, in unit coordinates", above=1e-6, at_most=0.5, usual=(0.01,)
)


def ball(units: Floats, radii: ArrayLike) -> tuple[Floats, Floats]:
    """The corners of balls in the largest-coordinate distance, cut to the unit cube.

    >>> [corner.tolist() for corner in ball(np.array([[0.5, 0.875]]), 0.25)]
    [[[0.25, 0.625]], [[0.75, 1.0]]]
    """
    reach = np.broadcast_to(np.asarray(radii, dtype=np.float64), (len(units),))[:, None]
    return np.maximum(units - reach, 0.0), np.minimum(units + reach, 1.0)


def find_radii(prober: Prober, precision: float = 0.01) -> Floats:
    """The radius of every record by bisection of 0..1; all records share each round of questions.

    It is the largest radius that was tested and *accepted*, up to the precision; 0 if the smallest was
    refused.
    """
    units = prober.records.units()
    low, high = np.zeros(len(units)), np.ones(len(units))
    for _ in range(rounds(1.0, precision)):
        middle = (low + high) / 2
        accepted = prober.test(np.arange(len(units)), *ball(units, middle)).accepted
        low, high = np.where(accepted, middle, low), np.where(accepted, high, middle)
    return low


def rounds(length: float, precision: float) -> int:
    """How often a stretch must be halved until it is no longer than the precision.

    >>> rounds(1.0, 0.01)
    7
    """
    return max(0, math.ceil(math.log2(length / precision))) if length > 0 else 0
