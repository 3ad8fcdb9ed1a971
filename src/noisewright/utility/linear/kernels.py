"""The loops of ``polygon_sums.py``, compiled from the same source, so that both give the same sums.

Import it through :func:`noisewright.mechanisms.basics.compiled.compiled`, which returns None without numba.
"""

from __future__ import annotations

from types import FunctionType
from typing import Any

from numba import njit

from noisewright.utility.linear import polygon_sums


def _compiled_loops() -> dict[str, Any]:
    """Compile all functions of the plain module; each finds the other compiled ones among its globals."""
    names: dict[str, Any] = dict(vars(polygon_sums))
    for name, plain in vars(polygon_sums).items():
        if isinstance(plain, FunctionType):
            twin = FunctionType(plain.__code__, names, name)
            names[name] = njit(nogil=True, cache=True, error_model="numpy")(twin)
    return names


_LOOPS = _compiled_loops()

floor_sum = _LOOPS["floor_sum"]
rise_to = _LOOPS["rise_to"]
below_line = _LOOPS["below_line"]
polygon_masses = _LOOPS["polygon_masses"]
mark_torn = _LOOPS["mark_torn"]
