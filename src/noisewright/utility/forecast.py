"""A prediction with its question, and the choices that follow from it: the content of its report."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import Any, Final

import numpy as np

from noisewright.domains import Floats
from noisewright.report import Report, Reportable
from noisewright.utility.prediction import Prediction

LOSERS: Final = 5
"""Number of records in the short table of who loses most."""

ROUNDING: Final = 1e-9
"""Largest difference between two ways of adding up the same probability."""

ROUND_EPSILONS: Final = (0.125, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0)
"""Round values of ε: a range that contains one includes it, and a table prefers them."""

MOST_COLUMNS: Final = 6
"""Largest number of ε in a table."""


@dataclass(frozen=True)
class Inquiry:
    """The user's question: names as they were given, and numbers.

    Attributes:
        model: The name of the model in the report.
        data: The name of the data in the report.
        answers: The column of true labels; None if the model's own answers should survive.
        target: The share of answers for which the least ε is found; None finds none.
        records: Records that were named, counted from 1.
        per: Whether ε is that of one "feature" or of a whole "record".
        budget: Rows that the model may be asked about in total; None sets no limit.
        onnx: Whether the model is an ONNX file.
        published: Whether the published number was requested.
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
class Comparison:
    """Another framework's utilities of the same records (``published.classifier_utility.Published``).

    Attributes:
        rho: The utilities (records × mechanisms × ε).
        queries: Number of questions to the model.
        label: How the numbers must be marked where they are shown.
        caveats: Reasons why they are not lower bounds.
    """

    rho: Floats
    queries: int
    label: str
    caveats: tuple[str, ...] = field(repr=False)

    @property
    def average(self) -> Floats:
        """The mean of the utilities over the records, as (mechanisms, ε)."""
        return np.asarray(self.rho.mean(axis=0))

    @property
    def worst(self) -> Floats:
        """The least of the utilities over the records, as (mechanisms, ε)."""
        return np.asarray(self.rho.min(axis=0))


@dataclass(frozen=True)
class Gap:
    """The groups with the least and the most utility at one mechanism and ε, by their estimates.

    Attributes:
        least: The group with the least utility.
        most: The group with the most.
        low: Lower bound on the difference between the best and the worst served group.
        high: Upper bound on that difference.
    """

    least: str
    most: str
    low: float
    high: float


@dataclass(frozen=True)
class LeastEpsilon:
    """The smallest ε from which on a mechanism keeps the target; None if there is none.

    Attributes:
        mechanism: The mechanism.
        average: The ε for the average.
        worst: The ε for the worst record.
        records: The ε for each named record.
    """

    mechanism: str
    average: float | None
    worst: float | None
    records: dict[int, float | None]

    @property
    def found(self) -> list[float | None]:
        """All of them, in the order of the table."""
        return [self.average, self.worst, *self.records.values()]

    def to_dict(self) -> dict[str, Any]:
        """Return the numbers for JSON; null means that the target is not kept."""
        each = {str(record): epsilon for record, epsilon in self.records.items()}
        return {"average": self.average, "worst": self.worst, "records": each}


@dataclass(frozen=True)
class Cheapest:
    """The mechanism that keeps the target on average at the smallest ε.

    Attributes:
        mechanism: The mechanism.
        epsilon: The smallest ε from which on it keeps the target.
        column: The index of the first ε of the curve that is at least as large.
        alone: Whether no other is as cheap.
    """

    mechanism: str
    epsilon: float
    column: int
    alone: bool

    def to_dict(self) -> dict[str, Any]:
        """Return the mechanism and its ε for JSON."""
        return {"mechanism": self.mechanism, "epsilon": self.epsilon, "alone": self.alone}


