"""Codes of whole outputs, where the fitting rows show few different ones."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from noisewright.audit.encoding.features import Codes
from noisewright.audit.encoding.readable import readable
from noisewright.domains import Floats

MOST_ATOMS = 2_000
ROWS_AN_ATOM = 20
"""Fewer rows on average than this, of either input, and counting would only count accidents."""

GLANCE = 8_000
"""Rows that show cheaply that an output is never seen twice."""

OTHER = "any other output"


@dataclass(frozen=True, eq=False)
class NumberAtoms:
    """Codes of rows of numbers, by equality of every bit (the two zeros are two, and NaN equals nothing).

    >>> atoms = NumberAtoms(*distinct(np.array([[2.0], [1.0], [2.0]])))
    >>> atoms.texts, atoms.codes(np.array([[2.0], [7.0]])).tolist()
    (('1', '2', 'any other output'), [1, 2])
    """

    keys: NDArray[np.uint64]
    rows: Floats

    @property
    def texts(self) -> tuple[str, ...]:
        """Each output in words."""
        rows = self.rows.tolist()
        return (*(readable(row[0] if len(row) == 1 else row) for row in rows), OTHER)

    def codes(self, numbers: Floats) -> Codes:
        """The code of each row; the last for rows that were not seen."""
        if not len(self.keys):
            return np.zeros(len(numbers), dtype=np.int64)
        places = np.searchsorted(self.keys, row_keys(numbers))
        near = np.minimum(places, len(self.keys) - 1)
        # keys only find the candidate: the rows themselves decide, so that no collision merges two outputs
        same = (bits(self.rows)[near] == bits(numbers)).all(axis=1) & ~np.isnan(numbers).any(axis=1)
        return np.where(same, near, len(self.keys)).astype(np.int64)


def few_enough(distinct_outputs: int, rows: int) -> bool:
    """Whether counting outputs one by one is worth it with so many rows of the scarcer input."""
    return distinct_outputs <= MOST_ATOMS and distinct_outputs * ROWS_AN_ATOM <= rows


def number_atoms(left: Floats, right: Floats) -> NumberAtoms | None:
    """Codes of the rows that occur, or nothing where too many different ones do."""
    rows = min(len(left), len(right))
    glance = np.concatenate([left[: GLANCE // 2], right[: GLANCE // 2]])
    if not few_enough(len(np.unique(row_keys(glance))), rows):
        return None
    keys, numbers = distinct(np.concatenate([left, right]))
    return NumberAtoms(keys, numbers) if few_enough(len(keys), rows) else None


def distinct(numbers: Floats) -> tuple[NDArray[np.uint64], Floats]:
    """The different rows with their keys, in order of the keys; of one column, in order of the numbers."""
    numbers = numbers[~np.isnan(numbers).any(axis=1)]
    keys, first = np.unique(row_keys(numbers), return_index=True)
    return keys, numbers[first]


def row_keys(numbers: Floats) -> NDArray[np.uint64]:
    """One word a row: equal rows have equal words, and in one dimension words are ordered as numbers are."""
    words = bits(numbers)
    flipped = np.where(words >> np.uint64(63), ~words, words | np.uint64(1 << 63))
    if numbers.shape[1] == 1:
        return np.asarray(flipped[:, 0])
    total = np.zeros(len(numbers), dtype=np.uint64)
    for column in flipped.T:
        total = _mixed(total ^ column)
    return total


def bits(numbers: Floats) -> NDArray[np.uint64]:
    """The words that doubles are stored in."""
    return np.ascontiguousarray(numbers).view(np.uint64)


def _mixed(words: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Every bit of a word spread over all of them (the finalizer of splitmix64, Steele et al. 2014)."""
    words = (words + np.uint64(0x9E3779B97F4A7C15)).astype(np.uint64)
    words = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    words = (words ^ (words >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return words ^ (words >> np.uint64(31))
