"""The compiled loops of frequency oracles, when numba is installed.

Deliberately simple, like ``mechanisms/kernels.py``: arrays and numbers in, no policy, no branch that depends
on a private value, and a NumPy twin that must agree exactly. Arithmetic on 32-bit words lets LLVM treat eight
or sixteen labels in one vector instruction.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call, untyped-decorator"
from __future__ import annotations

import numpy as np
from numba import njit

U32, U64 = np.uint32, np.uint64


@njit(nogil=True, cache=True)
def arc_supports(factors, starts, widths, counts):
    """Add to ``counts[x]`` how many reports have (factor·x + start) mod 2³² < width."""
    for i in range(factors.size):
        factor, start, width = factors[i], starts[i], widths[i]
        for label in range(counts.size):
            counts[label] += U32(U32(U32(label) * factor + start) < width)
