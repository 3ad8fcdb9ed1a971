"""Types of arrays that give back what was put into them.

NumPy makes 0.5 a 0 among integers, "abc" an "a" among letters, and 1 a "1" among texts. A judgement about the
values of a row would then be one about other values.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from noisewright.errors import InvalidParameter

FAMILIES: Final = ("biufc", "U", "S")
"""Kinds that grow into one another: numbers, texts, bytes. All others would change what they mean."""

OBJECTS: Final = np.dtype(object)


def array_of(things: Sequence[Any]) -> NDArray[Any]:
    """Things in a row, as numbers or text if all of them are, and as they are otherwise.

    >>> array_of([1, 0.5]).tolist(), array_of([1, "a"]).tolist(), array_of([(1, 2), (3, 4)]).tolist()
    ([1.0, 0.5], [1, 'a'], [(1, 2), (3, 4)])
    """
    objects = held(things, OBJECTS)
    try:
        plain = np.array(things)
    except (ValueError, OverflowError):  # lists of several lengths
        return objects
    growing = plain.ndim == 1 and plain.dtype.kind in "".join(FAMILIES)
    return plain if growing and all(map(_same, plain.tolist(), things)) else objects


def held(things: Sequence[Any], kind: np.dtype[Any]) -> NDArray[Any]:
    """Things in a row of the given type; among objects, a tuple is one thing."""
    return np.fromiter(things, kind, len(things))


def gives_back(thing: Any, kind: np.dtype[Any]) -> bool:
    """Whether an array of this type holds a thing exactly.

    >>> [gives_back(0.5, np.dtype(kind)) for kind in ("i8", "f8", "U3", "O")]
    [False, True, False, True]
    """
    if kind == OBJECTS:
        return True
    if isinstance(thing, np.void):  # a record, whose fields have names
        return bool(kind == thing.dtype)
    try:
        with np.errstate(all="ignore"):
            array = held([thing], kind)
        # plain numbers compare exactly, where NumPy rounds first; of dates, the plain form may be a number
        back = array[0] if kind.kind in "mM" else array.tolist()[0]
        return _same(back, thing)
    except (TypeError, ValueError, OverflowError):
        return False


def common_type(kinds: Iterable[np.dtype[Any]]) -> np.dtype[Any]:
    """The type that different ones grow into, or that of objects.

    >>> common_type([np.dtype("i4"), np.dtype("f4")]), common_type([np.dtype("i4"), np.dtype("U1")])
    (dtype('float64'), dtype('O'))
    """
    different = set(kinds)
    if len(different) == 1:
        return different.pop()
    if any(all(kind.kind in family for kind in different) for family in FAMILIES):
        return np.result_type(*different)
    return OBJECTS


def grown(array: NDArray[Any], kind: np.dtype[Any]) -> NDArray[Any]:
    """An array in a type that its own grows into."""
    if kind == OBJECTS and array.dtype.kind in "mMV":  # NumPy makes numbers of dates, tuples of records
        return held(list(array.flat), kind).reshape(array.shape)
    if array.dtype.kind in "iu" and kind.kind in "fc":
        _refuse_rounding(array, kind)
    return array.astype(kind, copy=False)


def _same(back: Any, thing: Any) -> bool:
    return bool(back == thing) or (_missing(back) and _missing(thing))


def _missing(thing: Any) -> bool:
    """Whether this is a NaN or its like among dates, which are not equal to themselves."""
    return isinstance(thing, float | complex | np.inexact | np.datetime64 | np.timedelta64) and bool(
        np.isnan(thing)
    )


def _refuse_rounding(array: NDArray[Any], kind: np.dtype[Any]) -> None:
    bits = np.finfo(kind).nmant + 1
    if max(int(array.max(initial=0)), -int(array.min(initial=0))) > 1 << bits:
        raise InvalidParameter(
            f"whole numbers beyond 2^{bits} would be rounded beside fractions; let the samplers return "
            "arrays of dtype=object, or fractions alone"
        )
