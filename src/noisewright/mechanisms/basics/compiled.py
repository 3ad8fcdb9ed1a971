"""Loops that numba compiles, where it is installed."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from types import ModuleType


@cache
def compiled(module: str) -> ModuleType | None:
    """Return a module of compiled loops, or None if numba is missing or cannot store what it compiles.

    It is imported on demand: numba is an extra, and takes a second to load.
    """
    try:
        return import_module(module)
    except (ImportError, RuntimeError):
        return None
