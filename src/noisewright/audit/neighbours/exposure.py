"""How exposed a pair looks on few samples: one number to rank pairs by, which is no bound.

An event with a chance of A hits under one input against B under the other shows ε = ln(A/B), but among
thousands of events and pairs the largest observed ratio is noise. So the number is the ε at which A and
e^ε·B would still be ``CAUTION`` standard deviations apart. Square roots of counts have a standard deviation
of about ½ whatever the count, so it solves (√A − e^(ε/2)·√B)² = k·(1 + e^ε) with k = CAUTION²/4, that is

    e^(ε/2) = (A − k) / (√(A·B) + √(k·(A + B − k))).

Frequent events count at once, rare ones when they were seen often, B = 0 included. The number ranks pairs by
what an audit of them would show; how much that really is, fresh samples tell.
"""

from __future__ import annotations

from typing import Final, Literal

import numpy as np

from noisewright.domains import Cells, Floats

CAUTION: Final = 4.0
"""Standard deviations; with less, the best of a thousand harmless pairs looks worse than a bad one."""

CORRECTION: Final = 0.5
"""Added to every count before its root is taken, as usual for counts near zero (Anscombe 1948)."""


def exposure(left: Floats, right: Floats, count: int, delta: float = 0.0) -> float:
    """The largest ε at δ that any event suggests, in either direction, by its rates among ``count`` runs.

    Below zero nothing is suggested.

    >>> rates = np.array([0.5]), np.array([0.1])
    >>> [round(exposure(*rates, count), 2) for count in (100, 10_000)], round(float(np.log(0.5 / 0.1)), 2)
    ([0.4, 1.47], 1.61)
    """
    return max(_suggested(left - delta, right, count), _suggested(right - delta, left, count))


def _suggested(more: Floats, less: Floats, count: int) -> float:
    k = CAUTION**2 / 4
    hits, others = (np.maximum(rate, 0) * count + CORRECTION for rate in (more, less))
    seen = np.maximum(hits, np.nextafter(k, np.inf))  # fewer hits suggest nothing
    root = (seen - k) / (np.sqrt(seen * others) + np.sqrt(k * (seen + others - k)))
    return float(2 * np.log(root.max()))


def of_half_lines(left: Floats, right: Floats, delta: float = 0.0) -> float:
    """The exposure by events {x > t}, {x ≥ t} and their complements; only ``left`` is sorted.

    >>> line = np.arange(100.0)
    >>> of_half_lines(line, line) < 0 < 2 < of_half_lines(line, line + 100)
    True
    """
    right = np.sort(right)
    below = [
        np.concatenate([_share(side, right, "left"), _share(side, right, "right")]) for side in (left, right)
    ]
    both = [np.concatenate([rate, 1 - rate]) for rate in below]
    return exposure(both[0], both[1], min(left.size, right.size), delta)


def of_cells(left: Cells, right: Cells, delta: float = 0.0) -> float:
    """The exposure by unions of cells, from how often each was hit: columns are cells, the rows two halves.

    On one half the cells are put in the order of their ratios, on the other the events "the first k cells"
    are counted, and the other way round, so that the order owes nothing to what is counted.

    >>> counts = np.array([[50, 50], [50, 50]])
    >>> of_cells(counts, counts) < 0 < 0.5 < of_cells(counts, np.array([[95, 5], [95, 5]]))
    True
    """
    found = []
    for fit, hold in ((0, 1), (1, 0)):
        order = np.argsort((left[fit] + 1) / (right[fit] + 1), kind="stable")
        rates = [np.cumsum(side[hold][order]) / max(side[hold].sum(), 1) for side in (left, right)]
        count = int(min(left[hold].sum(), right[hold].sum()))
        both = [np.concatenate([rate, 1 - rate]) for rate in rates]
        found.append(exposure(both[0], both[1], max(count, 1), delta))
    return float(np.mean(found))


def _share(ordered: Floats, thresholds: Floats, side: Literal["left", "right"]) -> Floats:
    return np.searchsorted(ordered, thresholds, side=side) / ordered.size
