"""What a function rests on besides its own code: constants, functions and classes of its author.

Whoever changes the constant that a function reads, or a helper that it calls, has changed the function.
Installed packages are not followed, nor are lists, dictionaries and other objects that may change while a
program runs: a counter would make every run another one.
"""

from __future__ import annotations

import inspect
import sys
import sysconfig
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from types import CodeType, FunctionType, ModuleType, NoneType
from typing import Any, Final

import numpy as np

OURS: Final = "noisewright"
INSTALLED: Final = ("stdlib", "platstdlib", "purelib", "platlib")
CONSTANTS: Final = (NoneType, int, float, complex, str, bytes, np.generic)


def used_by(function: FunctionType) -> Iterator[Any]:
    """Names and values of what a function and those inside of it read from their module."""
    names = sorted(_names(function.__code__))
    for name in names:
        if name in function.__globals__:
            yield from _followed(name, function.__globals__[name], names)


def parts_of(kind: type) -> Iterator[Any]:
    """Names and values of what a class of an author is made of; nothing of others."""
    if not _of_an_author(kind.__module__):
        return
    for name, part in sorted(vars(kind).items()):
        match part:
            case staticmethod() | classmethod():
                yield from (name, part.__func__)
            case property():
                yield from (name, part.fget, part.fset)
            case FunctionType():
                yield from (name, part)
            case _ if not name.startswith("__") and _is_constant(part):
                yield from (name, part)
    yield from kind.__bases__


def _followed(name: str, value: Any, names: list[str]) -> Iterator[Any]:
    if callable(value):
        with suppress(Exception):  # an object may answer anything when asked what it wraps
            value = inspect.unwrap(value)
    if isinstance(value, ModuleType):
        if _of_an_author(value.__name__):
            inside = [each for each in names if each in vars(value)]
            for each in inside:
                yield from _followed(f"{name}.{each}", vars(value)[each], [])
    elif _is_constant(value) or (isinstance(value, FunctionType | type) and _of_an_author(value.__module__)):
        yield from (name, value)


def _names(code: CodeType) -> set[str]:
    inner = (each for each in code.co_consts if isinstance(each, CodeType))
    return set(code.co_names).union(*map(_names, inner))


def _is_constant(value: Any) -> bool:
    if isinstance(value, tuple | frozenset):
        return all(map(_is_constant, value))
    return isinstance(value, CONSTANTS) or (isinstance(value, np.ndarray) and not value.dtype.hasobject)


@cache
def _of_an_author(module: str) -> bool:
    """Whether a module is somebody's own: neither installed nor a part of Python nor ours."""
    if module == "__main__":
        return True
    file = getattr(sys.modules.get(module), "__file__", None)
    if file is None or module.partition(".")[0] == OURS:
        return False
    return not any(Path(file).is_relative_to(sysconfig.get_paths()[name]) for name in INSTALLED)
