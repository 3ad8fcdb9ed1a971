"""Log-likelihood ratios from counts, held back where counts are small."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.special import betaln

from noisewright.domains import Floats

Counts = NDArray[np.int64]

STRENGTHS = 0.5 * 2.0 ** np.arange(16)
"""Imaginary rows added to a cell on either side; half a row is Jeffreys' rule."""


def log_ratios(left: Counts, right: Counts) -> Floats:
    """ln(P/Q) of each cell, shrunk toward 0 as strongly as the cells themselves suggest.

    Rare cells are told apart mostly by chance, and raw ratios would put the luckiest first. The left input's
    share varies between cells by a Beta law around its mean, with the strength a that makes the counts
    likeliest; the ratio is then ln((left + a)/(right + a)), scaled where one input has more rows.

    >>> log_ratios(np.array([900, 100, 0]), np.array([100, 900, 0])).round(2).tolist()
    [2.19, -2.19, 0.0]
    """
    rows = max(int(left.sum()), 1), max(int(right.sum()), 1)
    share = rows[0] / sum(rows)
    strength = max(STRENGTHS, key=lambda a: _evidence(left, right, 2 * a * share, 2 * a * (1 - share)))
    ratio = (left + 2 * strength * share) / (right + 2 * strength * (1 - share))
    return np.asarray(np.log(ratio * rows[1] / rows[0]))


def _evidence(left: Counts, right: Counts, first: float, second: float) -> float:
    """Log-likelihood of the counts when shares follow a Beta law."""
    return float((betaln(left + first, right + second) - betaln(first, second)).sum())
