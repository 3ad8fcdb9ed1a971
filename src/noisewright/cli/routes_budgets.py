"""The budget of a collection of routes, as the options say it, and how many points of a route it pays for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from noisewright.errors import InvalidParameter

if TYPE_CHECKING:
    from noisewright.trajectory.budgets import Budget
    from noisewright.trajectory.spaces import Space

AUTO: Final = "auto"

ONE_REPORT: Final = (
    "One point of each route is reported, with the whole budget: several with a part of it each would be "
    "counted less precisely. --reports 2 reports the first and the last point, for origins and destinations."
)


@dataclass(frozen=True)
class BudgetRequest:
    """What the options say of the budget; it is checked before any data is read."""

    epsilon: float
    per: str = "location"
    reports: str | None = None
    step: float | None = None

    def __post_init__(self) -> None:
        from noisewright.trajectory.budgets import Budget  # noqa: PLC0415  (slow to load)

        if self.per not in ("location", "route"):
            raise InvalidParameter(f"--per must be location or route, got {self.per!r}")
        if self.automatic and self.per == "location" and self.reports is not None:
            raise InvalidParameter(
                "--reports auto shares out the budget of a route; give --per route with it"
            )
        if self.step is not None and not self.automatic:
            raise InvalidParameter(
                "--step decides how many reports are worth making; use it with --reports auto"
            )
        if self.step is not None and self.per == "location":
            raise InvalidParameter(
                "--step is for --per route, where it decides how many reports are worth it"
            )
        Budget(self.epsilon, self.per, 1 if self.automatic else self._number())

    @property
    def automatic(self) -> bool:
        """Whether the number of reports is left open."""
        return self.reports in (None, AUTO)

    def _number(self) -> int:
        assert self.reports is not None
        try:
            return int(self.reports)
        except ValueError:
            raise InvalidParameter(
                f"--reports wants auto or a whole number of reports for each route, got {self.reports!r}"
            ) from None

    def for_cells(self) -> tuple[Budget, str | None]:
        """The budget where cells are counted: one report of a route, unless said otherwise."""
        from noisewright.trajectory import Budget  # noqa: PLC0415  (slow to load)

        if self.per == "location" or not self.automatic:
            return Budget(self.epsilon, self.per, None if self.automatic else self._number()), None
        return Budget(self.epsilon, self.per, 1), ONE_REPORT

    def build(self, space: Space, longest: int) -> tuple[Budget, str | None]:
        """The budget for routes of at most so many points, and what was decided on the way."""
        from noisewright.trajectory import Budget, reports_worth_making  # noqa: PLC0415

        if self.per == "location" or not self.automatic:
            many = None if self.automatic else self._number()
            return Budget(self.epsilon, self.per, many), None
        many = reports_worth_making(space, self.epsilon, longest, self.step)
        why = (
            f"At most {many} of the {longest} points of the longest route are reported, the rest filled in "
            "between: more reports would each have too little of the route's budget."
        )
        return Budget(self.epsilon, self.per, many), why if many < longest else None
