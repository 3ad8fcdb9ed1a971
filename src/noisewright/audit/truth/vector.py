"""The spectrum of Laplace noise on a vector whose two values differ a little in every coordinate.

Where the difference is spread, noise hides it far better than the worst neighbours promise; no closed form is
known. The privacy loss of a coordinate has two atoms and a continuous part. Cutting that part into cells is
post-processing and can only lower δ; replacing each cell by two points that average to it can only raise it.
Both give losses on one lattice, which add up by convolution, so the truth lies between two computed curves.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from noisewright.audit.truth.loss_law import LossLaw
from noisewright.domains import Floats
from noisewright.parameters import EPSILON, whole

CELLS = 1 << 16
"""Cells of all coordinates together; the two curves are about dims·(epsilon/CELLS)² apart."""


def laplace_vector(epsilon: float, dims: int, epsilons: ArrayLike) -> Floats:
    """Laplace noise of scale 1/``epsilon`` on each coordinate, inputs apart by 1/``dims`` in each.

    >>> laplace_vector(1.0, 1, 0.0).round(6), laplace_vector(1.0, 20, [0.0, 0.2]).round(6).tolist()
    (np.float64(0.393469), [0.087765, 0.023821])
    """
    lower, upper = laplace_vector_bracket(epsilon, dims, epsilons)
    return np.asarray((lower + upper) / 2)


def laplace_vector_bracket(epsilon: float, dims: int, epsilons: ArrayLike) -> tuple[Floats, Floats]:
    """Two curves with the spectrum between them, rounding of the sums included.

    >>> lower, upper = laplace_vector_bracket(1.0, 20, [0.0, 0.2])
    >>> bool(np.all(lower < upper)), bool(np.all(upper - lower < 1e-8))
    (True, True)
    """
    count = whole("dims", dims, 1, CELLS)
    share = EPSILON.check(epsilon) / count
    cells = -(-CELLS // count)
    coarse, fine = _quantized(share, cells), _split(share, cells)
    slack = coarse.rounding(count)
    lower = coarse.repeated(count).spectrum(epsilons) - slack
    return np.maximum(lower, 0.0), np.minimum(fine.repeated(count).spectrum(epsilons) + slack, 1.0)


def _quantized(share: float, cells: int) -> LossLaw:
    """One coordinate, told only to the cell: the loss of cell k is exactly share − (2k + 1)·step."""
    masses = _atoms(share, cells)
    masses[1:-1:2] = _cell_masses(share, cells)
    return LossLaw(share / cells, masses)


def _split(share: float, cells: int) -> LossLaw:
    """One coordinate, told more than exactly: each cell becomes its two ends, with the same P and Q."""
    masses, inner = _atoms(share, cells), _cell_masses(share, cells)
    above = 1 / (1 + np.exp(-share / cells))
    masses[2::2] += above * inner
    masses[:-2:2] += (1 - above) * inner
    return LossLaw(share / cells, masses)


def _atoms(share: float, cells: int) -> Floats:
    """Beyond both values the loss is ±share: with chance ½ on the near side, e^(−share)/2 on the far one."""
    masses = np.zeros(2 * cells + 1)
    masses[-1], masses[0] = 0.5, np.exp(-share) / 2
    return masses


def _cell_masses(share: float, cells: int) -> Floats:
    """Chances of the cells between the two values, the one of the smallest loss first."""
    step = share / cells
    return np.asarray(np.exp(-step * np.arange(cells)) * -np.expm1(-step) / 2)[::-1]
