"""The nearest shares that are none below 0 and sum to 1."""

from __future__ import annotations

import numpy as np

from noisewright.domains import Floats


def norm_sub(shares: Floats) -> Floats:
    """All shares less one number, cut at 0, so that they sum to 1.

    >>> norm_sub(np.array([0.7, 0.5, -0.1])).round(9).tolist()
    [0.6, 0.4, 0.0]
    """
    ordered = np.sort(shares)[::-1]
    excess = (np.cumsum(ordered) - 1) / np.arange(1, shares.size + 1)
    kept = int(np.flatnonzero(ordered > excess)[-1])  # the largest share is always kept
    return np.asarray(np.maximum(shares - excess[kept], 0.0))
