"""A prediction with what was asked of it: the choices that the page, the terminal and JSON all show."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from noisewright.domains import Floats
from noisewright.pages.predict_groups import Gap, widest_gap
from noisewright.utility.prediction import Prediction
from noisewright.utility.published.caveats import AS_PUBLISHED

if TYPE_CHECKING:
    from noisewright.utility.published import Published

MOST_COLUMNS: Final = 6
"""Values of ε that fit into a table."""

ROUND: Final = (0.125, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0)
"""Values of ε that a table shows before others."""

LOSERS: Final = 5

ROUNDING: Final = 1e-9
"""What two ways of adding up the same probability may differ by."""


@dataclass(frozen=True)
class Asked:
    """What the user asked, in words and numbers that may be printed."""

    model: str
    data: str
    answers: str | None = None
    target: float | None = None
    records: tuple[int, ...] = ()
    per: str = "feature"


@dataclass(frozen=True)
class LeastEpsilon:
    """The least ε at which a mechanism reaches the target: on average, at the worst record, at each named."""

    mechanism: str
    average: float | None
    worst: float | None
    records: dict[int, float | None]

    @property
    def reached(self) -> bool:
        """Whether the target is reached anywhere on the curve."""
        return any(found is not None for found in (self.average, self.worst, *self.records.values()))

    def to_dict(self) -> dict[str, Any]:
        """The numbers, for JSON; a null stands where the target is not reached."""
        each = {str(record): epsilon for record, epsilon in self.records.items()}
        return {"average": self.average, "worst": self.worst, "records": each}


@dataclass(frozen=True, eq=False)
class Forecast:
    """Everything that is told: the prediction, what was asked, and the published number if wanted."""

    prediction: Prediction
    asked: Asked
    published: Published | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The mechanisms."""
        return self.prediction.names

    @property
    def epsilons(self) -> Floats:
        """The budgets of each sensitive feature."""
        return self.prediction.epsilons

    @property
    def features(self) -> int:
        """How many features are randomized."""
        return len(self.prediction.records.sensitive)

    @property
    def budgets(self) -> Floats:
        """The budgets as they were asked for: of each feature, or of a whole record."""
        return np.asarray(self.epsilons * (self.features if self.asked.per == "record" else 1))

    @cached_property
    def columns(self) -> list[int]:
        """The places of a few ε for a table: all of a few, otherwise the ends and the round ones between."""
        if self.budgets.size <= MOST_COLUMNS:
            return list(range(self.budgets.size))
        inside = [value for value in ROUND if self.budgets[0] < value < self.budgets[-1]]
        wanted = [int(np.argmin(abs(self.budgets - value))) for value in inside]
        if len(wanted) < 2:
            return thinned(range(self.budgets.size), MOST_COLUMNS)
        return thinned(sorted({0, self.budgets.size - 1, *wanted}), MOST_COLUMNS)

    @cached_property
    def focus(self) -> tuple[int, int]:
        """The mechanism and ε that single records and groups are looked at.

        With a target, the pair that reaches it on average at the least ε; otherwise the best mechanism in the
        middle of the curve.
        """
        reached = [row.average for row in self.least if row.average is not None]
        if reached:
            place = min(int(np.searchsorted(self.epsilons, min(reached))), self.epsilons.size - 1)
            return self.names.index(self.prediction.best()[place]), place
        middle = np.sqrt(self.epsilons[0] * self.epsilons[-1])
        place = min(self.columns, key=lambda column: abs(np.log(self.epsilons[column] / middle)))
        return self.names.index(self.prediction.best()[place]), place

    @cached_property
    def least(self) -> list[LeastEpsilon]:
        """The least ε of each mechanism; nothing where no target was asked for."""
        if (target := self.asked.target) is None:
            return []
        average, worst = (self.prediction.least_epsilon(target, scope) for scope in ("average", "worst"))
        single = {number: self.prediction.least_epsilon(target, number) for number in self.asked.records}
        return [
            LeastEpsilon(
                name, average[name], worst[name], {number: found[name] for number, found in single.items()}
            )
            for name in self.names
        ]

    def losers(self, count: int = LOSERS) -> list[dict[str, Any]]:
        """The records with the least utility at the focus, the worst first."""
        row, column = self.focus
        return self.prediction.losers(self.names[row], float(self.epsilons[column]), count)

    @cached_property
    def gap(self) -> Gap | None:
        """How far the groups lie apart at the focus; nothing where there are fewer than two."""
        return widest_gap(self.prediction, *self.focus)

    @property
    def optimistic(self) -> int:
        """In how many cells of records × mechanisms × ε the published number exceeds what can be true."""
        if self.published is None:
            return 0
        return int((self.published.rho > self.prediction.certificate.high + ROUNDING).sum())

    def to_dict(self) -> dict[str, Any]:
        """The prediction and the choices, for JSON."""
        row, column = self.focus
        found: dict[str, Any] = {
            "model": self.asked.model,
            "data": self.asked.data,
            "prediction": self.prediction.to_dict(),
            "focus": {"mechanism": self.names[row], "epsilon": float(self.epsilons[column])},
            "losers": self.losers(10 * LOSERS),
        }
        if self.asked.target is not None:
            each = {least.mechanism: least.to_dict() for least in self.least}
            found["target"] = {"utility": self.asked.target, "least_epsilon": each}
        if self.gap is not None:
            found["gap"] = self.gap.to_dict()
        if self.published is not None:
            found["published"] = _published(self.published, self.optimistic)
        return found


def thinned(places: Sequence[int], most: int) -> list[int]:
    """At most so many of some places, the ends among them.

    >>> thinned(range(9), 3), thinned([0, 5], 6)
    ([0, 4, 8], [0, 5])
    """
    if len(places) <= most:
        return list(places)
    return [places[round(step * (len(places) - 1) / (most - 1))] for step in range(most)]


def _published(published: Published, optimistic: int) -> dict[str, Any]:
    return {
        "label": AS_PUBLISHED,
        "average": np.asarray(published.average).tolist(),
        "worst": np.asarray(published.worst).tolist(),
        "queries": published.queries,
        "exceeds_upper_bound": optimistic,
    }
