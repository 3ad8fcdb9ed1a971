"""The terms of a ledger, which never change: how much each person may spend."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Final

from noisewright.errors import BudgetSpent, InvalidParameter
from noisewright.guarantees.base import round_down, round_up
from noisewright.ledger.cost import Cost
from noisewright.ledger.names import check_name
from noisewright.parameters import DELTA, Parameter
from noisewright.randomness import SIMULATED, Source
from noisewright.text import epsilon_words, remaining_words

BUDGET: Final = Parameter(
    name="budget",
    meaning="all the epsilon that one person may ever spend",
    above=0,
    at_most=1000,
    usual=(1, 2, 4, 8),
)

FREE: Final = "only unchanged values can be reported again, for free"


@dataclass(frozen=True)
class Terms:
    """The limits of every person: an ε and a δ in all, and an ε for single columns.

    Attributes:
        budget: All the ε that one person may ever spend, above 0 and at most 1000.
        delta: All the δ that one person may ever spend; 0 admits pure guarantees only.
        columns: The most ε for single columns; a column without an entry is limited by ``budget`` alone.
        simulated: Whether the people are simulated, so that seeded noise is accepted.

    >>> Terms(4.0, columns={"heart_rate": 2.0})
    Terms(budget=4.0, delta=0.0, columns={'heart_rate': 2.0}, simulated=False)
    """

    budget: float
    delta: float = 0.0
    columns: Mapping[str, float] = field(default_factory=dict)
    simulated: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "budget", BUDGET.check(self.budget))
        object.__setattr__(self, "delta", 0.0 if self.delta == 0 else DELTA.check(self.delta))
        if not isinstance(self.columns, Mapping):
            raise InvalidParameter('columns maps names to budgets, for example {"heart_rate": 2.0}')
        columns = {check_name("a column", name): self._share(name, of) for name, of in self.columns.items()}
        object.__setattr__(self, "columns", columns)
        if not isinstance(self.simulated, bool):
            raise InvalidParameter(f"must be True or False, got {self.simulated!r}", field="simulated")

    def _share(self, name: str, budget: float) -> float:
        try:
            checked = BUDGET.check(budget)
        except InvalidParameter as refusal:
            raise InvalidParameter(f"column {name!r}: {refusal}") from None
        if checked > self.budget:
            raise InvalidParameter(
                f"column {name!r} may not have more than the `budget` of {epsilon_words(self.budget)}"
            )
        return checked

    def to_dict(self) -> dict[str, Any]:
        """Return the terms in plain JSON values, with a mark if noise is simulated."""
        limits = {"budget": self.budget, "delta": self.delta, "columns": dict(self.columns)}
        return limits | ({"simulated": SIMULATED} if self.simulated else {})

    def check_source(self, source: Source | None) -> None:
        """Refuse seeded noise, which anyone can undo, unless people are simulated."""
        if source is not None and not isinstance(source, Source):
            raise InvalidParameter(f"must be a SecureSource, not {type(source).__name__}", field="source")
        if source is not None and not source.private and not self.simulated:
            raise InvalidParameter(
                "a ledger of real people takes no seeded source, because such noise can be undone; leave the "
                "source out, or create the ledger as simulated"
            )

    def left(self, spent: Mapping[str, Cost], column: str | None = None) -> Fraction:
        """Return the exact ε that is left, given the cost of each column: in all, or for one column.

        >>> Terms(4.0, columns={"age": 1.0}).left({"age": Cost.exact(0.5)}, "age")
        Fraction(1, 2)
        """
        return self._tightest(spent, column)[0]

    def check(self, who: str, spent: Mapping[str, Cost], column: str, asked: Cost) -> None:
        """Refuse a cost that goes beyond what is left.

        Args:
            who: The name of the person in a refusal.
            spent: What the person spent in each column.
            column: The column that is asked about.
            asked: The cost.
        """
        left, limit = self._tightest(spent, column)
        if asked.epsilon > left:
            less = f"ask for at most {remaining_words(round_down(left))}, or report an unchanged value"
            remedy = less if left > 0 else FREE
            raise BudgetSpent(_refusal(who, "epsilon", left, limit, column, asked.epsilon, remedy))
        left, limit = Fraction(self.delta) - total(spent).delta, self.delta
        if asked.delta > left:
            remedy = "use a mechanism with a smaller delta, or with none"
            raise BudgetSpent(_refusal(who, "delta", left, limit, column, asked.delta, remedy))

    def _tightest(self, spent: Mapping[str, Cost], column: str | None) -> tuple[Fraction, float]:
        """Return the least ε that any limit leaves, and that limit."""
        limits = [(Fraction(self.budget) - total(spent).epsilon, self.budget)]
        if column is not None and column in self.columns:
            budget = self.columns[column]
            limits.append((Fraction(budget) - spent.get(column, Cost()).epsilon, budget))
        return min(limits)


def _refusal(
    who: str, unit: str, left: Fraction, limit: float, column: str, asked: Fraction, remedy: str
) -> str:
    rest, most = remaining_words(round_down(left)), epsilon_words(limit)
    return (
        f"{who} has {unit} {rest} left of {most}, and {column!r} asks for "
        f"{epsilon_words(round_up(asked))}; nothing was spent: {remedy}"
    )


def total(spent: Mapping[str, Cost]) -> Cost:
    """Return what a person spent in all columns together."""
    return sum(spent.values(), Cost())
