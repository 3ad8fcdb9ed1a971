"""Uniform numbers out of random words, for questions to a model; no person's value is hidden by them."""

from __future__ import annotations

import numpy as np

from noisewright.domains import Floats
from noisewright.randomness import Stream


def uniforms(stream: Stream, *shape: int) -> Floats:
    """Numbers from [0, 1): whole multiples of 2⁻⁵³, all equally likely.

    >>> from noisewright.randomness import SeededSource
    >>> numbers = uniforms(SeededSource(1).stream(), 1000, 2)
    >>> numbers.shape, bool((0 <= numbers.min()) and (numbers.max() < 1))
    ((1000, 2), True)
    """
    words = stream.draw(int(np.prod(shape)))
    return np.asarray((words >> np.uint64(11)).astype(np.float64) * 2.0**-53).reshape(shape)
