"""The law of the privacy loss log(P/Q) on a lattice: what composes by adding, where spectra do not."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.fft import irfft, next_fast_len, rfft

from noisewright.audit.coordinates import read_epsilons
from noisewright.domains import Floats


@dataclass(frozen=True, eq=False)
class LossLaw:
    """Probabilities under P of the losses −m·step, …, m·step, for ``masses`` of length 2m + 1.

    >>> response = LossLaw(1.0, np.array([0.25, 0.0, 0.75]))
    >>> response.repeated(2).masses.round(4).tolist()
    [0.0625, 0.0, 0.375, 0.0, 0.5625]
    """

    step: float
    masses: Floats

    def repeated(self, times: int) -> LossLaw:
        """The loss of ``times`` independent outputs together: the law of the sum."""
        size = times * (len(self.masses) - 1) + 1
        padded = next_fast_len(size, real=True)
        summed = irfft(rfft(self.masses, padded) ** times, padded)[:size]
        return LossLaw(self.step, np.maximum(summed, 0.0))

    def rounding(self, times: int) -> float:
        """How far rounding in :meth:`repeated` can move a δ: one unit each factor and mass."""
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
