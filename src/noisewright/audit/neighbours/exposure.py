"""How exposed a pair looks on few samples: one number to rank pairs by, which is no bound.

An event S shows ε = ln((P(S) − δ)/Q(S)). On a handful of rows the largest observed ratio is noise, so both
rates get the weight of ``PRIOR`` imagined outputs that fell into S: a rare event must be seen often before it
counts, a frequent one counts at once. The number ranks pairs by what an audit of them would show; how much
that really is, fresh samples tell.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from noisewright.domains import Cells, Floats

PRIOR: Final = 10.0
"""Imagined outputs in every event, under both inputs."""


def exposure(left: Floats, right: Floats, count: int, delta: float = 0.0) -> float:
    """The largest ε that any of these events suggests in either direction, by its rates among ``count`` runs.

    >>> round(exposure(np.array([0.5]), np.array([0.1]), 100), 2), exposure(np.ones(1), np.ones(1), 100)
    (1.1, 0.0)
    """
    weight = PRIOR / count
    forth = (np.maximum(left - delta, 0) + weight) / (right + weight)
    back = (np.maximum(right - delta, 0) + weight) / (left + weight)
    return float(np.log(max(forth.max(), back.max())))


def of_half_lines(left: Floats, right: Floats, delta: float = 0.0) -> float:
    """The exposure by events {x > t}, {x ≥ t} and their complements; only ``left`` is sorted.

    >>> line = np.arange(100.0)
    >>> of_half_lines(line, line) < 0.1 < 2 < of_half_lines(line, line + 100)
    True
    """
    right = np.sort(right)
    below = np.concatenate([_below(left, right, side) for side in ("left", "right")])
    below_right = np.concatenate([_below(right, right, side) for side in ("left", "right")])
    count = min(left.size, right.size)
    return max(exposure(below, below_right, count, delta), exposure(1 - below, 1 - below_right, count, delta))


def of_cells(left: Cells, right: Cells, delta: float = 0.0) -> float:
    """The exposure by unions of cells, from how often each was hit: columns are cells, the rows two halves.

    On one half the cells are put in the order of their ratios, on the other the events "the first k cells"
    are counted, and the other way round, so that the order owes nothing to what is counted.

    >>> counts = np.array([[50, 50], [50, 50]])
    >>> of_cells(counts, counts), round(of_cells(counts, np.array([[90, 10], [90, 10]])), 1)
    (0.0, 1.1)
    """
    found = []
    for fit, hold in ((0, 1), (1, 0)):
        order = np.argsort((left[fit] + 1) / (right[fit] + 1), kind="stable")
        rates = [np.cumsum(side[hold][order]) / max(side[hold].sum(), 1) for side in (left, right)]
        count = int(min(left[hold].sum(), right[hold].sum()))
        both = [np.concatenate([rate, 1 - rate]) for rate in rates]
        found.append(exposure(both[0], both[1], max(count, 1), delta))
    return float(np.mean(found))


def _below(ordered: Floats, thresholds: Floats, side: str) -> Floats:
    return np.searchsorted(ordered, thresholds, side="left" if side == "left" else "right") / ordered.size
