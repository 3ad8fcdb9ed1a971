"""Who goes first: two sides that take turns, so that what changes with time falls on both alike.

A mechanism may drift: a clock, a counter, a warm cache. Runs of one input first and of the other afterwards
would show that as a difference between the inputs. Sides that take turns in the order of Thue and Morse
(left right, right left, right left, left right, …) share a drift that is a straight line in time evenly after
every two turns, a parabola after every four, and so on.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Final

SIDES: Final = ("left", "right")
TURNS: Final = 32
FEW_TURNS: Final = 4
"""Turns that a request is cut into, and how many if workers share it: they wait for each other at the end."""


def order(turn: int) -> tuple[str, str]:
    """The sides of a turn, whoever is first standing first.

    >>> [order(turn)[0] for turn in range(4)]
    ['left', 'right', 'right', 'left']
    """
    return SIDES if turn.bit_count() % 2 == 0 else (SIDES[1], SIDES[0])


def shares(count: int, block: int, turns: int) -> list[int]:
    """So many outputs as whole blocks for every turn but the last, about equally many.

    Blocks are drawn whole: a turn that could do with what is left of one would disturb the order.

    >>> shares(100, 10, 4), shares(15, 10, 32)
    ([30, 20, 30, 20], [10, 5])
    """
    blocks = -(-count // block)
    turns = max(min(turns, blocks), 1)
    ends = [min(-(-blocks * turn // turns) * block, count) for turn in range(turns + 1)]
    return [end - start for start, end in pairwise(ends)]
