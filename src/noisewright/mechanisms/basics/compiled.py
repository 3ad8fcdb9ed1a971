"""Loops that numba compiles, where it is installed."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from types import ModuleType


@cache
def compiled(module: str) -> ModuleType | None:
    """A module of loops, or nothing where numba is absent or finds no place to keep what it compiles.

    It is imported when it is asked for: numba is an extra, and takes a second to load.
    """
    try:
        return import_module(module)
    except (ImportError, RuntimeError):
        return None
