"""Sorting without looking: which rows are compared, and in what order, depends on their number alone.

Batcher's odd–even merge sort (Knuth, The Art of Computer Programming 3, 5.3.4, algorithm M) needs about
n·(log₂ n)²/4 comparisons in (log₂ n)·(log₂ n + 1)/2 layers; those of one layer touch different rows and are
done at once. The same code sorts plain integers and secret-shared ones: it only subtracts, multiplies by the
outcome of a comparison, and moves rows by public places.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noisewright.parameters import whole

MOST_ROWS = 1 << 20

Places = NDArray[np.int64]


@dataclass(frozen=True)
class Layer:
    """Comparisons that can be done at once: after it, row low[i] comes before row high[i] for every i."""

    low: Places
    high: Places
    rows: int

    @cached_property
    def idle(self) -> Places:
        """Rows that take no part in the layer."""
        return np.setdiff1d(np.arange(self.rows), np.concatenate((self.low, self.high)))

    @cached_property
    def back(self) -> Places:
        """Where each row stands among the rows of low, high and idle, one after the other."""
        return np.argsort(np.concatenate((self.low, self.high, self.idle)))


def layers(rows: int) -> Iterator[Layer]:
    """Yield the layers of the network for a number of rows.

    >>> [(layer.low.tolist(), layer.high.tolist()) for layer in layers(4)]
    [([0, 1], [2, 3]), ([0, 2], [1, 3]), ([1], [2])]
    """
    places = np.arange(whole("rows to sort", rows, 2, MOST_ROWS))
    largest = 1 << ((rows - 1).bit_length() - 1)
    step = largest
    while step:
        distance, following, offset = step, largest, 0
        while distance:
            low = places[: rows - distance]
            low = low[low & step == offset]
            yield Layer(low, low + distance, rows)
            distance, following, offset = following - step, following >> 1, step
        step >>= 1


def comparisons(rows: int) -> int:
    """Return the number of comparisons that the network makes.

    >>> comparisons(4), comparisons(1000)
    (5, 23499)
    """
    return sum(len(layer.low) for layer in layers(rows))


def apply_layer(rows: Any, layer: Layer, less: Callable[[Any, Any], Any]) -> Any:
    """Return the rows after one layer: the first column is the key, the others travel with it.

    ``less`` compares two columns and answers 1 or 0 for each pair, in whatever form the rows have.
    """
    low, high = rows[layer.low], rows[layer.high]
    swap = less(high[:, 0], low[:, 0]).reshape(len(layer.low), 1)
    change = swap * (high - low)
    parts = [low + change, high - change] + ([rows[layer.idle]] if len(layer.idle) else [])
    return np.concatenate(parts)[layer.back]


def sort_plain(rows: NDArray[Any]) -> NDArray[Any]:
    """Sort rows that are not secret, by the same steps that sort secret ones: for tests and for checking.

    >>> sort_plain(np.array([[3, 30], [1, 10], [2, 20]])).tolist()
    [[1, 10], [2, 20], [3, 30]]
    """
    kind = rows.dtype
    for layer in layers(len(rows)):
        rows = apply_layer(rows, layer, lambda left, right: (left < right).astype(kind))
    return rows
