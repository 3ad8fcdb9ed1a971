"""Long work in pieces that fit into memory."""

from __future__ import annotations

from collections.abc import Iterator

AT_ONCE = 1 << 21
"""Numbers in one block of a table: 16 MB."""


def blocks(count: int, width: int, at_once: int = AT_ONCE) -> Iterator[slice]:
    """Slices of ``count`` things of ``width`` numbers each, so that a table of each slice stays small.

    >>> [(part.start, part.stop) for part in blocks(5, AT_ONCE // 2)]
    [(0, 2), (2, 4), (4, 5)]
    """
    step = max(1, at_once // max(1, width))
    for start in range(0, count, step):
        yield slice(start, min(count, start + step))
