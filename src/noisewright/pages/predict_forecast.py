"""A prediction with what was asked of it: the choices that the page, the terminal and JSON all show."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from noisewright.domains import Floats
from noisewright.pages.predict_groups import Gap, widest_gap
from noisewright.pages.predict_least import Cheapest, LeastEpsilon, cheapest_of, least_of
from noisewright.pages.predict_places import shown_places
from noisewright.utility.prediction import Prediction
from noisewright.utility.published.caveats import AS_PUBLISHED

if TYPE_CHECKING:
    from noisewright.utility.published import Published

LOSERS: Final = 5

ROUNDING: Final = 1e-9
"""What two ways of adding up the same probability may differ by."""


@dataclass(frozen=True)
class Asked:
    """What the user asked: names as they were given, and numbers.

    ``budget`` is how many rows the model may be asked about in all, ``onnx`` whether it is an ONNX file, and
    ``published`` whether the published number was wanted.
    """

    model: str
    data: str
    answers: str | None = None
    target: float | None = None
    records: tuple[int, ...] = ()
    per: str = "feature"
    budget: int | None = None
    onnx: bool = False
    published: bool = False


@dataclass(frozen=True, eq=False)
class Forecast:
    """Everything that is told: the prediction, what was asked, and the published number if wanted.

    ``published_rows`` is how many rows the model was asked about for the published number.
    """

    prediction: Prediction
    asked: Asked
    published: Published | None = None
    published_rows: int = 0

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

    @property
    def scopes(self) -> dict[str, str]:
        """What is looked at, in words: the average and the worst record, which are one if there is one."""
        numbers = self.prediction.records.numbers
        if len(numbers) == 1:
            return {"average": f"at record {numbers[0]}"}
        return {"average": "on average", "worst": "at the worst record"}

    @property
    def widest(self) -> float:
        """How far the bounds of a record lie apart at most."""
        return self.prediction.widest

    @property
    def rows(self) -> int:
        """How many rows the model was asked about in all."""
        return self.prediction.asked + self.published_rows

    @cached_property
    def columns(self) -> list[int]:
        """The places of a few ε for a table."""
        return shown_places(self.budgets)

    @cached_property
    def focus(self) -> tuple[int, int]:
        """The mechanism and ε that single records and groups are looked at.

        With a target, the cheapest mechanism at the first ε of the curve that keeps it on average; otherwise
        the best mechanism in the middle of the curve.
        """
        if (found := self.cheapest) is not None:
            return self.names.index(found.mechanism), found.column
        middle = np.sqrt(self.epsilons[0] * self.epsilons[-1])
        place = min(self.columns, key=lambda column: abs(np.log(self.epsilons[column] / middle)))
        return self.names.index(self.prediction.best()[place]), place

    @cached_property
    def least(self) -> list[LeastEpsilon]:
        """The least ε of each mechanism; nothing where no target was asked for."""
        if (target := self.asked.target) is None:
            return []
        return least_of(self.prediction, target, self.asked.records)

    @cached_property
    def cheapest(self) -> Cheapest | None:
        """The mechanism that keeps the target on average from the least ε on, if any does."""
        return cheapest_of(self.prediction, self.least)

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
            "asked": {"in_all": self.rows, "published": self.published_rows, "budget": self.asked.budget},
        }
        if self.asked.target is not None:
            found["target"] = self._target()
        if self.gap is not None:
            found["gap"] = self.gap.to_dict()
        if self.published is not None:
            found["published"] = _published(self.published, self.optimistic)
        return found

    def _target(self) -> dict[str, Any]:
        return {
            "utility": self.asked.target,
            "least_epsilon": {least.mechanism: least.to_dict() for least in self.least},
            "kept_up_to": float(self.epsilons[-1]),
            "cheapest": None if self.cheapest is None else self.cheapest.to_dict(),
        }


def _published(published: Published, optimistic: int) -> dict[str, Any]:
    return {
        "label": AS_PUBLISHED,
        "average": np.asarray(published.average).tolist(),
        "worst": np.asarray(published.worst).tolist(),
        "queries": published.queries,
        "exceeds_upper_bound": optimistic,
    }