@dataclass(frozen=True, eq=False)
class Forecast(Reportable):
    """A prediction, its question, and the published number if it was requested.

    Attributes:
        prediction: The bounds.
        inquiry: The question.
        published: The published number; None if it was not requested, or the budget left too little for it.
        published_rows: Rows that the model was asked about for the published number.
    """

    prediction: Prediction
    inquiry: Inquiry
    published: Comparison | None = None
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
        """The number of features that are randomized."""
        return len(self.prediction.records.sensitive)

    @property
    def budgets(self) -> Floats:
        """The budgets as requested: of each feature, or of a whole record."""
        return np.asarray(self.epsilons * (self.features if self.inquiry.per == "record" else 1))

    @property
    def scopes(self) -> dict[str, str]:
        """The scopes in words: the average and the worst record; only one if there is a single record."""
        numbers = self.prediction.records.numbers
        if len(numbers) == 1:
            return {"average": f"at record {numbers[0]}"}
        return {"average": "on average", "worst": "at the worst record"}

    @property
    def widest(self) -> float:
        """The largest distance between the bounds of a record."""
        return self.prediction.widest

    @property
    def rows(self) -> int:
        """The total number of rows that the model was asked about."""
        return self.prediction.asked + self.published_rows

    @cached_property
    def columns(self) -> list[int]:
        """The indices of a few ε for a table."""
        return table_places(self.budgets)

    @cached_property
    def focus(self) -> tuple[int, int]:
        """The mechanism and ε at which single records and groups are shown.

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
        """The least ε of each mechanism; empty without a target."""
        if (target := self.inquiry.target) is None:
            return []
        least = self.prediction.least_epsilon
        average, worst = least(target, "average"), least(target, "worst")
        single = {number: least(target, number) for number in self.inquiry.records}
        return [
            LeastEpsilon(
                name, average[name], worst[name], {number: found[name] for number, found in single.items()}
            )
            for name in self.names
        ]

    @cached_property
    def cheapest(self) -> Cheapest | None:
        """The mechanism that keeps the target on average at the smallest ε; in a tie, the most useful."""
        found = {row.mechanism: row.average for row in self.least if row.average is not None}
        if not found:
            return None
        epsilon = min(found.values())
        column = min(int(np.searchsorted(self.epsilons, epsilon)), self.epsilons.size - 1)
        equals = [name for name, value in found.items() if value == epsilon]
        lows = self.prediction.average.low[:, column]
        best = max(equals, key=lambda name: float(lows[self.names.index(name)]))
        return Cheapest(best, epsilon, column, alone=len(equals) == 1)

    def losers(self, count: int = LOSERS) -> list[dict[str, Any]]:
        """Return the records with the least utility at the focus, the worst first."""
        row, column = self.focus
        return self.prediction.losers(self.names[row], float(self.epsilons[column]), count)

    @cached_property
    def ranked_groups(self) -> list[str]:
        """The groups by their estimates at the focus, the lowest first."""
        bands = self.prediction.groups
        return sorted(bands, key=lambda name: (float(bands[name].estimate[self.focus]), name))

    @cached_property
    def gap(self) -> Gap | None:
        """The difference between groups at the focus; None if there are fewer than two."""
        if (band := self.prediction.group_gap()) is None:
            return None
        order = self.ranked_groups
        return Gap(order[0], order[-1], float(band.low[self.focus]), float(band.high[self.focus]))

    @property
    def optimistic(self) -> int:
        """The number of records × mechanisms × ε at which the published number exceeds the upper bound."""
        if self.published is None:
            return 0
        return int((self.published.rho > self.prediction.certificate.high + ROUNDING).sum())

    def report(self) -> Report:
        """Describe the prediction as a document."""
        from noisewright.utility.report import forecast_report  # noqa: PLC0415  (it reads this class)

        return forecast_report(self)

    def to_dict(self) -> dict[str, Any]:
        """Return the prediction and the choices for JSON."""
        row, column = self.focus
        found: dict[str, Any] = {
            "model": self.inquiry.model,
            "data": self.inquiry.data,
            "prediction": self.prediction.to_dict(),
            "focus": {"mechanism": self.names[row], "epsilon": float(self.epsilons[column])},
            "losers": self.losers(10 * LOSERS),
            "asked": {"in_all": self.rows, "published": self.published_rows, "budget": self.inquiry.budget},
        }
        if self.inquiry.target is not None:
            found["target"] = {
                "utility": self.inquiry.target,
                "least_epsilon": {least.mechanism: least.to_dict() for least in self.least},
                "kept_up_to": float(self.epsilons[-1]),
                "cheapest": None if self.cheapest is None else self.cheapest.to_dict(),
            }
        if self.gap is not None:
            found["gap"] = asdict(self.gap)
        if self.published is not None:
            found["published"] = {
                "label": self.published.label,
                "average": self.published.average.tolist(),
                "worst": self.published.worst.tolist(),
                "queries": self.published.queries,
                "exceeds_upper_bound": self.optimistic,
            }
        return found


def table_places(budgets: Floats) -> list[int]:
    """Return the indices of a few ε: all if there are few, otherwise the ends and the round ones between.

    >>> table_places(np.linspace(0.5, 4, 64))
    [0, 9, 27, 63]
    """
    last = budgets.size - 1
    if last < MOST_COLUMNS:
        return list(range(budgets.size))
    inside = [value for value in ROUND_EPSILONS if budgets[0] < value < budgets[-1]]
    wanted = [int(np.argmin(abs(budgets - value))) for value in inside]
    places = sorted({0, last, *wanted}) if len(wanted) > 1 else range(budgets.size)
    return thin(places, MOST_COLUMNS)


def thin(places: Sequence[int], most: int) -> list[int]:
    """Return at most ``most`` of some places, including both ends.

    >>> thin(range(9), 3), thin([0, 5], 6)
    ([0, 4, 8], [0, 5])
    """
    if len(places) <= most:
        return list(places)
    return [places[round(step * (len(places) - 1) / (most - 1))] for step in range(most)]
