"""The interval of a balanced accuracy: of the mean of ratios whose denominators are known by noisy counts.

Conservative on purpose. Given how many reports name each true class, the numbers found in the classes are
independent binomials, so the chances of being reported as found are each within an exact interval (their
errors add up). What is left is the share of the classes. Of two classes it is *one* number, which raises one
recall as it lowers the other; the mean is taken at the worst value that the answers leave possible.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from noisewright.domains import Floats
from noisewright.learn.scorecard.cell_shares import CellShares, Chosen


def balanced_ends(
    cells: CellShares, found: Sequence[Chosen], true: Sequence[Chosen], alpha: float
) -> tuple[float, float]:
    """Between which ends the mean recall lies, but with probability ``alpha``.

    ``true`` are the cells of each class, ``found`` those among them in which it is predicted.

    >>> true = [np.array([[True, False]] * 2), np.array([[False, True]] * 2)]
    >>> found = [true[0] & [[True], [False]], true[1] & [[False], [True]]]
    >>> ends = balanced_ends(CellShares(np.array([[60, 10], [5, 25]])), found, true, 0.05)
    >>> [round(end, 3) for end in ends]
    [0.664, 0.924]
    """
    low, high = _two_ends(cells, found, true, alpha) if len(true) == 2 else _ends(cells, found, true, alpha)
    if low > high:  # answers that no truth explains tell nothing
        return 0.0, 1.0
    return float(np.clip(low, 0, 1)), float(np.clip(high, 0, 1))


def _ends(
    cells: CellShares, found: Sequence[Chosen], true: Sequence[Chosen], alpha: float
) -> tuple[float, float]:
    """The means of the ends of all recalls, each of which may miss with its part of the error."""
    part = alpha / len(true)
    recalls = [cells.ratio(some, whole, part) for some, whole in zip(found, true, strict=True)]
    low, high = (np.mean([getattr(recall, end) for recall in recalls]) for end in ("low", "high"))
    return float(low), float(high)


def _two_ends(
    cells: CellShares, found: Sequence[Chosen], true: Sequence[Chosen], alpha: float
) -> tuple[float, float]:
    """The extremes over the one share of two classes, while both recalls stay between 0 and 1."""
    known = cells.error_of_rate(alpha)
    pairs = list(zip(found, true, strict=True))
    leans = np.array([cells.lean_ends(some, whole, (alpha - known) / 2) for some, whole in pairs])
    base = np.array([some.sum() / whole.sum() for some, whole in pairs])
    rates = cells.rate_ends(true[1], known)
    lows, highs = (base + _reaches(cells, true, lean, rates) for lean in leans.T)
    # Two bounds from the same exact pieces, so both hold at once: the worst mean, and the mean of the worst.
    low = max(lows.mean(axis=1).min(), lows.clip(0, 1).min(axis=0).mean())
    high = min(highs.mean(axis=1).max(), highs.clip(0, 1).max(axis=0).mean())
    return float(low), float(high)


def _reaches(cells: CellShares, true: Sequence[Chosen], leans: Floats, ends: tuple[float, float]) -> Floats:
    """By how much each recall is above that of chance, one row for each rate of class 1 that may be worst."""
    rates = _worst_rates(cells, true, leans, ends)
    boosts = [[cells.boost(1 - rate, true[0]), cells.boost(rate, true[1])] for rate in rates]
    return np.asarray(leans * np.array(boosts))


def _worst_rates(
    cells: CellShares, true: Sequence[Chosen], leans: Floats, ends: tuple[float, float]
) -> list[float]:
    """Where the mean of both boosted leans can be extreme: at the ends, or where its slope is zero.

    The boost is 1 + h/(τ − h), so the slope is zero where lean₁/(τ − h)² = lean₀/(1 − τ − h)².
    """
    by_chance = cells.by_chance(true[1])
    roots = np.sqrt(np.abs(leans))
    level = by_chance + (1 - 2 * by_chance) * roots[1] / max(roots.sum(), np.finfo(float).tiny)
    return [*ends, float(np.clip(level, *ends))]
