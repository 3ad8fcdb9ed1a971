"""Numbers of a promise in words, rounded up to the digits that are shown."""

from __future__ import annotations

import math
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal


def ceiling(number: float, digits: int = 2) -> Decimal:
    """A few digits, rounded up; a hair is taken off first so that e^(ln 3) reads 3 and not 3.1."""
    return Context(prec=digits, rounding=ROUND_CEILING).create_decimal(number * (1 - 1e-12))


def factor(epsilon: float) -> str:
    """e^ε for a reader: two digits, or two digits of what exceeds 1, rounded up."""
    if epsilon > 34:
        return f"10^{math.ceil(epsilon / math.log(10))}"
    excess = math.expm1(epsilon)
    shown = ceiling(1 + excess) if excess >= 1 else 1 + ceiling(excess and max(excess, 1e-6))
    return f"{shown.normalize():,f}"


def share(delta: float) -> str:
    """A probability for a reader, never understated."""
    if delta >= 0.01:
        return f"up to {ceiling(100 * delta).normalize():f} %"
    most = Context(prec=2, rounding=ROUND_FLOOR).create_decimal((1 + 1e-12) / max(delta, 1e-15))
    return f"up to 1 in {most.normalize():,f}"


def odds(seen: str, epsilon: float, pairs: str = "any two values") -> str:
    """The beginning of a sentence that bounds an observer's odds."""
    bound = f"by at most a factor of {factor(epsilon)}"
    return f"An observer of {seen} can raise their odds between {pairs} {bound}"
