"""The range of each field of a guarantee, and how its values compose."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from contextlib import suppress
from fractions import Fraction
from numbers import Integral, Real
from typing import Any, Final

from noisewright.errors import InvalidParameter, NoTheorem

INFINITY: Final = "infinity"
"""How an unbounded ε is written in JSON, which has no number for it."""


def round_up(exact: Fraction) -> float:
    """The smallest float that is not below an exact number."""
    with suppress(OverflowError):
        nearest = exact.numerator / exact.denominator
        return nearest if nearest >= exact else math.nextafter(nearest, math.inf)
    return math.inf


def round_down(exact: Fraction) -> float:
    """The largest float that is not above an exact number.

    >>> round_down(Fraction(1, 3)) < Fraction(1, 3)
    True
    """
    nearest = float(exact)
    return nearest if nearest <= exact else math.nextafter(nearest, -math.inf)


def total(_: str, costs: Sequence[float]) -> float:
    """The sum, rounded up."""
    return math.inf if math.inf in costs else round_up(sum(map(Fraction, costs), Fraction(0)))


def any_of(name: str, deltas: Sequence[float]) -> float:
    """1 − Π(1 − δ), rounded up; one δ alone is kept as it is."""
    # Kairouz, Oh & Viswanath 2015, heterogeneous case without slack; never worse than Σδ, adaptive.
    # Probabilistic notion: Zheng & Hu 2025, thm 2, here for unequal parts and adaptive choice.
    lossy = [delta for delta in deltas if delta > 0]
    if len(lossy) < 2:
        return sum(lossy)
    either = -math.expm1(math.fsum(math.log1p(-delta) for delta in lossy)) * (1 + 2**-50)
    if either >= 1:
        raise NoTheorem("the composed delta reaches 1, which promises nothing; use fewer reports")
    return min(either, total(name, lossy))


def same(name: str, values: Sequence[Any]) -> Any:
    """The common value, or a refusal."""
    if len(set(values)) > 1:
        raise NoTheorem(f"these guarantees compose only for the same {name}, got {sorted(set(values))}")
    return values[0]


def same_set(name: str, values: Sequence[Any]) -> Any:
    """The common label; a mere count does not say which set is meant."""
    if any(isinstance(value, int) for value in values):
        raise NoTheorem("relative guarantees compose for one set of databases; label it, a count is no name")
    return same(name, values)


def never(_: str, __: Sequence[Any]) -> Any:
    """A refusal: this field's notion does not compose."""
    raise NoTheorem(
        "distributional guarantees do not compose: both releases lean on the same randomness of the data and "
        "the first may use it up; analyse the releases as one"
    )


def rule(
    kind: type[Any], wanted: str, admits: Callable[[Any], bool], combine: Callable[[str, Sequence[Any]], Any]
) -> dict[str, Any]:
    """Metadata of a field: its range, once, for the check and the refusal; and how values of it compose."""

    def check(name: str, value: Any) -> Any:
        with suppress(OverflowError):
            if isinstance(value, kind) and not isinstance(value, bool):
                plain = float(value) if kind is Real else int(value) if kind is Integral else value
                if admits(plain):
                    return plain
        raise InvalidParameter(f"must be {wanted}, got {value!r}", field=name)

    return {"check": check, "combine": combine}


EPSILON = rule(Real, "a finite number of at least 0", lambda x: 0 <= x < math.inf, total)
EPSILON_OR_INFINITY = rule(Real, "a number of at least 0, or infinity", lambda x: x >= 0, total)
DELTA = rule(Real, "a number of at least 0 and below 1", lambda x: 0 <= x < 1, any_of)
PRIOR = rule(Real, "a probability strictly between 0 and 1", lambda x: 0 < x < 1, same)
LENGTH = rule(Real, "a finite number above 0", lambda x: 0 < x < math.inf, same)
COUNT = rule(Integral, "a whole number of at least 1", lambda x: x >= 1, same)
USERS = rule(Integral, "a whole number of at least 2", lambda x: x >= 2, same)
COLLUDERS = rule(Integral, "a whole number of at least 0", lambda x: x >= 0, same)
LABEL = rule(str, "a text that says what is meant", lambda x: x.strip(), same)
ASSUMPTION = LABEL | {"combine": never}
DATABASES = {
    "check": lambda name, value: (LABEL if isinstance(value, str) else COUNT)["check"](name, value),
    "combine": same_set,
}
