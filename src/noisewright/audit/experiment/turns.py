"""Who goes first: two sides that take turns, so that what changes with time falls on both alike.

A mechanism may drift: a clock, a counter, a warm cache. Runs of one input first and of the other afterwards
would show that as a difference between the inputs. Sides that take turns in the order of Thue and Morse
(left right, right left, right left, left right, …) share a drift that is a straight line in time evenly after
every two turns, a parabola after every four, and so on.
"""

from __future__ import annotations

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
