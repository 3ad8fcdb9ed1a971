"""Formulas for correlated flags, in exact or floating numbers: how many lie, and what others know.

``group_law.py`` uses them in rationals for what is sampled and proved; the search for good parameters
(``calibration.py``, ``noisewright.design.joint_plan``) uses the same lines in floats.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import TypeVar

from noisewright.errors import InvalidParameter

Number = TypeVar("Number", float, Fraction)

NEAR = 1e-9
"""A correlation this close to the least possible one means the least possible one."""


def least_correlation(size: int, lie: Number) -> Number:
    """Return the most negative correlation of flags that are lies with a given probability.

    The number of liars varies least if it is ⌊s·q⌋ or ⌈s·q⌉. For a pair this is 1 − 1/p if p ≥ ½
    (Zheng 2026, table 4.2) and 1 − 1/q otherwise.

    >>> least_correlation(2, Fraction(1, 4)), least_correlation(4, Fraction(1, 4))
    (Fraction(-1, 3), Fraction(-1, 3))
    """
    part = size * lie % 1
    return (part * (1 - part) / (size * lie * (1 - lie)) - 1) / (size - 1)


def flag_shares(size: int, lie: Number, correlation: Number) -> list[Number]:
    """Return the probability of each number of liars, from none to all.

    >>> flag_shares(2, 0.25, 0.0)
    [0.5625, 0.375, 0.0625]
    """
    weight, extreme = _extreme(size, lie, correlation)
    independent = [
        math.comb(size, liars) * lie**liars * (1 - lie) ** (size - liars) for liars in range(size + 1)
    ]
    return [weight * most + (1 - weight) * plain for most, plain in zip(extreme, independent, strict=True)]


def _extreme(size: int, lie: Number, correlation: Number) -> tuple[Number, list[Number]]:
    """Return the extreme law on the side of a correlation, and how much of it is mixed in."""
    nothing = lie - lie  # zero as the kind of number that is being used
    law = [nothing] * (size + 1)
    if correlation >= 0:
        law[0], law[size] = 1 - lie, lie
        return _weight(correlation, nothing + 1), law
    low = min(math.floor(size * lie), size - 1)
    law[low], law[low + 1] = low + 1 - size * lie, size * lie - low
    return _weight(correlation, least_correlation(size, lie)), law


def _weight(correlation: Number, most: Number) -> Number:
    """Return the share of an extreme law that gives a correlation; refuse one out of reach."""
    if most == 0 or correlation / most > 1 + NEAR:
        raise InvalidParameter(
            f"{float(correlation):.6g} is out of range: here it can be at "
            f"{'least' if correlation < 0 else 'most'} {float(most):.6g}; choose one between that and 0, "
            "or a smaller epsilon, which leaves more room",
            field="correlation",
        )
    weight = correlation / most
    return weight if weight < 1 - NEAR else most / most


def truth_given(shares: Sequence[Number]) -> tuple[tuple[Number, Number], ...]:
    """Return what the others of a group know about a member, by the number of liars among them.

    For each possible number: its probability, and the probability that the member's own flag is truth. Fewer
    people who combine their flags know a mixture of these.

    >>> truth_given([Fraction(1, 2), Fraction(1, 2), Fraction(0)])
    ((Fraction(3, 4), Fraction(2, 3)), (Fraction(1, 4), Fraction(1, 1)))
    """
    size = len(shares) - 1
    found = []
    for liars in range(size):
        true, false = shares[liars] * (size - liars) / size, shares[liars + 1] * (liars + 1) / size
        if true + false > 0:
            found.append((true + false, true / (true + false)))
    return tuple(found)
