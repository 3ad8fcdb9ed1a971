"""Random numbers for queries. No person's report is drawn from them: they simulate what reports could be."""

from __future__ import annotations

import numpy as np

from noisewright.errors import InvalidParameter
from noisewright.randomness import Source


def generator(source: int | Source | None) -> np.random.Generator:
    """A generator from a seed, from a source of random words, or from the operating system.

    >>> bool(generator(7).random() == generator(7).random())
    True
    """
    if isinstance(source, Source):
        return np.random.default_rng([int(word) for word in source.words(4)])
    if source is None:
        return np.random.default_rng()
    if isinstance(source, bool) or not isinstance(source, (int, np.integer)) or source < 0:
        raise InvalidParameter("source must be a seed (a whole number from 0 up), a Source, or nothing")
    return np.random.default_rng(int(source))
