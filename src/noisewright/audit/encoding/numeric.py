"""Outputs that are numbers, or vectors of one length."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from noisewright.audit.encoding.atoms import NumberAtoms, number_atoms
from noisewright.audit.encoding.encoder import Encoder
from noisewright.audit.encoding.features import Features
from noisewright.audit.outputs import Outputs
from noisewright.domains import Floats

LARGEST = float(np.finfo(np.float64).max)
LOWEST = float(np.nextafter(-LARGEST, 0))
"""Where −∞ stands in a single column: above −LARGEST, which is for what is no number."""

TAME = 1e300
"""Sums and means of a few numbers up to this are still doubles."""

FLAGS = ("not a number", "+infinite", "-infinite")


@dataclass(frozen=True, eq=False)
class NumberEncoder(Encoder):
    """Passes finite numbers on as they are, without a copy, and finds a place for the others.

    One number: −∞ and +∞ go to the ends of the doubles and NaN below both, so that order means what it says.
    Vectors: what is not finite, or nearly so, goes to an end or the middle of the range seen when fitting,
    and a flag column each tells NaN, +∞ and −∞ where fitting saw them. An output of another shape counts as
    a row of NaN. The features of a row depend on that row alone.

    >>> encoder = NumberEncoder.fit(np.array([[0.5], [1.5]]), np.array([[2.5], [np.inf]]))
    >>> encoder.features(Outputs.of([0.5, float("inf"), None])).table[:, 0].tolist()
    [0.5, 1.7976931348623157e+308, -1.7976931348623157e+308]
    """

    low: Floats
    high: Floats
    flags: tuple[tuple[int, int], ...]
    known: NumberAtoms | None
    listed: bool = False

    kind = "numbers"
    exact = True

    @classmethod
    def fit(cls, left: Floats, right: Floats, listed: bool = False) -> Self:
        """Learn ranges, flags and atoms from the fitting rows of both inputs."""
        width = left.shape[1]
        both = np.concatenate([left, right]) if width > 1 else left[:0]  # one number needs neither
        flags = tuple((column, which) for column, which in np.argwhere(_strange(both).any(axis=2)).tolist())
        known = number_atoms(left, right)
        texts = None if known is None else known.texts
        return cls(width, _names(width, flags), texts, *_range(both), flags, known, listed or width > 1)

    def features(self, outputs: Outputs) -> Features:
        numbers = as_numbers(outputs, self.width, self.listed)
        codes = None if self.known is None else self.known.codes(numbers)
        return Features(self._table(numbers), codes)

    def value_words(self, column: int, value: float) -> str | None:
        if column >= self.width:
            return self.columns[column] if value else None
        if self.width == 1:
            named = {LARGEST: "+infinite", LOWEST: "-infinite", -LARGEST: "no number"}.get(value)
            return super().value_words(column, value) if named is None else f"the output is {named}"
        low, high = float(self.low[column]), float(self.high[column])
        filled = any(flagged == column for flagged, _ in self.flags) and value in (
            low,
            high,
            (low + high) / 2,
        )
        return None if filled else super().value_words(column, value)

    def _table(self, numbers: Floats) -> Floats:
        if self.width == 1:
            return in_order(numbers)
        tame = _tamed(numbers, self.low, self.high)
        if not self.flags:
            return tame
        strange = _strange(numbers)
        return np.column_stack([tame, *(strange[column, which] for column, which in self.flags)])


def in_order(numbers: Floats) -> Floats:
    """Numbers of one column, all finite and in their order; what is no number stands below all others."""
    if _within(numbers, -LOWEST):
        return numbers
    return np.nan_to_num(np.maximum(numbers, LOWEST), nan=-LARGEST, posinf=LARGEST)


def is_no_number(column: Floats) -> NDArray[np.bool_]:
    """Which of some numbers in order were none.

    >>> is_no_number(in_order(np.array([[-np.inf], [np.nan]]))[:, 0]).tolist()
    [False, True]
    """
    return np.asarray(column == -LARGEST)


def _tamed(numbers: Floats, low: Floats, high: Floats) -> Floats:
    """Numbers of several columns; entry by entry, those that sums would not survive are replaced."""
    if _within(numbers, TAME):
        return numbers
    middle = np.where(np.isnan(numbers), (low + high) / 2, numbers)
    with np.errstate(invalid="ignore"):
        return np.where(np.abs(numbers) <= TAME, numbers, np.clip(middle, low, high))


def as_numbers(outputs: Outputs, width: int, listed: bool) -> Floats:
    """Outputs as rows of so many numbers; a row of NaN for an output of another shape.

    A list of one number is no number, and ``listed`` tells which of the two is wanted.
    """
    if outputs.numbers is not None and (outputs.width, outputs.listed) == (width, listed):
        return outputs.numbers
    rows = np.full((len(outputs), width), np.nan)
    if outputs.words is not None:
        for place, word in enumerate(outputs.words):
            _read(json.loads(word), rows[place], listed)
    return rows


def _read(output: object, row: Floats, listed: bool) -> None:
    if isinstance(output, list) != listed:
        return
    parts = output if isinstance(output, list) else [output]
    found = [number for number in map(_number, parts) if number is not None]
    if len(parts) == len(found) == len(row):
        row[:] = found


def _number(part: object) -> float | None:
    match part:
        case float():  # a whole number that is written as such is none of the doubles
            return part
        case {"float": str(name)}:
            return float(name)
    return None


def _within(numbers: Floats, limit: float) -> bool:
    """Two looks without a copy; NaN passes through minimum and maximum, and is within nothing."""
    return not numbers.size or bool(numbers.min() >= -limit and numbers.max() <= limit)


def _range(numbers: Floats) -> tuple[Floats, Floats]:
    """Smallest and largest finite number of each column; 0 where there is none."""
    finite, tame = np.isfinite(numbers), np.clip(numbers, -TAME, TAME)
    low = np.min(tame, axis=0, initial=TAME, where=finite)
    high = np.max(tame, axis=0, initial=-TAME, where=finite)
    return np.where(low > high, 0.0, low), np.where(low > high, 0.0, high)


def _names(width: int, flags: tuple[tuple[int, int], ...]) -> tuple[str, ...]:
    names = ("the output",) if width == 1 else tuple(f"number {column + 1}" for column in range(width))
    return names + tuple(f"{names[column]} is {FLAGS[which]}" for column, which in flags)


def _strange(numbers: Floats) -> NDArray[np.bool_]:
    """For each column and flag, which rows carry it: (columns, 3, rows)."""
    across = numbers.T
    return np.stack([np.isnan(across), np.isposinf(across), np.isneginf(across)], axis=1)
