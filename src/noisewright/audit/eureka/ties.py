"""Equal outputs moved a little apart, so that nearest neighbours are well defined.

The theory of neighbours wants densities. A shift by less than half of the smallest gap between outputs can be
undone by whoever sees it, so it changes no δ; it only picks at random who among equals votes. (That a law on
few points is *close* to a density, as the paper says, is not so: the two have distance 1.)
"""

from __future__ import annotations

import numpy as np

from noisewright.domains import Floats

SHARE = 0.2
"""Of the smallest gap: two equal outputs end up nearer to each other than to any other."""


def moved_apart(known: Floats, asked: Floats, random: np.random.Generator) -> tuple[Floats, Floats]:
    """Both tables as they are if few rows repeat; otherwise with a small shift of every number.

    >>> table = np.repeat([[0.0], [1.0]], 3, axis=0)
    >>> known, asked = moved_apart(table, table, np.random.default_rng(1))
    >>> len(np.unique(known)), bool(np.all(np.round(known) == table))
    (6, True)
    """
    if 2 * len(np.unique(known, axis=0)) > len(known):
        return known, asked
    reach = SHARE * _smallest_gap(np.concatenate([known, asked])) / np.sqrt(known.shape[1])
    shifts = (random.uniform(-reach, reach, table.shape) for table in (known, asked))
    return known + next(shifts), asked + next(shifts)


def _smallest_gap(table: Floats) -> float:
    """The smallest difference between two values of one column; 1 where no column has two."""
    gaps = [np.diff(np.unique(column)) for column in table.T]
    return float(min((gap.min() for gap in gaps if gap.size), default=1.0))
