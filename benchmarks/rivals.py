"""What the mechanisms are measured against: honest hand-written twins, and other people's software."""

from __future__ import annotations

import math
import os
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def raw_words(count: int) -> Callable[[], object]:
    """The machine's AES-256-CTR rate: filling one block of words again and again, and nothing else."""
    from noisewright.randomness import BLOCK, SecureSource

    stream, block = SecureSource().stream(), np.empty(BLOCK, dtype=np.uint64)

    def run() -> None:
        for _ in range(count // BLOCK):
            stream.fill(block)

    return run


def numpy_ogpm(values: Floats, epsilon: float, circular: bool) -> Callable[[], Floats]:
    """OGPM on [0, 1) as a good NumPy programmer writes it, with randomness from the operating system."""
    root = math.exp(epsilon / 2)
    width, anywhere = 1 / (root + 1), 1 / root

    def run() -> Floats:
        words = np.frombuffer(os.urandom(16 * values.size), dtype=np.uint64).reshape(2, -1)
        coin, place = words * 2.0**-64
        left = values - width / 2
        if not circular:
            left = np.clip(left, 0.0, 1 - width)
        inside = left + place * width
        if circular:
            inside = np.mod(inside, 1.0)
        return np.asarray(np.where(coin < anywhere, place, inside))

    return run


def opendp_laplace(values: Floats) -> Callable[[], Any] | None:
    """OpenDP's vector Laplace mechanism, which is also safe against floating-point attacks."""
    try:
        import opendp.prelude as dp
    except ImportError:
        return None
    dp.enable_features("contrib")
    space = dp.vector_domain(dp.atom_domain(T=float, nan=False)), dp.l1_distance(T=float)
    mechanism = dp.m.make_laplace(*space, scale=1.0)
    column = values.tolist()
    return lambda: mechanism(column)
