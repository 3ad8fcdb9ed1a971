"""Spectra that are known exactly: what an audit of these mechanisms should find.

A spectrum gives for every ε the smallest δ for which two output laws P and Q are (ε, δ)-close in one
direction: δ(ε) = max over events S of P(S) − e^ε·Q(S). Unless a function says
otherwise both directions agree.

>>> laplace(1.0, [0.0, 0.5, 1.0, 2.0]).round(4).tolist()
[0.3935, 0.2212, 0.0, 0.0]
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.fft import irfft, next_fast_len, rfft
from scipy.special import bdtr, log_ndtr

from noisewright.audit.basics.claim import read_epsilons, read_law, read_positive
from noisewright.domains import Floats
from noisewright.errors import InvalidParameter
from noisewright.parameters import DELTA, EPSILON, whole

__all__ = [
    "LossLaw",
    "classical_sigma",
    "counting_scores",
    "ddp_histogram",
    "exponential",
    "exponential_law",
    "finite",
    "gaussian",
    "laplace",
    "laplace_vector",
    "laplace_vector_bracket",
    "randomized_response",
    "read_epsilons",
]

# -- added noise ---------------------------------------------------------------------------------------


def laplace(epsilon: float, epsilons: ArrayLike) -> Floats:
    """Return the spectrum of Laplace noise of scale distance/``epsilon``: (1 − e^((ε − epsilon)/2))₊.

    Args:
        epsilon: The distance of the two inputs over the scale of the noise.
        epsilons: The ε at which δ is wanted: one number or an array, from 0 to 700.

    >>> laplace(2.0, [0.0, 2.0, 3.0]).round(4).tolist()
    [0.6321, 0.0, 0.0]
    """
    # Lu et al. 2024, lemma 2
    gap = np.minimum(read_epsilons(epsilons) - EPSILON.check(epsilon), 0.0)
    return np.asarray(-np.expm1(gap / 2) + 0.0)


def gaussian(sigma: float, epsilons: ArrayLike, distance: float = 1.0) -> Floats:
    """Return the spectrum of Gaussian noise at a Euclidean ``distance``: Φ(a) − e^ε·Φ(a − distance/σ).

    a = distance/2σ − ε·σ/distance. Only the distance matters, in any number of dimensions, because the noise
    looks the same in every direction.

    Args:
        sigma: The standard deviation of the noise, above 0.
        epsilons: The ε at which δ is wanted: one number or an array, from 0 to 700.
        distance: The Euclidean distance of the two inputs, above 0.

    >>> gaussian(1.0, [0.0, 1.0]).round(4).tolist()
    [0.3829, 0.1269]
    """
    grid, shift = read_epsilons(epsilons), read_positive("distance", distance) / read_positive("sigma", sigma)
    # Lu et al. 2024, lemma 3 (Balle and Wang 2018, thm 8), in logarithms: the difference of two tiny tails
    upper = shift / 2 - grid / shift
    share = log_ndtr(upper)
    return np.asarray(-np.exp(share) * np.expm1(np.minimum(grid + log_ndtr(upper - shift) - share, 0.0)))


def classical_sigma(epsilon: float, delta: float) -> float:
    """Return the textbook's σ for (ε, δ) at distance 1: √(2·ln(1.25/δ))/ε. Its proof needs ε < 1.

    Args:
        epsilon: The ε that is wanted.
        delta: The δ that is wanted, between 0 and 1.

    >>> sigma = classical_sigma(1.0, 1e-5)
    >>> round(sigma, 4), bool(gaussian(sigma, 1.0) < 1e-5)
    (4.8448, True)
    >>> bool(gaussian(classical_sigma(10.0, 1e-5), 10.0) > 1e-5)  # the promise is broken for a large ε
    True
    """
    return math.sqrt(2 * math.log(1.25 / DELTA.check(delta))) / EPSILON.check(epsilon)


# -- finitely many outputs -----------------------------------------------------------------------------


def finite(left: ArrayLike, right: ArrayLike, epsilons: ArrayLike) -> Floats:
    """Return the spectrum of two laws: Σ (left − e^ε·right)₊. Swap the laws for the other direction.

    Args:
        left: The probability of each output with the left input.
        right: The same with the right input.
        epsilons: The ε at which δ is wanted: one number or an array, from 0 to 700.

    >>> finite([0.9, 0.1], [0.5, 0.5], [0.0, 0.5]).round(4).tolist()
    [0.4, 0.0756]
    >>> finite([0.5, 0.5], [0.9, 0.1], [0.0, 0.5]).round(4).tolist()
    [0.4, 0.3351]
    """
    grid, p, q = read_epsilons(epsilons), read_law("left", left), read_law("right", right)
    if p.shape != q.shape:
        raise InvalidParameter("both laws must be over the same outputs; they differ in length")
    return np.asarray(np.maximum(p - np.exp(grid)[..., None] * q, 0.0).sum(axis=-1))


def randomized_response(epsilon: float, labels: int, epsilons: ArrayLike) -> Floats:
    """Return the spectrum of k-ary randomized response: (e^epsilon − e^ε)₊ / (k − 1 + e^epsilon).

    Args:
        epsilon: The budget of the mechanism.
        labels: How many labels there are, at least 2.
        epsilons: The ε at which δ is wanted: one number or an array, from 0 to 700.

    >>> randomized_response(1.0, 2, [0.0, 1.0]).round(4).tolist()
    [0.4621, 0.0]
    """
    budget, others = EPSILON.check(epsilon), whole("labels", labels, 2, 1 << 62) - 1
    # divided by e^epsilon above and below, so that nothing overflows
    gap = -np.expm1(np.minimum(read_epsilons(epsilons) - budget, 0.0))
    return np.asarray(gap / (others * np.exp(-budget) + 1) + 0.0)


def exponential(
    epsilon: float, left_scores: ArrayLike, right_scores: ArrayLike, epsilons: ArrayLike
) -> Floats:
    """Return the spectrum of the exponential mechanism on two databases; directions may differ.

    Args:
        epsilon: The budget of the mechanism, for scores of sensitivity 1.
        left_scores: The score of each candidate on the left database.
        right_scores: The same on the right one.
        epsilons: The ε at which δ is wanted: one number or an array, from 0 to 700.

    >>> scores = counting_scores(count=2, rows=3), counting_scores(count=1, rows=3)
    >>> exponential(2.0, *scores, [0.0, 1.0, 2.0]).round(4).tolist()
    [0.4621, 0.0, 0.0]
    """
    return finite(exponential_law(epsilon, left_scores), exponential_law(epsilon, right_scores), epsilons)


def exponential_law(epsilon: float, scores: ArrayLike) -> Floats:
    """Return the chance of every candidate, ∝ e^(epsilon·score/2) for scores of sensitivity 1.

    Args:
        epsilon: The budget of the mechanism.
        scores: The score of each candidate, of sensitivity 1.

    >>> exponential_law(2.0, [0.0, 1.0]).round(4).tolist()
    [0.2689, 0.7311]
    """
    levels = np.asarray(scores, dtype=np.float64) * (EPSILON.check(epsilon) / 2)
    weights = np.exp(levels - levels.max())
    return np.asarray(weights / weights.sum())


def counting_scores(count: int, rows: int) -> Floats:
    """Return how near each candidate 0, 1, …, ``rows`` is to a true count: minus the distance.

    The candidates must not follow the database: a neighbour with a row less keeps the same ``rows``.

    Args:
        count: The true count, from 0 to ``rows``.
        rows: The largest candidate.

    >>> counting_scores(count=2, rows=3).tolist()
    [-2.0, -1.0, 0.0, -1.0]
    """
    candidates = np.arange(whole("rows", rows, 1, 1 << 24) + 1)
    return np.asarray(0.0 - np.abs(candidates - float(whole("count", count, 0, rows))))


# -- no noise, private by the data alone ---------------------------------------------------------------


def ddp_histogram(rows: int, epsilons: ArrayLike) -> Floats:
    """Return the spectrum of one bit in the exact histogram of ``rows`` fair independent bits.

    The other bits make the count Binomial(rows − 1, ½) under one value and one more under the other, so
    δ(ε) = F(k) − e^ε·F(k − 1) with k the last count whose ratio (rows − k)/k is above e^ε; δ(0) is the
    largest binomial mass, about √(2/(π·rows)). Directions agree because the law is its own mirror image.

    Args:
        rows: How many bits are counted.
        epsilons: The ε at which δ is wanted: one number or an array, from 0 to 700.

    >>> ddp_histogram(3, [0.0, 1.0]).tolist()
    [0.5, 0.25]
    >>> bool(abs(ddp_histogram(10_000, 0.0) - (2 / np.pi / 10_000) ** 0.5) < 1e-6)
    True
    """
    grid, count = read_epsilons(epsilons), whole("rows", rows, 1, 1 << 24)
    last = np.ceil(count / (1 + np.exp(grid))) - 1
    below = np.where(last >= 1, bdtr(np.maximum(last - 1, 0.0), count - 1, 0.5), 0.0)
    return np.asarray(np.maximum(bdtr(last, count - 1, 0.5) - np.exp(grid) * below, 0.0))


# -- Laplace noise on a vector -------------------------------------------------------------------------

# Where the two inputs differ a little in every coordinate, noise hides it far better than the worst
# neighbours promise; no closed form is known. The privacy loss of a coordinate has two atoms and a continuous
# part. Cutting that part into cells is post-processing and can only lower δ; replacing each cell by two
# points that average to it can only raise it. Both give losses on one lattice, which add up by convolution,
# so the truth lies between two computed curves.

CELLS = 1 << 16
"""Cells of all coordinates together; the two curves are about dims·(epsilon/CELLS)² apart."""


def laplace_vector(epsilon: float, dims: int, epsilons: ArrayLike) -> Floats:
    """Return the spectrum of Laplace noise of scale 1/``epsilon``, inputs 1/``dims`` apart per coordinate.

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
    step = share / cells
    # beyond both values the loss is ±share: with chance ½ on the near side, e^(−share)/2 on the far one
    cut = np.zeros(2 * cells + 1)
    cut[-1], cut[0] = 0.5, np.exp(-share) / 2
    split = cut.copy()
    # chances of the cells between the two values, the one of the smallest loss first
    inner = (np.exp(-step * np.arange(cells)) * -np.expm1(-step) / 2)[::-1]
    cut[1:-1:2] = inner  # known only to the cell: the loss of cell k is exactly share − (2k + 1)·step
    above = 1 / (1 + np.exp(-step))  # known more than exactly: each cell becomes its two ends
    split[2::2] += above * inner
    split[:-2:2] += (1 - above) * inner
    coarse, fine = LossLaw(step, cut), LossLaw(step, split)
    slack = coarse.rounding(count)
    lower = coarse.repeated(count).spectrum(epsilons) - slack
    return np.maximum(lower, 0.0), np.minimum(fine.repeated(count).spectrum(epsilons) + slack, 1.0)


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
        # sums from every place to the end, and 0 beyond it
        left, right = (
            np.append(np.cumsum(each[::-1])[::-1], 0.0) for each in (masses, masses * np.exp(-losses))
        )
        first = np.searchsorted(losses, grid, side="right")
        return np.asarray(np.maximum(left[first] - np.exp(grid) * right[first], 0.0))
