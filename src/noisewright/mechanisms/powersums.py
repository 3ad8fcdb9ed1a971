"""Exact sums of |distance|^p over runs of lattice cells, vectorized.

A window law puts equal mass on runs of cells, so its expected loss is a sum of powers over runs. With
cells of width one and centres at j + ½, everything follows from one antiderivative of a sum,

    ladder(s + m) − ladder(s) = Σ_{i<m} (s + i + ½)^p,

which the midpoint Euler–Maclaurin series gives: exactly (a polynomial) for whole p, and to the last
digits of a double otherwise, since the first cells are then summed one by one.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from noisewright.domains import Floats

# Σ f(i + ½) = ∫f − [f′]/24 + 7[f‴]/5760 − …: the coefficients of (x/2)/sinh(x/2)
_SERIES = (
    1.0, -1 / 24, 7 / 5760, -31 / 967680, 127 / 154828800, -73 / 3503554560,
    1414477 / 2678117105664000, -8191 / 612141052723200, 16931177 / 49950709902213120000,
)  # fmt: skip
_SUMMED = 12
"""Cells next to the kink that are summed singly when p is not a whole number."""


def ladder(steps: ArrayLike, power: float) -> Floats:
    """Return the running sum of (s + ½)^p in unit steps, up to a constant; it begins at s = −½."""
    place = np.maximum(np.asarray(steps, dtype=np.float64), -0.5)
    if power.is_integer() and power < 2 * len(_SERIES):
        return _series(place, power)
    near = place < _SUMMED
    total = _series(np.where(near, place + _SUMMED, place), power)
    if near.any():
        first = place[near][..., None] + np.arange(_SUMMED) + 0.5
        total[near] -= np.power(np.maximum(first, 0.0), power).sum(axis=-1)
    return total


def _series(place: Floats, power: float) -> Floats:
    total = np.zeros_like(place)
    factor, exponent = 1.0 / (power + 1), power + 1
    for coefficient in _SERIES:
        if factor == 0.0:
            break
        total += coefficient * factor * place**exponent
        factor *= exponent * (exponent - 1)
        exponent -= 2
    return total


def on_line(start: ArrayLike, count: ArrayLike, point: ArrayLike, power: float) -> Floats:
    """Return Σ |j + ½ − point|^p over the cells j in [start, start + count).

    >>> float(on_line(0, 4, 1.0, 1.0))   # |½−1| + |1½−1| + |2½−1| + |3½−1|
    5.0
    """
    begin, point = np.asarray(start, dtype=np.float64), np.asarray(point, dtype=np.float64)
    if _single(count):
        return np.asarray(np.abs(begin + 0.5 - point) ** power)
    end = begin + np.maximum(np.asarray(count, dtype=np.float64), 0.0)
    turn = np.minimum(
        np.maximum(np.ceil(point - 0.5), begin), end
    )  # first cell whose centre is at or past it
    right = ladder(end - point, power) - ladder(turn - point, power)
    left = ladder(point - begin, power) - ladder(point - turn, power)
    return np.where(end > turn, right, 0.0) + np.where(turn > begin, left, 0.0)


def on_circle(start: ArrayLike, count: ArrayLike, point: ArrayLike, power: float, cells: int) -> Floats:
    """Return Σ d(j + ½, point)^p over a run of cells on a circle; d is the shorter way round.

    >>> float(on_circle(0, 4, 0.5, 1.0, 4))   # 0 + 1 + 2 + 1
    4.0
    """
    point = np.asarray(point, dtype=np.float64)
    if _single(count):
        ahead = np.mod(np.asarray(start, dtype=np.float64) + 0.5 - point, cells)
        return np.asarray(np.minimum(ahead, cells - ahead) ** power)
    turn = np.ceil(point - 0.5)
    first = turn + 0.5 - point  # offset of the first cell at or past the point, in [0, 1)
    begin = np.mod(np.asarray(start, dtype=np.float64) - turn, cells)
    end = begin + np.asarray(count, dtype=np.float64)
    past = np.maximum(end - cells, 0.0)
    near = _clockwise(np.minimum(end, cells), first, power, cells) - _clockwise(begin, first, power, cells)
    return near + _clockwise(past, first, power, cells)


def _single(count: ArrayLike) -> bool:
    """Return whether every run is one cell, as in a table: then its sum is its only term."""
    return bool((np.asarray(count) == 1).all())


def _clockwise(count: Floats, first: Floats, power: float, cells: int) -> Floats:
    """Return the sum over the first ``count`` cells met from the point onward: distances rise, then fall."""
    half = np.floor(cells / 2 - first) + 1
    rising = np.minimum(count, half)
    up = ladder(first - 0.5 + rising, power) - ladder(first - 0.5, power)
    low = cells - first - count + 0.5
    down = ladder(low + count - rising, power) - ladder(low, power)
    return np.where(rising > 0, up, 0.0) + np.where(count > rising, down, 0.0)
