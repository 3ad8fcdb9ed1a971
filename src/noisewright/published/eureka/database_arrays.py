"""Databases as one array: a column for each row that a database has, and values that a row may have.

NumPy makes 0.5 a 0 among integers, "abc" an "a" among letters, and 1 a "1" among texts. A judgement about the
values of a row would then be one about other values, so types are chosen that give back what was put in.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from noisewright.errors import BadMechanism, InvalidParameter

# -- types of arrays that give back what was put into them ---------------------------------------------


FAMILIES: Final = ("biufc", "U", "S")
"""Kinds that grow into one another: numbers, texts, bytes. All others would change what they mean."""

OBJECTS: Final = np.dtype(object)


def array_of(things: Sequence[Any]) -> NDArray[Any]:
    """Return things in an array, as numbers or text if all of them are, else as objects.

    >>> array_of([1, 0.5]).tolist(), array_of([1, "a"]).tolist(), array_of([(1, 2), (3, 4)]).tolist()
    ([1.0, 0.5], [1, 'a'], [(1, 2), (3, 4)])
    """
    objects = as_type(things, OBJECTS)
    try:
        plain = np.array(things)
    except (ValueError, OverflowError):  # lists of several lengths
        return objects
    growing = plain.ndim == 1 and plain.dtype.kind in "".join(FAMILIES)
    return plain if growing and all(map(_same, plain.tolist(), things)) else objects


def as_type(things: Sequence[Any], kind: np.dtype[Any]) -> NDArray[Any]:
    """Return things in an array of the given type; among objects, a tuple is one thing."""
    return np.fromiter(things, kind, len(things))


def gives_back(thing: Any, kind: np.dtype[Any]) -> bool:
    """Return whether an array of this type holds a thing exactly.

    >>> [gives_back(0.5, np.dtype(kind)) for kind in ("i8", "f8", "U3", "O")]
    [False, True, False, True]
    """
    if kind == OBJECTS:
        return True
    if isinstance(thing, np.void):  # a record, whose fields have names
        return bool(kind == thing.dtype)
    try:
        with np.errstate(all="ignore"):
            array = as_type([thing], kind)
        # plain numbers compare exactly, where NumPy rounds first; of dates, the plain form may be a number
        back = array[0] if kind.kind in "mM" else array.tolist()[0]
        return _same(back, thing)
    except (TypeError, ValueError, OverflowError):
        return False


def common_type(kinds: Iterable[np.dtype[Any]]) -> np.dtype[Any]:
    """Return the type that different ones grow into, or that of objects.

    >>> common_type([np.dtype("i4"), np.dtype("f4")]), common_type([np.dtype("i4"), np.dtype("U1")])
    (dtype('float64'), dtype('O'))
    """
    different = set(kinds)
    if len(different) == 1:
        return different.pop()
    if any(all(kind.kind in family for kind in different) for family in FAMILIES):
        return np.result_type(*different)
    return OBJECTS


def convert_array(array: NDArray[Any], kind: np.dtype[Any]) -> NDArray[Any]:
    """Return an array in a type that its own grows into."""
    if kind == OBJECTS and array.dtype.kind in "mMV":  # NumPy makes numbers of dates, tuples of records
        return as_type(list(array.flat), kind).reshape(array.shape)
    if array.dtype.kind in "iu" and kind.kind in "fc":
        _refuse_rounding(array, kind)
    return array.astype(kind, copy=False)


def _same(back: Any, thing: Any) -> bool:
    return bool(back == thing) or (_missing(back) and _missing(thing))


def _missing(thing: Any) -> bool:
    """Return whether this is a NaN or a missing date, which are not equal to themselves."""
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


# -- databases -----------------------------------------------------------------------------------------


def column_of(drawn: Any, count: int) -> NDArray[Any]:
    """Return a sampler's values of one row in ``count`` databases: (count,), or (count, attributes).

    >>> column_of(np.zeros((5, 2)), 5).shape, column_of([("Ann", 31), ("Bob", 57)], 2).shape
    ((5, 2), (2,))
    """
    if np.ma.is_masked(drawn):
        raise InvalidParameter("a sampler returned masked values, whose masks get lost; fill them")
    column = array_of(drawn) if isinstance(drawn, list | tuple) else np.asarray(drawn)
    if column.shape[:1] != (count,):
        given = len(column) if column.ndim else "no array"
        raise BadMechanism(f"a sampler returned {given} for {count} databases; let it return one row each")
    return column


def stack_columns(columns: Sequence[NDArray[Any]], values: Sequence[Any] = ()) -> NDArray[Any]:
    """Return databases one below the other, in a type that also holds the ``values`` of a row.

    >>> stack_columns([np.array([1, 0]), np.array([1, 1])], [0, 0.5]).dtype
    dtype('float64')
    >>> stack_columns([np.array([1, 0]), np.array(["a", "b"])]).tolist()
    [[1, 'a'], [0, 'b']]
    """
    shapes = {column.shape[1:] for column in columns}
    if len(shapes) != 1:
        raise InvalidParameter(
            "rows have different numbers of attributes, or there are none; give samplers of rows that are "
            "alike, or let them return lists of tuples"
        )
    parts = [part for value in values for part in _attributes(value, *shapes)]
    kind = _type_of(columns, parts)
    return np.stack([convert_array(column, kind) for column in columns], axis=1)


def set_row(databases: NDArray[Any], row: int, value: Any) -> None:
    """Set a row to one of the values that the databases were stacked for.

    >>> pairs = stack_columns([np.array(["a", "b"])] * 2, ["abc"])
    >>> set_row(pairs, 1, "abc")
    >>> pairs.tolist()
    [['a', 'abc'], ['b', 'abc']]
    """
    shape = databases.shape[2:]
    databases[:, row] = as_type(_attributes(value, shape), databases.dtype).reshape(shape)


def _type_of(columns: Sequence[NDArray[Any]], parts: Sequence[Any]) -> np.dtype[Any]:
    """Return the type of the columns if it holds every part of a value, else a wider one, else objects."""
    drawn = common_type(column.dtype for column in columns)
    if all(gives_back(part, drawn) for part in parts):
        return drawn
    wider = common_type([drawn, *(array_of([part]).dtype for part in parts)])
    return wider if all(gives_back(part, wider) for part in parts) else OBJECTS


def _attributes(value: Any, shape: tuple[int, ...]) -> list[Any]:
    """Return a value by its attributes, or as one thing if rows have none."""
    if not shape:
        return [value]
    try:
        table = (
            convert_array(value, OBJECTS) if isinstance(value, np.ndarray) else np.array(value, dtype=object)
        )
    except ValueError:  # parts of several lengths
        table = np.empty(0, dtype=object)
    if table.shape != shape:
        raise InvalidParameter(
            f"a value lacks attributes of a row or has others; give a tuple or an array of shape {shape}"
        )
    return list(table.flat)
