"""What a function depends on besides its own code: constants, functions and classes of its author.

Changing a constant that a function reads, or a helper that it calls, changes the function. Installed packages
are not followed, nor are values that may change while a program runs: lists, dictionaries, most objects, and
numbers that functions of the module write. A counter would make every run a different one.
"""

from __future__ import annotations

import dataclasses
import dis
import functools
import site
import sys
import sysconfig
from collections.abc import Iterator, Mapping
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from functools import cache, cached_property
from pathlib import Path
from types import CodeType, FunctionType, MethodType, ModuleType, NoneType
from typing import Any, Final

import numpy as np

OURS: Final = "noisewright"
INSTALLED: Final = ("stdlib", "platstdlib", "purelib", "platlib")
PACKAGES: Final = {"site-packages", "dist-packages"}
SCALARS: Final = (NoneType, int, float, complex, str, bytes, Decimal, Fraction, range, np.generic)
"""Types whose ``repr`` identifies the value."""

STAYING: Final = (*SCALARS, Enum, functools.partial, MethodType, functools._lru_cache_wrapper)


def used_by(function: FunctionType) -> Iterator[Any]:
    """Yield names and values that an author's function, and those inside it, read from their module."""
    if not of_an_author(function.__module__):
        return
    known, names = function.__globals__, _names(function.__code__)
    for name in sorted(names.intersection(known) - _written(known)):
        value = known[name]
        if isinstance(value, ModuleType):
            yield from _of_module(name, value, names)
        elif _is_followed(value):
            yield from (name, value)


def parts_of(kind: type) -> Iterator[Any]:
    """Yield names and values of the parts of an author's class; nothing for other classes."""
    if not of_an_author(kind.__module__):
        return
    for name, part in sorted(vars(kind).items()):
        match part:
            case staticmethod() | classmethod():
                yield from (name, part.__func__)
            case property():
                yield from (name, part.fget, part.fset)
            case cached_property():
                yield from (name, part.func)
            case FunctionType():
                yield from (name, part)
            case _ if not name.startswith("__") and _is_followed(part):
                yield from (name, part)
    yield from (type(kind), *kind.__bases__)


def _of_module(title: str, module: ModuleType, names: set[str]) -> Iterator[Any]:
    """Yield what is used of another module of the author, by its full name."""
    if not of_an_author(module.__name__):
        return
    for name in sorted(names.intersection(vars(module)) - _written(vars(module))):
        if _is_followed(vars(module)[name]):
            yield from (f"{title}.{name}", vars(module)[name])


def _is_followed(value: Any) -> bool:
    """Return whether a value of a module or class does not change: a constant, or code of the author."""
    match value:
        case tuple() | frozenset():
            return all(map(_is_followed, value))
        case type() | FunctionType():
            return of_an_author(value.__module__)
        case np.ndarray():
            return not value.dtype.hasobject
    return isinstance(value, STAYING) or _is_frozen(value)


def _is_cached(value: Any) -> bool:
    return isinstance(value, functools._lru_cache_wrapper)


def _is_frozen(value: Any) -> bool:
    return dataclasses.is_dataclass(value) and bool(getattr(value, "__dataclass_params__").frozen)  # noqa: B009


def _names(code: CodeType) -> set[str]:
    inner = (each for each in code.co_consts if isinstance(each, CodeType))
    return set(code.co_names).union(*map(_names, inner))


def _written(known: Mapping[str, Any]) -> set[str]:
    """Return the names of a module that functions in it write."""
    bare = (value.__wrapped__ if _is_cached(value) else value for value in known.values())
    functions = [value for value in bare if isinstance(value, FunctionType)]
    return set().union(*(_stored(each.__code__) for each in functions if each.__globals__ is known))


@cache
def _stored(code: CodeType) -> frozenset[str]:
    here = (each.argval for each in dis.get_instructions(code) if each.opname == "STORE_GLOBAL")
    inner = (_stored(each) for each in code.co_consts if isinstance(each, CodeType))
    return frozenset(here).union(*inner)


def of_an_author(module: str) -> bool:
    """Return whether a module is the user's own: not installed, not a part of Python, not of this package."""
    if module == "__main__":
        return True
    file = getattr(sys.modules.get(module), "__file__", None)
    return file is not None and module.partition(".")[0] != OURS and not _is_installed(file)


@cache
def _is_installed(file: str) -> bool:
    path = Path(file)
    folders = [*(sysconfig.get_paths()[name] for name in INSTALLED), site.getusersitepackages()]
    return bool(PACKAGES.intersection(path.parts)) or any(map(path.is_relative_to, folders))
