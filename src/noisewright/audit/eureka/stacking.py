"""Databases as one array: a column for each row that a database has, and values that a row may have."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noisewright.audit.eureka.holding import OBJECTS, array_of, common_type, gives_back, grown, held
from noisewright.errors import BadMechanism, InvalidParameter


def column_of(drawn: Any, count: int) -> NDArray[Any]:
    """What a sampler gave for one row of so many databases: (count,), or (count, attributes) of an array.

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


def stacked(columns: Sequence[NDArray[Any]], values: Sequence[Any] = ()) -> NDArray[Any]:
    """Databases one below the other, in a type that also holds the ``values`` that a row may have.

    >>> stacked([np.array([1, 0]), np.array([1, 1])], [0, 0.5]).dtype
    dtype('float64')
    >>> stacked([np.array([1, 0]), np.array(["a", "b"])]).tolist()
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
    return np.stack([grown(column, kind) for column in columns], axis=1)


def set_row(databases: NDArray[Any], row: int, value: Any) -> None:
    """Let a row have one of the values that the databases were stacked for.

    >>> pairs = stacked([np.array(["a", "b"])] * 2, ["abc"])
    >>> set_row(pairs, 1, "abc")
    >>> pairs.tolist()
    [['a', 'abc'], ['b', 'abc']]
    """
    shape = databases.shape[2:]
    databases[:, row] = held(_attributes(value, shape), databases.dtype).reshape(shape)


def _type_of(columns: Sequence[NDArray[Any]], parts: Sequence[Any]) -> np.dtype[Any]:
    """That of the columns if it holds every part of a value, else one that grew, else objects."""
    drawn = common_type(column.dtype for column in columns)
    if all(gives_back(part, drawn) for part in parts):
        return drawn
    wider = common_type([drawn, *(array_of([part]).dtype for part in parts)])
    return wider if all(gives_back(part, wider) for part in parts) else OBJECTS


def _attributes(value: Any, shape: tuple[int, ...]) -> list[Any]:
    """A value by its attributes, or as one thing where rows have none."""
    if not shape:
        return [value]
    try:
        table = grown(value, OBJECTS) if isinstance(value, np.ndarray) else np.array(value, dtype=object)
    except ValueError:  # parts of several lengths
        table = np.empty(0, dtype=object)
    if table.shape != shape:
        raise InvalidParameter(
            f"a value lacks attributes of a row or has others; give a tuple or an array of shape {shape}"
        )
    return list(table.flat)
