"""What reports cost, summed without rounding.

Ten times the double next to 0.1 is slightly more than 1, and a ledger must know it. So costs are fractions;
only shown numbers are rounded, upward if spent and downward if left.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from noisewright.errors import NoTheorem
from noisewright.guarantees import ApproximateLDP, Guarantee, JointLDP, ProbabilisticLDP, PureLDP
from noisewright.guarantees.base import round_up


@dataclass(frozen=True)
class Cost:
    """An exact ε and δ; both add up.

    For δ this is the union bound, never below the 1 − Π(1 − δ) of the guarantees and exact in fractions.

    >>> sum([Cost.of(PureLDP(0.1))] * 10, Cost()).epsilon > 1
    True
    """

    epsilon: Fraction = Fraction(0)
    delta: Fraction = Fraction(0)

    @classmethod
    @lru_cache(maxsize=4096)
    def exact(cls, epsilon: float, delta: float = 0.0) -> Cost:
        """Return the exact numbers that two doubles stand for."""
        return cls(Fraction(epsilon), Fraction(delta))

    @classmethod
    def of(cls, guarantee: Guarantee) -> Cost:
        """Return the cost of a guarantee to its person; refuse notions that do not bound one person.

        >>> Cost.of(ApproximateLDP(0.5, 0.25))
        Cost(epsilon=Fraction(1, 2), delta=Fraction(1, 4))
        """
        match guarantee:
            case PureLDP():
                return cls.exact(guarantee.epsilon)
            case ApproximateLDP() | ProbabilisticLDP():
                return cls.exact(guarantee.epsilon, guarantee.delta)
            case JointLDP():  # the partner may collude, so that is what the person pays for
                return cls.exact(guarantee.as_pure().epsilon)
        raise NoTheorem(
            f"a ledger adds up pure, approximate, probabilistic and joint guarantees, not "
            f"{type(guarantee).__name__}; convert it first (a MetricLDP has as_pure)"
        )

    def __add__(self, other: Cost) -> Cost:
        return Cost(self.epsilon + other.epsilon, self.delta + other.delta)

    def __mul__(self, times: int) -> Cost:
        return Cost(self.epsilon * times, self.delta * times)

    def guarantee(self) -> Guarantee:
        """Return the promise that holds for everything paid for, rounded up.

        >>> Cost(Fraction(1, 3)).guarantee()
        PureLDP(epsilon=0.33333333333333337)
        """
        epsilon, delta = round_up(self.epsilon), round_up(self.delta)
        return ApproximateLDP(epsilon, delta) if delta else PureLDP(epsilon)


def add_up(rows: Iterable[tuple[str, float, float, int]]) -> dict[str, Cost]:
    """Return the cost of each column, from rows of a column, an ε, a δ and a number of payments.

    >>> add_up([("age", 0.5, 0.0, 3), ("age", 0.25, 0.0, 1)])["age"].epsilon
    Fraction(7, 4)
    """
    costs: dict[str, Cost] = {}
    for column, epsilon, delta, times in rows:
        costs[column] = costs.get(column, Cost()) + Cost.exact(epsilon, delta) * times
    return costs
