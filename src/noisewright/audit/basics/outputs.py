"""Outputs of a black box, of any shape: numbers stay numbers, everything else becomes text that can be kept.

Most mechanisms give a number or a vector of one length. Others give categories, bits, tuples with missing
parts, lists of any length, or nothing at all. Those are written as JSON with every float exactly.
The text of an output depends on that output alone, never on others in the same batch: otherwise rows would
not be independent, and no bound would hold.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from noisewright.domains import Floats
from noisewright.errors import BadMechanism
from noisewright.text import visible

NUMBER_KINDS = "biuf"
LARGEST_WHOLE = 1 << 53
"""Whole numbers beyond it are not all doubles, so they are kept as text."""


@dataclass(frozen=True, eq=False)
class Outputs:
    """Outputs in the order they came, as rows of numbers or as one JSON text each.

    Attributes:
        numbers: Outputs that are numbers, or vectors of one length: an array (count, width); else None.
        words: All other outputs, as one JSON text each; else None.
        listed: Whether the outputs are lists, which distinguishes lists of one number from plain numbers.

    >>> Outputs.of([1.5, 2.5]).numbers.tolist(), Outputs.of([1.5, None, (2, "x")]).words.tolist()
    ([[1.5], [2.5]], ['1.5', 'null', '[2.0, "x"]'])
    """

    numbers: Floats | None = None
    words: NDArray[np.object_] | None = None
    listed: bool = False

    def __post_init__(self) -> None:
        if self.width > 1:
            object.__setattr__(self, "listed", True)

    @classmethod
    def of(cls, raw: Any) -> Outputs:
        """Return outputs from an array whose first axis counts them, or from a sequence of anything."""
        if isinstance(raw, np.ndarray) and raw.ndim >= 1:
            numbers = _numbers(raw)
            if numbers is not None:
                return cls(numbers, listed=raw.ndim > 1)
            raw = raw.tolist()
        if isinstance(raw, str | bytes | Mapping) or not isinstance(raw, Sequence):
            raise BadMechanism(f"outputs must come as an array or a list, got {type(raw).__name__}")
        numbers = _alike(raw)
        if numbers is None:
            return cls(None, _texts(raw))
        return cls(numbers, listed=len(raw) > 0 and np.ndim(raw[0]) > 0)

    @classmethod
    def join(cls, parts: Sequence[Outputs]) -> Outputs:
        """Join several pieces; pieces of different shapes all become text."""
        full = [part for part in parts if len(part)]
        if not full:
            return parts[0] if parts else cls(np.empty((0, 1)))
        tables = [part.numbers for part in full if part.numbers is not None]
        shapes = {(part.width, part.listed) for part in full}
        if len(shapes) == 1 and len(tables) == len(full):
            return cls(np.concatenate(tables), listed=full[0].listed)
        return cls(None, np.concatenate([part.as_words() for part in parts]))

    @property
    def width(self) -> int:
        """Numbers in an output; 0 where outputs are text."""
        return 0 if self.numbers is None else int(self.numbers.shape[1])

    def as_words(self) -> NDArray[np.object_]:
        """Return every output as text, the same as if it had come alone."""
        if self.words is not None:
            return self.words
        assert self.numbers is not None
        rows = self.numbers.tolist() if self.listed else self.numbers[:, 0].tolist()
        return _texts(rows)

    def __len__(self) -> int:
        return len(self.numbers) if self.numbers is not None else len(self._words())

    def __getitem__(self, rows: slice | NDArray[Any]) -> Outputs:
        if self.numbers is not None:
            return Outputs(self.numbers[rows], listed=self.listed)
        return Outputs(None, self._words()[rows])

    def _words(self) -> NDArray[np.object_]:
        assert self.words is not None
        return self.words


def canonical(output: Any) -> Any:
    """Return an output in the few kinds that JSON has; objects without a value of their own are refused.

    1, 1.0 and true are one output, and so are a list and a tuple; the two zeros are two. Kinds that JSON
    lacks are wrapped under a name that no other output can have.

    >>> canonical((np.int64(3), float("nan"), bytes([1]), {"b": 1, "a": None}))
    [3.0, {'float': 'nan'}, {'hex': '01'}, {'dict': [['a', None], ['b', 1.0]]}]
    """
    match output:
        case None | str():
            return output
        case bool() | int() | float():
            return _number(output)
        case np.generic() | np.ndarray():
            found = output.tolist()  # numbers with more digits than a double lose them
            return canonical(float(found) if isinstance(found, np.generic) else found)
        case bytes() | bytearray():
            return {"hex": bytes(output).hex()}
    return _compound(output)


def _number(number: float) -> Any:
    if isinstance(number, int):
        return float(number) if abs(number) <= LARGEST_WHOLE else number
    return number if math.isfinite(number) else {"float": repr(number)}


def _compound(output: Any) -> Any:
    match output:
        case tuple() | list():
            return [canonical(part) for part in output]
        case set() | frozenset():
            return {"set": sorted(json.dumps(canonical(part)) for part in output)}
        case Mapping():
            pairs = [[canonical(key), canonical(value)] for key, value in output.items()]
            return {"dict": sorted(pairs, key=json.dumps)}
    raise BadMechanism(
        f"the mechanism returned a {type(output).__name__}, which is not an output; return numbers, "
        "text, bytes, None, or lists, sets and dictionaries of them"
    )


def _texts(raw: Sequence[Any]) -> NDArray[np.object_]:
    texts = np.empty(len(raw), dtype=object)
    try:
        texts[:] = [json.dumps(canonical(output)) for output in raw]
    except RecursionError:
        raise BadMechanism("the mechanism returned lists nested too deep to be kept") from None
    except ValueError:  # whole numbers of thousands of digits cannot be written out
        raise BadMechanism("the mechanism returned a whole number that is too long to be kept") from None
    return texts


def _numbers(raw: NDArray[Any]) -> Floats | None:
    if raw.dtype.kind not in NUMBER_KINDS or raw.dtype.itemsize > 8:
        return None
    whole = raw.dtype.kind in "iu" and raw.dtype.itemsize == 8 and raw.size
    if whole and (int(raw.max()) > LARGEST_WHOLE or int(raw.min()) < -LARGEST_WHOLE):
        return None
    return np.asarray(raw, dtype=np.float64).reshape(len(raw), math.prod(raw.shape[1:]))


def _alike(raw: Sequence[Any]) -> Floats | None:
    """Return outputs as rows of numbers if all are numbers, or all are vectors of the same length."""
    if not len(raw):
        return np.empty((0, 1))
    if not all(
        isinstance(output, bool | int | float | np.generic | np.ndarray | list | tuple) for output in raw
    ):
        return None
    try:
        table = np.array(raw)
    except (ValueError, OverflowError):  # vectors of several lengths, or whole numbers too large
        return None
    if table.ndim > 2 or (table.dtype.kind == "f" and _run_together(raw, table)):
        return None
    return _numbers(table)


def _run_together(raw: Sequence[Any], table: Floats) -> bool:
    """Return whether whole numbers too large for exact doubles stand beside fractions."""
    if not (np.abs(table[np.isfinite(table)]) >= LARGEST_WHOLE).any():
        return False
    each = raw if table.ndim == 1 else (number for output in raw for number in output)
    return any(isinstance(number, int | np.integer) and abs(int(number)) >= LARGEST_WHOLE for number in each)


# -- outputs for people --------------------------------------------------------------------------------


NOT_FINITE: Final = {"nan": "NaN", "inf": "∞", "-inf": "-∞"}

LONGEST: Final = 60
"""Letters of a text that are shown."""


def readable(output: Any) -> str:
    """Return an output for people: whole numbers without a point, the two zeros apart, texts without escapes.

    >>> readable([3.0, -0.0, None, 1e300, 'say "hi"'])
    '[3, -0.0, null, 1e+300, "say "hi""]'
    >>> readable({"dict": [["alarm", 1.0], ["why", {"float": "nan"}]]}), readable({"set": ["1.0", "2.0"]})
    ('{alarm: 1, why: NaN}', '{1, 2}')
    """
    match output:
        case str():
            return f'"{_one_line(output)}"' if output else "an empty text"
        case list():
            return f"[{', '.join(map(readable, output))}]"
        case float() if abs(output) < 1 << 53 and output == int(output):
            minus_zero = output == 0 and math.copysign(1, output) < 0
            return "-0.0" if minus_zero else str(int(output))
        case dict():
            return _kind_words(output)
    return json.dumps(output)


def _kind_words(output: dict[str, Any]) -> str:
    """Return the kinds that JSON lacks for people; they are wrapped under a name (:func:`canonical`)."""
    match output:
        case {"float": str(name)}:
            return NOT_FINITE[name]
        case {"hex": str(digits)}:
            return f"the bytes {_one_line(digits)}" if digits else "no bytes"
        case {"set": list(members)}:
            return "{" + ", ".join(readable(json.loads(member)) for member in members) + "}"
        case {"dict": list(pairs)}:
            named = [
                (_one_line(key) if isinstance(key, str) else readable(key), value) for key, value in pairs
            ]
            return "{" + ", ".join(f"{key}: {readable(value)}" for key, value in named) + "}"
    return json.dumps(output)


def _one_line(text: str) -> str:
    """Return a text on one line, cut if it is long."""
    return visible(text if len(text) <= LONGEST else f"{text[:LONGEST]}…")


# -- sets of outputs in words --------------------------------------------------------------------------


MOST = 5
CLOSING = {"[": "]", "{": "}", '"': '"'}


def list_texts(texts: Sequence[str], negation: str = "") -> str:
    """Return a few texts in a row, and how many more there are.

    >>> list_texts(["a"]), list_texts(["a", "b"]), list_texts(list("abcdefg"), "not ")
    ('a', 'one of a, b', 'not one of a, b, c, d, e and 2 more')
    """
    shown = ", ".join(map(shorten, texts[:MOST]))
    more = f" and {len(texts) - MOST:,} more" if len(texts) > MOST else ""
    return f"{negation}{'one of ' if len(texts) > 1 else ''}{shown}{more}"


def list_kinds(texts: Sequence[str], negation: str = "") -> str:
    """Return kinds of outputs that each take several words: two of them, and how many there are.

    >>> list_kinds(["an odd number", "a square", "zero"])
    'any of 3 kinds of numbers, such as an odd number, or a square'
    >>> list_kinds(["an odd number"], "not ")
    'not an odd number'
    """
    if len(texts) < 3:
        return negation + f", {'nor' if negation else 'or'} ".join(texts)
    return f"{negation}any of {len(texts):,} kinds of numbers, such as {texts[0]}, or {texts[1]}"


def shorten(text: str) -> str:
    """Return a text that is not too long, with its closing bracket.

    >>> shorten(f"[{'1, ' * 100}2]")[-7:]
    '1, 1,…]'
    """
    if len(text) <= LONGEST + len('"…"'):
        return text
    return f"{text[:LONGEST]}…{CLOSING.get(text[0], '')}"


def in_intervals(edges: Floats, inside: Sequence[bool], what: str = "the output") -> str:
    """Return a union of bins in words; bin k holds numbers above edge k − 1 and at most edge k.

    >>> in_intervals(np.array([0.0, 1.0, 2.0]), [False, True, True, True])
    'the output is above 0'
    >>> in_intervals(np.array([0.0, 1.0, 2.0]), [True, False, True, False])
    'the output is at most 0, or above 1 and at most 2'
    """
    ends = np.concatenate([[-np.inf], edges, [np.inf]])
    changes = np.flatnonzero(np.diff(np.concatenate([[False], inside, [False]]).astype(int)))
    pairs = [(ends[start], ends[stop]) for start, stop in changes.reshape(-1, 2)]
    if not pairs:
        return f"{what} is nothing that was seen"
    more = f" and {len(pairs) - MOST} more intervals" if len(pairs) > MOST else ""
    return f"{what} is {', or '.join(_interval(*pair) for pair in pairs[:MOST])}{more}"


def _interval(low: float, high: float) -> str:
    if np.isinf(low):
        return "anything" if np.isinf(high) else f"at most {high:.6g}"
    if np.isinf(high):
        return f"above {low:.6g}"
    if high <= np.nextafter(low, np.inf):
        return f"exactly {high:.17g}"
    return f"above {low:.6g} and at most {high:.6g}"
