"""What one person has spent, for them to read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from noisewright.guarantees import Guarantee
from noisewright.guarantees.rules import round_down
from noisewright.ledger.cost import Cost
from noisewright.ledger.terms import Terms, total
from noisewright.report import Report, Reportable


@dataclass(frozen=True)
class Entry:
    """One thing that was paid for.

    Attributes:
        column: The column that was reported.
        guarantee: What the report cost.
        made_by: The class name of the mechanism, or "elsewhere".
    """

    column: str
    guarantee: Guarantee
    made_by: str

    def to_dict(self) -> dict[str, Any]:
        """The entry in plain JSON values."""
        return {"column": self.column, "guarantee": self.guarantee.to_dict(), "made_by": self.made_by}


@dataclass(frozen=True)
class Statement(Reportable):
    """What a person spent and has left.

    Attributes:
        spent: What all reports together cost, rounded up.
        remaining: The ε that is left in all, rounded down.
        columns: The ε that is left for each column, rounded down.
        history: Everything that was paid for, in order.
        terms: What everybody may spend.
    """

    spent: Guarantee
    remaining: float
    columns: Mapping[str, float]
    history: tuple[Entry, ...]
    terms: Terms

    @classmethod
    def of(cls, terms: Terms, spent: Mapping[str, Cost], history: tuple[Entry, ...]) -> Statement:
        """Return the statement of what a person spent.

        Args:
            terms: What everybody may spend.
            spent: The exact cost of each column.
            history: Everything that was paid for, in order.
        """
        names = dict.fromkeys([*terms.columns, *spent])
        columns = {name: round_down(terms.left(spent, name)) for name in names}
        return cls(total(spent).guarantee(), round_down(terms.left(spent)), columns, history, terms)

    def to_dict(self) -> dict[str, Any]:
        """The statement in plain JSON values."""
        return {
            "terms": self.terms.to_dict(),
            "spent": self.spent.to_dict(),
            "remaining": self.remaining,
            "remaining_in_columns": dict(self.columns),
            "history": [entry.to_dict() for entry in self.history],
            "explanation": self.explain(),
        }

    def explain(self) -> str:
        """One sentence about what all reports together give away."""
        if not self.history:
            return "Nothing was reported, so nothing is given away."
        return self.spent.explain("all reports together" if len(self.history) > 1 else "the one report")

    def report(self) -> Report:
        """Describe the statement as a document."""
        from noisewright.ledger.report import statement_report  # noqa: PLC0415  (it needs this module)

        return statement_report(self)
