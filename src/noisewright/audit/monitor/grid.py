"""The values of ε that a monitor follows besides the claimed one."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from noisewright.audit.claim import Claim
from noisewright.audit.coordinates import LARGEST, read_grid
from noisewright.domains import Floats

BELOW = (0.0, 0.25, 0.5, 0.75, 0.875, 0.95)
"""Shares of the claimed ε."""

ABOVE = np.concatenate([np.arange(1, 81) * 0.025, np.geomspace(2.1, 14.0, 24)])
"""Steps up from the claimed ε. A finer grid costs time and no confidence."""


def epsilon_grid(claim: Claim, epsilons: ArrayLike | None = None) -> Floats:
    """An increasing grid with the claimed ε on it, coarse below: there a bound is worth little.

    >>> epsilon_grid(Claim(1.0), [0.5, 2.0]).tolist()
    [0.5, 1.0, 2.0]
    """
    if epsilons is None:
        points = np.concatenate([claim.epsilon * np.array(BELOW), claim.epsilon + ABOVE])
        points = points[points <= LARGEST]
    else:
        points = read_grid(epsilons)
    return np.unique(np.append(points, claim.epsilon))
