"""Projection onto the probability simplex."""

from __future__ import annotations

import numpy as np

from noisewright.domains import Floats


def norm_sub(shares: Floats, least: float = 0.0) -> Floats:
    """Project onto the probability simplex along the last axis, optionally with a lower bound.

    The projection subtracts one number from all shares and cuts them at ``least`` (Held, Wolfe and Crowder
    1974).

    Args:
        shares: Estimated shares, which may be negative and need not sum to 1.
        least: The smallest share that the result may have.

    >>> norm_sub(np.array([0.7, 0.5, -0.1])).round(9).tolist()
    [0.6, 0.4, 0.0]
    >>> norm_sub(np.array([[0.7, 0.5, -0.1]]), least=0.01).round(3).tolist()
    [[0.595, 0.395, 0.01]]
    """
    count = shares.shape[-1]
    above = shares - least
    ordered = -np.sort(-above, axis=-1)
    excess = (np.cumsum(ordered, axis=-1) - (1 - count * least)) / np.arange(1, count + 1)
    kept = (ordered > excess).sum(axis=-1, keepdims=True)  # the largest share is always kept
    return np.asarray(np.maximum(above - np.take_along_axis(excess, kept - 1, axis=-1), 0.0) + least)
