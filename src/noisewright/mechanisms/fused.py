"""The choice between the fused loop and its NumPy twin, which never shows in the reports."""

from __future__ import annotations

import math
from collections.abc import Callable
from types import ModuleType

import numpy as np

from noisewright.domains import Floats, Integers, Interval, NumericDomain
from noisewright.mechanisms.basics.compiled import compiled
from noisewright.mechanisms.basics.window import COIN_BITS, POSITION_BITS, Window
from noisewright.randomness import BLOCK, Stream

WORTH_COMPILING = 1 << 18
"""Below this many values the second that numba takes to load is not worth it."""


def kernels() -> ModuleType | None:
    """Return the compiled loops, if there are any."""
    return compiled("noisewright.mechanisms.kernels")


def window_drawer(
    window: Window, domain: NumericDomain, reports: NumericDomain, size: int
) -> Callable[[Floats, Stream, Floats], bool] | None:
    """Return a function that draws one block with the fused loop, if it exists and is worth it."""
    if size < WORTH_COMPILING or not fits_loop(window) or (loops := kernels()) is None:
        return None
    high = domain.high if isinstance(domain, Interval) else math.nextafter(domain.length, 0.0)
    numbers = (
        domain.start, high, float(isinstance(domain, Integers)),
        domain.lattice / domain.length, float(domain.lattice - 1),
        reports.start, reports.pitch,
        window.slope, window.shift, float(window.furthest), float(window.cells),
        np.int32(window.threshold), np.uint64(window.width), np.uint64(65 - window.cells.bit_length()),
    )  # fmt: skip
    words = np.empty(BLOCK, dtype=np.uint64)

    def draw(values: Floats, stream: Stream, out: Floats) -> bool:
        block = words[: values.size]
        stream.fill(block)
        return int(loops.window_values(values, block, out, *numbers)) == 0

    return draw


def fits_loop(window: Window) -> bool:
    """Return whether the loop was written for such a window: the usual bits, and a power of two of cells."""
    usual = (window.coin_bits, window.position_bits) == (COIN_BITS, POSITION_BITS)
    return usual and window.cells.bit_count() == 1
