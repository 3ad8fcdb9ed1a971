"""The inner loops of route shapes, when numba is installed: tables filled row by row, one row kept.

They know nothing about spaces: distances come in blocks of rows. A row has one more entry than there are
points, for the state before the first. The NumPy twin in ``shapes.py`` must agree bit for bit.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call, untyped-decorator"
from __future__ import annotations

import numpy as np
from numba import njit


@njit(nogil=True, cache=True)
def warp_rows(block, cost, steps):
    """Carry the row of least total distances, and the steps of their paths, through a block of distances."""
    for i in range(block.shape[0]):
        corner, corner_steps = cost[0], steps[0]
        cost[0] = np.inf
        for j in range(block.shape[1]):
            best, taken = corner, corner_steps
            if cost[j + 1] < best:
                best, taken = cost[j + 1], steps[j + 1]
            if cost[j] < best:
                best, taken = cost[j], steps[j]
            corner, corner_steps = cost[j + 1], steps[j + 1]
            cost[j + 1], steps[j + 1] = best + block[i, j], taken + 1


@njit(nogil=True, cache=True)
def leash_rows(block, leash):
    """Carry the row of shortest leashes through a block of distances."""
    for i in range(block.shape[0]):
        corner = leash[0]
        leash[0] = np.inf
        for j in range(block.shape[1]):
            best = min(corner, leash[j + 1], leash[j])
            corner = leash[j + 1]
            leash[j + 1] = max(best, block[i, j])
