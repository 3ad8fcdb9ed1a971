"""Turning wished-for shares of a budget into doubles whose exact sum does not exceed it."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from noisewright.errors import InvalidParameter
from noisewright.guarantees.rules import round_down
from noisewright.parameters import EPSILON, real


def fit_shares(epsilon: float, wanted: Sequence[float]) -> list[float]:
    """Shares in the proportions of ``wanted`` whose exact sum is at most ε, and no double below it.

    Three times the double next to 1/3 is more than 1; so shares are rounded down, the largest takes the rest.

    >>> fit_shares(2.0, [1, 3])
    [0.5, 1.5]
    >>> sum(map(Fraction, fit_shares(1.0, [1, 1, 1]))) <= 1
    True
    """
    total = Fraction(EPSILON.check(epsilon))
    parts = [Fraction(real("a share", part)) for part in wanted]
    if not parts or min(parts) < 0 or (whole := sum(parts)) == 0:
        raise InvalidParameter("shares of a budget must be at least zero, and one of them above it")
    shares = [round_down(total * part / whole) for part in parts]
    largest = max(range(len(shares)), key=shares.__getitem__)
    others = sum(Fraction(share) for place, share in enumerate(shares) if place != largest)
    shares[largest] = round_down(total - others)
    return shares
