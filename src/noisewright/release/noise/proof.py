"""The proof that a release keeps its budget, about the integers that are really added.

Along direction i the release is Z_i = q_i(J) + B_i: the lattice cell of the secret world's output plus an
offset of the table, independent of everything. Then

    I(J; Z) = H(Z) − H(B) ≤ Σ [H(Z_i) − H(B_i)],

entropies of independent offsets add up and those of the cells at most. A whole number with variance s has
entropy at most ½ ln(2πe(s + 1/12)): add a uniform fraction of a step, and among all densities of a variance
the normal one has the largest entropy. So with v and H(B) of the table

    I(J; Z) ≤ Σ [½ ln(2πe(v + s_i + 1/12)) − H(B)],    s_i = variance of q_i(J).

No floating-point number stands between this sum and what is drawn, and no limit theorem.
"""

from __future__ import annotations

import math

import numpy as np

from noisewright.domains import Floats
from noisewright.release.noise import table

OUTWARD = 1e-11
"""Relative slack for the rounding of the sum itself."""


def information_upper(cell_variances: Floats) -> float:
    """A bound in nats from the variances of the worlds' cells along the directions, in steps².

    A direction in which all worlds share one cell tells nothing.

    >>> one_deviation = float(table.DEVIATION) ** 2
    >>> round(information_upper(np.array([one_deviation, 0.0])), 9)  # ½ ln 2 and the price of the lattice
    0.34657359
    """
    alive = cell_variances[cell_variances > 0]
    steps = np.log1p((alive + 1 / 12) / table.variance())
    short = 0.5 * math.log(2 * math.pi * math.e * table.variance()) - table.entropy_lower()
    return float(0.5 * math.fsum(steps.tolist()) + alive.size * short) * (1 + OUTWARD)
