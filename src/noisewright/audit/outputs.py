"""What a black box gave, of any shape: numbers stay numbers, everything else becomes text that can be kept.

Most mechanisms give a number or a vector of one length. Others give categories, bits, tuples with missing
parts, lists as long as they please, or nothing at all. Those are written as JSON with every float exactly, so
that two outputs are equal if and only if their texts are.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noisewright.domains import Floats
from noisewright.errors import BadMechanism

NUMBER_KINDS = "biuf"
NUMERIC = (bool, int, float, np.generic, np.ndarray, list, tuple)
LARGEST_WHOLE = 1 << 53
"""Whole numbers beyond it are not all doubles, so they are kept as text."""


@dataclass(frozen=True, eq=False)
class Outputs:
    """Outputs in the order they came: ``numbers`` (count, width), or one JSON text each in ``words``.

    >>> Outputs.of([1.5, 2.5]).numbers.tolist(), Outputs.of([1.5, None, (2, "x")]).words.tolist()
    ([[1.5], [2.5]], ['1.5', 'null', '[2, "x"]'])
    """

    numbers: Floats | None = None
    words: NDArray[np.object_] | None = None

    @classmethod
    def of(cls, raw: Any) -> Outputs:
        """Outputs from an array whose first axis counts them, or from a sequence of anything."""
        if isinstance(raw, np.ndarray) and raw.ndim >= 1:
            numbers = _numbers(raw)
            if numbers is not None:
                return cls(numbers)
            raw = raw.tolist()
        if isinstance(raw, str | bytes | Mapping) or not isinstance(raw, Sequence):
            raise BadMechanism(f"outputs must come as an array or a list, got {type(raw).__name__}")
        numbers = _alike(raw)
        return cls(numbers) if numbers is not None else cls(None, _texts(raw))

    @classmethod
    def joined(cls, parts: Sequence[Outputs]) -> Outputs:
        """Several pieces as one; pieces of different shapes all become text."""
        widths = {None if part.numbers is None else part.numbers.shape[1] for part in parts if len(part)}
        if not widths:
            return parts[0] if parts else cls(np.empty((0, 1)))
        if len(widths) == 1 and None not in widths:
            return cls(
                np.concatenate([part.numbers for part in parts if part.numbers is not None and len(part)])
            )
        return cls(None, np.concatenate([part.as_words() for part in parts]))

    @property
    def width(self) -> int:
        """Numbers in an output; 0 where outputs are text."""
        return 0 if self.numbers is None else int(self.numbers.shape[1])

    def as_words(self) -> NDArray[np.object_]:
        """Every output as text; vectors of length one are plain numbers."""
        if self.words is not None:
            return self.words
        assert self.numbers is not None
        rows = self.numbers[:, 0].tolist() if self.width == 1 else self.numbers.tolist()
        return _texts(rows)

    def __len__(self) -> int:
        return len(self.numbers) if self.numbers is not None else len(self._words())

    def __getitem__(self, rows: slice | NDArray[Any]) -> Outputs:
        if self.numbers is not None:
            return Outputs(self.numbers[rows])
        return Outputs(None, self._words()[rows])

    def _words(self) -> NDArray[np.object_]:
        assert self.words is not None
        return self.words


def canonical(output: Any) -> Any:
    """An output in the few kinds that JSON has; what has no value of its own is refused.

    >>> canonical((np.int64(3), float("nan"), bytes([1]), {"b": 1, "a": None}))
    [3, {'float': 'nan'}, {'hex': '01'}, {'a': None, 'b': 1}]
    """
    match output:
        case float() if not math.isfinite(output):
            output = {"float": repr(output)}
        case None | bool() | int() | str() | float():
            pass
        case np.generic():
            output = canonical(output.item())
        case bytes() | bytearray():
            output = {"hex": bytes(output).hex()}
        case tuple() | list() | np.ndarray():
            output = [canonical(part) for part in output]
        case set() | frozenset():
            output = {"set": sorted(json.dumps(canonical(part)) for part in output)}
        case Mapping():
            output = {str(key): canonical(output[key]) for key in sorted(output, key=str)}
        case _:
            raise BadMechanism(
                f"the mechanism returned a {type(output).__name__}, which is no output; return numbers, "
                "text, None, or lists and tuples of them"
            )
    return output


def _texts(raw: Sequence[Any]) -> NDArray[np.object_]:
    texts = np.empty(len(raw), dtype=object)
    texts[:] = [json.dumps(canonical(output)) for output in raw]
    return texts


def _numbers(raw: NDArray[Any]) -> Floats | None:
    if raw.dtype.kind not in NUMBER_KINDS or raw.dtype.itemsize > 8:
        return None
    whole = raw.dtype.kind in "iu" and raw.dtype.itemsize == 8 and raw.size
    if whole and (int(raw.max()) > LARGEST_WHOLE or int(raw.min()) < -LARGEST_WHOLE):
        return None
    return np.asarray(raw, dtype=np.float64).reshape(len(raw), -1)


def _alike(raw: Sequence[Any]) -> Floats | None:
    """Outputs as rows of numbers if every one is a number, or every one a vector of the same length."""
    if not len(raw):
        return np.empty((0, 1))
    if not all(
        isinstance(output, bool | int | float | np.generic | np.ndarray | list | tuple) for output in raw
    ):
        return None
    try:
        table = np.array(raw)
    except (ValueError, OverflowError):  # vectors of several lengths, or whole numbers without end
        return None
    if table.ndim > 2 or (table.dtype.kind == "f" and bool((np.abs(table) >= LARGEST_WHOLE).any())):
        return None  # beside fractions, whole numbers beyond what doubles hold would run together
    return _numbers(table)
