"""Features of outputs: rows of numbers, and codes if there are few different outputs; the number encoder."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from noisewright.audit.basics.outputs import Outputs, readable
from noisewright.domains import Floats

Codes = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Features:
    """The features of some outputs: finite numbers, and codes if there are few different outputs.

    Attributes:
        table: Finite numbers (count, columns).
        atoms: The code of each output, if there are few different ones; else None.

    >>> both = Features(np.array([[0.5], [2.0]]), np.array([0, 1]))
    >>> len(both[1:]), both[1:].atoms.tolist()
    (1, [1])
    """

    table: Floats
    atoms: Codes | None = None

    def __len__(self) -> int:
        return len(self.table)

    def __getitem__(self, rows: slice | NDArray[Any]) -> Features:
        return Features(self.table[rows], None if self.atoms is None else self.atoms[rows])


@dataclass(frozen=True)
class LeftOut:
    """Parts of the outputs that no feature column captures.

    Attributes:
        places: Places met while learning that have no column.
        partly: Places of which only some texts or numbers have one.
        met: Places met while learning.
    """

    places: int = 0
    partly: int = 0
    met: int = 0


@dataclass(frozen=True, eq=False)
class Encoder(ABC):
    """Turns outputs into features by rules that were learned on the fitting rows alone.

    ``kind`` says how ("numbers", "words", "bits"). ``exact`` is whether a code stands for one whole output.
    If it does not (kinds of doubles), events on codes are valid but do not cover what a code leaves out.

    Attributes:
        width: 1 where the first column is the whole output.
        columns: What each column of the table is called.
        atoms: What each code stands for, the last for any output that was not seen; None without codes.
    """

    kind: ClassVar[str]
    exact: ClassVar[bool]

    width: int
    columns: tuple[str, ...]
    atoms: tuple[str, ...] | None

    @property
    def left_out(self) -> LeftOut:
        """Parts of the outputs that no feature column captures; none by default."""
        return LeftOut()

    def value_words(self, column: int, value: float) -> str | None:
        """Return words for outputs with exactly this value in a column; None if it means something else."""
        return f"{self.columns[column]} is exactly {readable(value)}"

    @abstractmethod
    def features(self, outputs: Outputs) -> Features:
        """Return the features of outputs, row by row."""


# -- codes of whole outputs, where the fitting rows show few different ones ----------------------------


MOST_ATOMS = 2_000
ROWS_AN_ATOM = 20
"""The fewest rows per code, on average and for either input; below, counts would be accidents."""

GLANCE = 8_000
"""The number of rows in a first, cheap check that outputs repeat at all."""

OTHER = "any other output"


@dataclass(frozen=True, eq=False)
class NumberAtoms:
    """Codes of rows of numbers, by equality of every bit (the two zeros are two, and NaN equals nothing).

    >>> atoms = NumberAtoms(*distinct_rows(np.array([[2.0], [1.0], [2.0]])))
    >>> atoms.texts, atoms.codes(np.array([[2.0], [7.0]])).tolist()
    (('1', '2', 'any other output'), [1, 2])
    """

    keys: NDArray[np.uint64]
    rows: Floats

    @property
    def texts(self) -> tuple[str, ...]:
        """Each output in words."""
        return (*(readable(row[0] if len(row) == 1 else row) for row in self.rows.tolist()), OTHER)

    def codes(self, numbers: Floats) -> Codes:
        """Return the code of each row; the last for rows that were not seen."""
        if not len(self.keys):
            return np.zeros(len(numbers), dtype=np.int64)
        places = np.searchsorted(self.keys, row_keys(numbers))
        near = np.minimum(places, len(self.keys) - 1)
        # keys only find the candidate: the rows themselves decide, so that no collision merges two outputs
        same = (float_words(self.rows)[near] == float_words(numbers)).all(axis=1)
        same &= ~np.isnan(numbers).any(axis=1)
        return np.where(same, near, len(self.keys)).astype(np.int64)


def few_enough(distinct_outputs: int, rows: int) -> bool:
    """Return whether there are few enough distinct outputs to count them one by one."""
    return distinct_outputs <= MOST_ATOMS and distinct_outputs * ROWS_AN_ATOM <= rows


def number_atoms(left: Floats, right: Floats) -> NumberAtoms | None:
    """Return codes of the rows that occur, or None if there are too many different ones."""
    rows = min(len(left), len(right))
    glance = np.concatenate([left[: GLANCE // 2], right[: GLANCE // 2]])
    if not few_enough(len(np.unique(row_keys(glance))), rows):
        return None
    keys, numbers = distinct_rows(np.concatenate([left, right]))
    return NumberAtoms(keys, numbers) if few_enough(len(keys), rows) else None


def distinct_rows(numbers: Floats) -> tuple[NDArray[np.uint64], Floats]:
    """Return the different rows with their keys, in order of the keys; one column in order of its numbers."""
    numbers = numbers[~np.isnan(numbers).any(axis=1)]
    keys, first = np.unique(row_keys(numbers), return_index=True)
    return keys, numbers[first]


def row_keys(numbers: Floats) -> NDArray[np.uint64]:
    """Return one word per row: equal rows have equal words; in one dimension words are ordered as numbers."""
    words = float_words(numbers)
    flipped = np.where(words >> np.uint64(63), ~words, words | np.uint64(1 << 63))
    if numbers.shape[1] == 1:
        return np.asarray(flipped[:, 0])
    total = np.zeros(len(numbers), dtype=np.uint64)
    for column in flipped.T:
        total = _mix(total ^ column)
    return total


def float_words(numbers: Floats) -> NDArray[np.uint64]:
    """Return the words that doubles are stored in."""
    return np.ascontiguousarray(numbers).view(np.uint64)


def _mix(words: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Spread every bit of a word over all of them (the finalizer of splitmix64, Steele et al. 2014)."""
    words = (words + np.uint64(0x9E3779B97F4A7C15)).astype(np.uint64)
    words = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    words = (words ^ (words >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return words ^ (words >> np.uint64(31))


# -- the encoder ---------------------------------------------------------------------------------------


LARGEST = float(np.finfo(np.float64).max)

LOWEST = float(np.nextafter(-LARGEST, 0))
"""The value for −∞ in a single column: above −LARGEST, which stands for NaN."""

TAME = 1e300
"""Sums and means of a few numbers up to this are still doubles."""

FLAGS = ("not a number", "+infinite", "-infinite")


@dataclass(frozen=True, eq=False)
class NumberEncoder(Encoder):
    """Passes finite numbers on as they are, without a copy, and finds a place for the others.

    One number: −∞ and +∞ go to the ends of the doubles and NaN below both, so the order is kept. Vectors:
    numbers that are not finite, or nearly so, go to an end or the middle of the range seen when fitting. Flag
    columns mark NaN, +∞ and −∞ if fitting saw them. An output of another shape counts as a row of NaN. The
    features of a row depend on that row alone.

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
        names = ("the output",) if width == 1 else tuple(f"number {column + 1}" for column in range(width))
        names += tuple(f"{names[column]} is {FLAGS[which]}" for column, which in flags)
        return cls(width, names, texts, *_range(both), flags, known, listed or width > 1)

    def features(self, outputs: Outputs) -> Features:
        numbers = as_numbers(outputs, self.width, self.listed)
        codes = None if self.known is None else self.known.codes(numbers)
        table = in_order(numbers) if self.width == 1 else _tame(numbers, self.low, self.high)
        if self.flags:
            strange = _strange(numbers)
            table = np.column_stack([table, *(strange[column, which] for column, which in self.flags)])
        return Features(table, codes)

    def value_words(self, column: int, value: float) -> str | None:
        if column >= self.width:
            return self.columns[column] if value else None
        if self.width == 1:
            named = {LARGEST: "+infinite", LOWEST: "-infinite", -LARGEST: "no number"}.get(value)
            return super().value_words(column, value) if named is None else f"the output is {named}"
        low, high = float(self.low[column]), float(self.high[column])
        flagged = column in dict(self.flags)
        filled = flagged and value in (low, high, (low + high) / 2)
        return None if filled else super().value_words(column, value)


def in_order(numbers: Floats) -> Floats:
    """Return numbers of one column, all finite and in their order; NaN ranks below all others."""
    if _within(numbers, -LOWEST):
        return numbers
    return np.nan_to_num(np.maximum(numbers, LOWEST), nan=-LARGEST, posinf=LARGEST)


def is_no_number(column: Floats) -> NDArray[np.bool_]:
    """Return which entries of an ordered column were NaN.

    >>> is_no_number(in_order(np.array([[-np.inf], [np.nan]]))[:, 0]).tolist()
    [False, True]
    """
    return np.asarray(column == -LARGEST)


def _tame(numbers: Floats, low: Floats, high: Floats) -> Floats:
    """Return numbers of several columns; entries too large for sums are replaced."""
    if _within(numbers, TAME):
        return numbers
    middle = np.where(np.isnan(numbers), (low + high) / 2, numbers)
    with np.errstate(invalid="ignore"):
        return np.where(np.abs(numbers) <= TAME, numbers, np.clip(middle, low, high))


def as_numbers(outputs: Outputs, width: int, listed: bool) -> Floats:
    """Return outputs as rows of ``width`` numbers; a row of NaN for an output of another shape.

    A list of one number is not a number; ``listed`` says which of the two is wanted.
    """
    if outputs.numbers is not None and (outputs.width, outputs.listed) == (width, listed):
        return outputs.numbers
    rows = np.full((len(outputs), width), np.nan)
    if outputs.words is not None:
        for place, word in enumerate(outputs.words):
            _read(json.loads(word), rows[place], listed)
    return rows


def _read(output: object, row: Floats, listed: bool) -> None:
    parts = output if isinstance(output, list) else [output]
    found = [number for number in map(_number, parts) if number is not None]
    if isinstance(output, list) == listed and len(parts) == len(found) == len(row):
        row[:] = found


def _number(part: object) -> float | None:
    match part:
        case float():  # a whole number in this form is not a double
            return part
        case {"float": str(name)}:
            return float(name)
    return None


def _within(numbers: Floats, limit: float) -> bool:
    """Return whether all numbers are within a range, without a copy; NaN never is."""
    return not numbers.size or bool(numbers.min() >= -limit and numbers.max() <= limit)


def _range(numbers: Floats) -> tuple[Floats, Floats]:
    """Return the smallest and largest finite number of each column; 0 if there is none."""
    finite, tame = np.isfinite(numbers), np.clip(numbers, -TAME, TAME)
    low = np.min(tame, axis=0, initial=TAME, where=finite)
    high = np.max(tame, axis=0, initial=-TAME, where=finite)
    return np.where(low > high, 0.0, low), np.where(low > high, 0.0, high)


def _strange(numbers: Floats) -> NDArray[np.bool_]:
    """Return which rows carry each flag of each column: (columns, 3, rows)."""
    across = numbers.T
    return np.stack([np.isnan(across), np.isposinf(across), np.isneginf(across)], axis=1)


def fit_encoder(left: Outputs, right: Outputs, bits: bool = False) -> Encoder:
    """Learn an encoder, which turns outputs of any shape into features, from the fitting rows of both inputs.

    Numbers and vectors of one length stay as they are; everything else is parsed as text. With ``bits`` the
    binary form of each number is a feature too; outputs without numbers are then refused.

    Args:
        left: Fitting outputs of the left input.
        right: Fitting outputs of the right input.
        bits: Whether to examine the binary form of numbers.

    >>> encoder = fit_encoder(Outputs.of(["yes", "no"] * 40), Outputs.of(["yes", None] * 40))
    >>> encoder.kind, encoder.atoms
    ('words', ('"yes"', '"no"', 'null', 'any other output'))
    """
    alike = (left.width, left.listed) == (right.width, right.listed)
    if left.numbers is None or right.numbers is None or not alike:
        from noisewright.audit.encoding.word_encoder import WordEncoder  # noqa: PLC0415  (it needs this module)

        return WordEncoder.fit(left.as_words(), right.as_words(), bits)
    if not bits:
        return NumberEncoder.fit(left.numbers, right.numbers, left.listed)
    from noisewright.audit.encoding.float_bits import BitEncoder  # noqa: PLC0415  (it needs this module)

    return BitEncoder.fit(left.numbers, right.numbers, left.listed)
