"""Numbers of a promise in words, rounded up to the digits that are shown."""

from __future__ import annotations

import math
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from noisewright.guarantees.base import Guarantee


def ceiling(number: float, digits: int = 2) -> Decimal:
    """A few digits, rounded up; a hair is taken off first so that e^(ln 3) reads 3 and not 3.1."""
    return Context(prec=digits, rounding=ROUND_CEILING).create_decimal(number * (1 - 1e-12))


def epsilon_words(epsilon: float, digits: int = 5) -> str:
    """An ε for a reader: a few digits and never below the true one.

    A double keeps 15 decimal digits of what was typed. What it has beyond them is no budget, so that
    0.1 + 0.2 reads 0.3; everything else is rounded up.

    >>> epsilon_words(0.1 + 0.2), epsilon_words(0.09999999999999999), epsilon_words(1.386294)
    ('0.3', '0.1', '1.3863')
    >>> epsilon_words(4.000004), epsilon_words(49364.0), epsilon_words(1e-9), epsilon_words(math.inf)
    ('4.0001', '49,364', '1e-9', '∞')
    """
    return _digits(epsilon, digits, ROUND_CEILING, Context(prec=15).create_decimal(epsilon))


def remaining_words(epsilon: float, digits: int = 5) -> str:
    """An ε that is left to spend: a few digits and never above the true one.

    >>> remaining_words(0.09999999999999995), remaining_words(0.25), remaining_words(0.0)
    ('0.099999', '0.25', '0')
    """
    return _digits(epsilon, digits, ROUND_FLOOR, Decimal(epsilon))


def _digits(epsilon: float, digits: int, rounding: str, exact: Decimal) -> str:
    if math.isinf(epsilon):
        return "∞"
    short = Context(prec=digits, rounding=rounding).create_decimal(exact).normalize()
    return f"{short:,f}" if not short or short.adjusted() >= -4 else f"{short:e}"


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


def numbers(guarantee: Guarantee) -> str:
    """The numbers of a guarantee in one line, every ε and δ rounded up.

    >>> from noisewright.guarantees import ApproximateLDP
    >>> numbers(ApproximateLDP(0.09999999999999999, 1e-6))
    'epsilon 0.1, delta 1e-6'
    """
    named = {name: value for name, value in guarantee.to_dict().items() if name != "notion"}
    return ", ".join(f"{name} {_shown(name, value)}" for name, value in named.items())


def _shown(name: str, value: Any) -> str:
    promised = name.startswith(("epsilon", "delta")) and isinstance(value, float)
    return epsilon_words(value) if promised else str(value)


def promise(guarantee: Guarantee) -> str:
    """Name a notion of privacy in a few words, with its rank against pure LDP.

    >>> from noisewright.guarantees import ApproximateLDP, PureLDP
    >>> promise(PureLDP(1.0)), promise(ApproximateLDP(1.0, 1e-5))
    ('pure ε-LDP', '(ε, δ)-LDP, a weaker promise')
    """
    names = {
        "pure_ldp": "pure ε-LDP",
        "approximate_ldp": "(ε, δ)-LDP, a weaker promise",
        "probabilistic_ldp": "probabilistic LDP, a weaker promise",
    }
    return names.get(guarantee.notion, f"another notion: {guarantee.notion.replace('_', ' ')}")
