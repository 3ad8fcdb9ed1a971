"""How well each world explains what was released, to the last digits that matter.

ln p(z | world j) = −|z − q_j|²/2σ² up to a constant. Multiplied out, z·q_j − |q_j|²/2 is one fast product of
matrices, but where worlds lie far apart the digits of a float that tell them from each other are gone. So the
product is used only where it is exact enough, and otherwise whole numbers are subtracted first.
"""

from __future__ import annotations

import numpy as np

from noisewright.domains import Cells, Floats
from noisewright.release.blocks import blocks
from noisewright.release.noise import table

FAR = 1000.0
"""Deviations from the centre up to which a product is off by less than 10⁻⁹."""


def log_likelihood(released: Cells, worlds: Cells) -> Floats:
    """Rows of released cells by worlds, up to a constant for each row.

    >>> far = 10**15
    >>> found = log_likelihood(np.array([[far]]), np.array([[far], [far + table.DEVIATION]]))
    >>> (found[0, 0] - found[0, 1]).tolist()
    0.5
    """
    here, there = released / table.DEVIATION, worlds / table.DEVIATION
    if there.size and np.abs(there).sum(axis=1).max() <= FAR:
        return np.asarray(here @ there.T - 0.5 * (there**2).sum(axis=1))
    return _by_differences(released, worlds)


def _by_differences(released: Cells, worlds: Cells) -> Floats:
    found = np.empty((len(released), len(worlds)))
    for some in blocks(len(released), worlds.size):
        away = (released[some, None, :] - worlds) / table.DEVIATION
        found[some] = -0.5 * np.einsum("twr,twr->tw", away, away)
    return found
