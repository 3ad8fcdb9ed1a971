"""Finding the report that is to blame, when all that is known is that there is one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numpy.typing import NDArray

from noisewright.errors import OutOfDomain


def first_refused(reports: NDArray[Any], check: Callable[[NDArray[Any]], object]) -> int:
    """The place of the first report that a check refuses, by halving: there is at least one.

    >>> import numpy as np
    >>> from noisewright.domains import Places
    >>> first_refused(np.array([1, 0, 2, 5, 1, 7]), Places(4).to_bytes)
    3
    """
    low, high = 0, len(reports)
    while high - low > 1:
        middle = (low + high) // 2
        try:
            check(reports[low:middle])
        except OutOfDomain:
            high = middle
        else:
            low = middle
    return low
