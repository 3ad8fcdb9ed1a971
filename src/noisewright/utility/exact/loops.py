"""How loops become fast: numba compiles them where it is installed; otherwise Python runs them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

Loop = TypeVar("Loop", bound=Callable[..., Any])


def loop(function: Loop) -> Loop:
    """Compile a loop over numbers and arrays, or leave it alone where numba is absent."""
    try:
        from numba import njit  # noqa: PLC0415  (numba is an extra, and takes a second to load)
    except (ImportError, RuntimeError):
        return function
    return cast(Loop, njit(nogil=True, cache=True, error_model="numpy")(function))
