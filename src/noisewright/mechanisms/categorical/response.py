"""The window channel behind k-RR, wherever it is used: on labels themselves, or on their hashes."""

from __future__ import annotations

import numpy as np

from noisewright.domains import Cells
from noisewright.mechanisms.window import Window
from noisewright.randomness import Words

HALF_WORD = 32
"""Bits of the coin, and of the position.

Labels are few where a numeric lattice has a million cells, so positions need fewer bits and the coin gets
more: it keeps its precision for many labels at a small ε, and for few labels at a large one.
"""

_COIN = np.uint64((1 << HALF_WORD) - 1)


def response_window(labels: int, epsilon: float) -> Window:
    """The window of one cell that spends no more than ε: β = k/(k − 1 + e^ε), rounded up.

    >>> round(response_window(2, 1.0).anywhere, 6)
    0.537883
    """
    return Window.calibrate(
        epsilon, cells=labels, width=1, slope=1.0, offset=0.0, coin_bits=HALF_WORD, position_bits=HALF_WORD
    )


def respond(window: Window, truth: Cells, words: Words) -> Cells:
    """Draw from such a window: what ``window.draw`` gives for the same words, without the steps it can skip.

    A window of one cell begins at the truth and ends there, so only a report from anywhere needs a position.
    """
    reports = words >> np.uint64(HALF_WORD)
    reports *= np.uint64(window.cells)
    reports >>= np.uint64(HALF_WORD)
    anywhere = (words & _COIN) < np.uint64(window.threshold)
    return np.where(anywhere, reports.view(np.int64), truth)
