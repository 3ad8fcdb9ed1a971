"""How many samples each pair gets: few for all, more for the quarter that looks worst, and so on.

Every round costs about the same (Jamieson and Talwalkar 2016), so a thousand pairs cost five times the first
look at them, and those that decide the race have been sampled a hundred times as often as the first to leave.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from noisewright.errors import InvalidParameter

QUOTIENT: Final = 4
"""Of this many pairs one goes on to the next round."""

SHARED: Final = 4
"""Samples of a shared left database for one of each right: enough that it adds little noise of its own."""

LEAST: Final = 30
"""Samples of a right database below which a round says nothing."""


def field_sizes(pairs: int) -> list[int]:
    """How many pairs are in each round.

    >>> field_sizes(1000), field_sizes(3)
    ([1000, 250, 63, 16, 4], [3])
    """
    sizes = [pairs]
    while sizes[-1] > QUOTIENT:
        sizes.append(-(-sizes[-1] // QUOTIENT))
    return sizes


def left_share(pairs: int) -> int:
    """Samples of a left database for one of each of its rights."""
    return min(SHARED, pairs)


def draws(sharing: Sequence[int], budget: int) -> int:
    """Samples of each right when ``sharing[k]`` pairs share the k-th left and the round may cost ``budget``.

    >>> draws([1000], 100_400)
    100
    """
    return budget // sum(pairs + left_share(pairs) for pairs in sharing)


def fewest(sharing: Sequence[int]) -> int:
    """Samples below which a race is spread too thin to tell pairs apart.

    >>> fewest([1000])
    150600
    """
    return len(field_sizes(sum(sharing))) * LEAST * sum(pairs + left_share(pairs) for pairs in sharing)


def check_budget(samples: int, sharing: Sequence[int], needed: int, to: str = "the search") -> None:
    """Refuse fewer samples than are needed, and say how many are."""
    if samples < needed:
        raise InvalidParameter(
            f"{samples} samples are too few to screen {sum(sharing)} neighbours; give {to} at least "
            f"{needed}, or fewer rows to look at (most)"
        )
