"""A fingerprint that shows whether kept results belong to this algorithm and these data.

Pickles and ``repr`` do not serve: they change with memory addresses and with what happens to be shared. Here
values are read by their structure, and functions by their compiled code, their closures, and the code of
their author that they use (:mod:`noisewright.io.dependencies` says how far that goes).
"""

from __future__ import annotations

import dataclasses
import functools
import hashlib
import platform
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from enum import Enum
from importlib.metadata import version
from types import CellType, CodeType, FunctionType, MethodType
from typing import Any, Final

import joblib
import numpy as np

from noisewright import __version__
from noisewright.errors import InvalidParameter
from noisewright.io.dependencies import SCALARS, parts_of, used_by

LIBRARIES: Final = ("numpy", "scipy", "scikit-learn", "joblib")
"""Libraries whose versions may move a result."""


def digest(*values: Any, follows: bool = True) -> str:
    """Return a SHA-256 of values by their structure, the same in every process.

    For data ``follows=False`` looks at nothing behind functions and classes.

    >>> digest([1, "a"]) == digest([1, "a"]), digest(1) == digest(1.0), digest("ab", "c") == digest("a", "bc")
    (True, False, False)
    """
    reader = _Reader()
    reader.read(values)
    while follows and reader.waiting:  # one after the other: chains of helpers may be long
        reader.several("followed", list(reader.waiting.popleft()))
    return reader.hash.hexdigest()


def versions() -> dict[str, str]:
    """Return the versions that results were computed with."""
    found = {"python": platform.python_version(), "noisewright": __version__}
    return found | {name: version(name) for name in LIBRARIES}


class _Reader:
    """Feeds a hash; before every piece stand its kind and length, so that no two values run together."""

    def __init__(self, opened: Sequence[int] = ()) -> None:
        self.hash = hashlib.sha256()
        self.open = list(opened)
        self.met: dict[int, Any] = {}
        self.waiting: deque[Iterable[Any]] = deque()

    def piece(self, kind: str, content: Any) -> None:
        view = memoryview(content).cast("B") if len(content) else b""
        self.hash.update(f"{kind} {len(view)}:".encode())
        self.hash.update(view)

    def read(self, value: Any) -> None:
        if isinstance(value, SCALARS):
            self.piece(type(value).__name__, repr(value).encode())
        elif isinstance(value, np.ndarray) and not value.dtype.hasobject:
            self.piece(f"array {value.dtype.str} {value.shape}", np.ascontiguousarray(value).reshape(-1))
        elif id(value) in self.open:  # a function may have closed over itself
            self.piece("again", b"")
        else:
            self.open.append(id(value))
            self.parts(value)
            self.open.pop()

    def parts(self, value: Any) -> None:
        match value:
            case tuple() | list():
                self.several(type(value).__name__, value)
            case dict():
                self.several("dict", [part for pair in value.items() for part in pair])
            case set() | frozenset():  # in no order of its own
                self.several("set", sorted(value, key=self.own_digest))
            case np.ndarray():
                self.several(f"objects {value.shape}", value.ravel().tolist())
            case type():
                self.piece("class", f"{value.__module__}.{value.__qualname__}".encode())
                self.behind(value, parts_of)
            case FunctionType():
                cells = [_content(cell) for cell in value.__closure__ or ()]
                self.several("function", [value.__code__, value.__defaults__, value.__kwdefaults__, cells])
                self.behind(value, used_by)
            case CodeType():
                self.several("code", [value.co_code, value.co_consts, value.co_names])
            case MethodType() | functools.partial() | functools._lru_cache_wrapper() | Enum():
                self.several(f"{type(value).__name__} of", _held(value))
            case _ if dataclasses.is_dataclass(value):
                held = [getattr(value, field.name) for field in dataclasses.fields(value)]
                self.several("dataclass", [type(value), *held])
            case _:
                self.piece("other", _joblib_hash(value).encode())
                self.read(type(value))

    def own_digest(self, part: Any) -> str:
        """Return the digest of a part alone, with nothing behind it, to put parts in order."""
        reader = _Reader(self.open)
        reader.read(part)
        return reader.hash.hexdigest()

    def behind(self, value: Any, follow: Callable[[Any], Iterable[Any]]) -> None:
        """Queue what lies behind a function or a class, to be read later and once."""
        if id(value) not in self.met:
            self.met[id(value)] = value
            self.waiting.append(follow(value))

    def several(self, kind: str, parts: Any) -> None:
        self.piece(f"{kind} {len(parts)}", b"")
        for part in parts:
            self.read(part)


def _held(value: Any) -> list[Any]:
    """Return the parts of an object that wraps others."""
    match value:
        case MethodType():
            return [value.__func__, value.__self__]
        case functools.partial():
            return [value.func, value.args, value.keywords]
        case Enum():
            return [type(value), value.name, value.value]
    return [value.__wrapped__]


def _content(cell: CellType) -> Any:
    try:
        return cell.cell_contents
    except ValueError:  # a name that is not assigned yet
        return CellType


def _joblib_hash(value: Any) -> str:
    try:
        return str(joblib.hash(value))
    except Exception as error:  # pickling runs anybody's code
        raise InvalidParameter(
            f"results cannot be kept: {type(value).__name__}, a part of what is run, cannot be told apart "
            f"from others ({type(error).__name__}); use a function or a dataclass, or leave out keep"
        ) from None
