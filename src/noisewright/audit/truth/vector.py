"""The spectrum of Laplace noise on a vector whose two values differ a little in every coordinate.

Where the difference is spread, noise hides it far better than the worst neighbours promise; no closed form is
known. The privacy loss of a coordinate has two atoms and a continuous part. Cutting that part into cells is
post-processing and can only lower δ; replacing each cell by two points that average to it can only raise it.
Both give losses on one lattice, which add up by convolution, so the truth lies between two computed curves.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.fft import irfft, next_fast_len, rfft

from noisewright.audit.basics.claim import read_epsilons
from noisewright.domains import Floats
from noisewright.parameters import EPSILON, whole

CELLS = 1 << 16
"""Cells of all coordinates together; the two curves are about dims·(epsilon/CELLS)² apart."""


def laplace_vector(epsilon: float, dims: int, epsilons: ArrayLike) -> Floats:
    """Laplace noise of scale 1/``epsilon`` on each coordinate, inputs apart by 1/``dims`` in each.

    Args:
        epsilon: The ε that the worst neighbours would have.
        dims: How many coordinates there are.
        epsilons: The ε at which δ is wanted: one number or an array, from 0 to 700.

    >>> laplace_vector(1.0, 1, 0.0).round(6), laplace_vector(1.0, 20, [0.0, 0.2]).round(6).tolist()
    (np.float64(0.393469), [0.087765, 0.023821])
    """
    lower, upper = laplace_vector_bracket(epsilon, dims, epsilons)
    return np.asarray((lower + upper) / 2)


def laplace_vector_bracket(epsilon: float, dims: int, epsilons: ArrayLike) -> tuple[Floats, Floats]:
    """Return two curves with the spectrum between them, rounding of the sums included.

    Args:
        epsilon: As in :func:`laplace_vector`.
        dims: As in :func:`laplace_vector`.
        epsilons: The ε at which δ is wanted: one number or an array, from 0 to 700.

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


@dataclass(frozen=True, eq=False)
class LossLaw:
    """Probabilities under P of the losses −m·step, …, m·step, for ``masses`` of length 2m + 1.

    Attributes:
        step: The distance of neighbouring losses.
        masses: Probabilities under P of the losses −m·step, …, m·step: 2m + 1 of them.

    >>> response = LossLaw(1.0, np.array([0.25, 0.0, 0.75]))
    >>> response.repeated(2).masses.round(4).tolist()
    [0.0625, 0.0, 0.375, 0.0, 0.5625]
    """

    step: float
    masses: Floats

    def repeated(self, times: int) -> LossLaw:
        """Return the loss of ``times`` independent outputs together: the law of the sum."""
        size = times * (len(self.masses) - 1) + 1
        padded = next_fast_len(size, real=True)
        summed = irfft(rfft(self.masses, padded) ** times, padded)[:size]
        return LossLaw(self.step, np.maximum(summed, 0.0))

    def rounding(self, times: int) -> float:
        """Return how far rounding in :meth:`repeated` can move a δ: one unit each factor and mass."""
        return float(np.finfo(np.float64).eps * times * (times * (len(self.masses) - 1) + 1))

    def spectrum(self, epsilons: ArrayLike) -> Floats:
        """δ(ε) = E[(1 − e^(ε − loss))₊] under P.

        >>> LossLaw(1.0, np.array([0.25, 0.0, 0.75])).spectrum([0.0, 1.0]).round(4).tolist()
        [0.4741, 0.0]
        """
        grid = read_epsilons(epsilons)
        half = (len(self.masses) - 1) // 2
        losses = self.step * np.arange(half + 1)  # losses below 0 never exceed an ε
        masses = self.masses[half:]
        left, right = _tails(masses), _tails(masses * np.exp(-losses))
        first = np.searchsorted(losses, grid, side="right")
        return np.asarray(np.maximum(left[first] - np.exp(grid) * right[first], 0.0))


def _tails(masses: Floats) -> Floats:
    """Sums from every place to the end, and 0 beyond it."""
    return np.concatenate([np.cumsum(masses[::-1])[::-1], [0.0]])
