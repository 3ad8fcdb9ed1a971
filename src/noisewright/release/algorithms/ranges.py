"""Public limits of columns: one number for all of them, or one for each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from noisewright.errors import InvalidParameter
from noisewright.parameters import is_number, real, shown

Limit = float | tuple[float, ...]


def read_limits(low: Any, high: Any) -> tuple[Limit, Limit]:
    """A lower and an upper limit, each a number or one for each column, with the lower one below.

    >>> read_limits(0, [1, 2])
    (0.0, (1.0, 2.0))
    >>> read_limits(0, [1, 0])
    Traceback (most recent call last):
    ...
    noisewright.errors.InvalidParameter: low must be below high in every column; swap or widen them
    """
    read = read_limit("low", low), read_limit("high", high)
    if isinstance(read[0], tuple) and isinstance(read[1], tuple) and len(read[0]) != len(read[1]):
        raise InvalidParameter("low and high must be as many numbers as each other; give one for each column")
    if not np.less(*read).all():
        raise InvalidParameter("low must be below high in every column; swap or widen them")
    return read


def read_limit(what: str, limit: Any) -> Limit:
    """One limit: a number, or a non-empty list of them."""
    if is_number(limit):
        return real(what, limit)
    if not isinstance(limit, Sequence | np.ndarray) or isinstance(limit, str) or len(limit) == 0:
        raise InvalidParameter(f"{what} must be a number or one for each column, got {shown(limit)}")
    return tuple(real(what, number) for number in limit)


def check_width(what: str, limit: Limit | None, features: int) -> None:
    """Refuse a list of limits that is not as long as the rows are wide.

    >>> check_width("low", (0.0, 1.0), features=3)
    Traceback (most recent call last):
    ...
    noisewright.errors.InvalidParameter: low has 2 numbers and X has 3 columns; ...
    """
    if isinstance(limit, tuple) and len(limit) != features:
        raise InvalidParameter(
            f"{what} has {len(limit)} numbers and X has {features} columns; give one for each, or one for all"
        )
