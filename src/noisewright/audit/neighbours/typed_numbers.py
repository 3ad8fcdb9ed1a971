"""Numbers that stand in a column as text, the way they were typed.

Programs read files, and a file says "007" or "2.50". Its neighbours must say so too, or the two inputs would
differ in more than one row; so such columns stay text, and only their range is read.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from typing import Any, Final

from noisewright.audit.neighbours.rows import Range

WHOLE: Final = re.compile(r"\s*[+-]?\d+\s*")


def typed_numbers(cells: Iterable[Any]) -> dict[float, str] | None:
    """Every number of a column by its value, as it was first typed; None if a cell is something else.

    Empty cells are missing values and say nothing.

    >>> typed_numbers(["007", "2.50", ""]), typed_numbers(["007", "Bond"])
    ({7.0: '007', 2.5: '2.50'}, None)
    """
    found: dict[float, str] = {}
    for cell in cells:
        number = _number(cell)
        if number is None:
            return None
        if math.isfinite(number):
            found.setdefault(number, cell)
    return found or None


def typed_ends(ends: Range, typed: dict[float, str]) -> list[str]:
    """Two ends as they would be typed in such a column: as they were, if they were, and whole among whole.

    >>> typed_ends((0.0, 7.0), {7.0: "007", 31.0: "031"}), typed_ends((0.0, 2.5), {2.5: "2.50"})
    (['0', '007'], ['0.0', '2.50'])
    """
    whole = all(WHOLE.fullmatch(text) for text in typed.values())
    return [typed.get(end) or (str(int(end)) if whole and end.is_integer() else repr(end)) for end in ends]


def _number(cell: Any) -> float | None:
    """The number of a cell, NaN if it is empty, None if it is neither."""
    if not isinstance(cell, str):
        return None
    try:
        return float(cell) if cell.strip() else math.nan
    except ValueError:
        return None
