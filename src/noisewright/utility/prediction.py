"""The result of a prediction: how often a model's answer survives, and the choices that follow."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noisewright.domains import Cells, Floats
from noisewright.errors import InvalidParameter
from noisewright.parameters import is_number
from noisewright.report import Report, Reportable, Section, Table, number
from noisewright.text import short
from noisewright.utility.core.certificate import SIDES, Band, Certificate
from noisewright.utility.core.curve import Curve
from noisewright.utility.core.records import Records

Scope = str | int

PRECISION = 0.01
"""Relative precision of the least ε of an exact prediction."""

_AT_ONCE = 16
"""Number of ε that a refinement computes in one round."""

MOST_LISTED = 20
"""Largest number of records whose whole curves go into ``to_dict``."""


class WidthNotReached(UserWarning):
    """Intervals of a prediction are wider than requested, after all allowed queries."""


@dataclass(frozen=True, eq=False, repr=False)
class Prediction(Reportable):
    """How often a model answers a record as before, for every mechanism and ε.

    All bounds hold together, for every record, mechanism and ε of the curve, with probability ``confidence``
    over the random queries; exact ones hold with certainty. ε is that of one sensitive feature.

    Attributes:
        curve: The mechanisms and ε.
        records: The predicted records.
        certificate: The intervals of single records, of shape (records, mechanisms, ε).
        confidence: Probability with which all bounds hold together.
        average: Utility averaged over the records, of shape (mechanisms, ε).
        worst: The least utility of any record, of shape (mechanisms, ε).
        groups: The average of each group, by its name.
        members: Indices of each group's records.
        model: The model's name.
        answers: Description of the answer that should survive.
        asked: Total number of rows that the model was asked about, including true records.
        width: The requested width of intervals; None if none was requested.
        again: Solves some of the records for another curve; None for sampled predictions.
    """

    curve: Curve
    records: Records
    certificate: Certificate
    confidence: float
    average: Band
    worst: Band
    groups: Mapping[str, Band] = field(default_factory=dict)
    members: Mapping[str, Cells] = field(default_factory=dict, repr=False)
    model: str = "model"
    answers: str = "the model's answer on the true record"
    asked: int = 0
    width: float | None = None
    again: Callable[[Curve, Cells], Certificate | None] | None = field(default=None, repr=False)

    def __repr__(self) -> str:
        """Describe the prediction, without anything about single records."""
        mechanisms, epsilons = self.curve.shape
        how = "exact" if self.exact else f"confidence {self.confidence:g}"
        what = f"{len(self.records)} records, {mechanisms} mechanisms × {epsilons} ε"
        return f"Prediction({self.model}: {what}, {how})"

    def __str__(self) -> str:
        return repr(self)

    def report(self) -> Report:
        """Describe the averages as a document, without anything about single records."""
        header = ["mechanism", *(f"ε = {short(epsilon)}" for epsilon in self.epsilons.tolist())]
        cells = [[number(f"{low:.3f}", exact=low) for low in row] for row in self.average.low.tolist()]
        rows = [[name, *row] for name, row in zip(self.names, cells, strict=True)]
        table = Table("Share of answers that survive, at least, averaged over the records", header, rows)
        title = f"How often the answers of {self.model} survive"
        return Report(
            title, f"{self!r}.", [Section("On average", [table])], verb="predict", data=self.to_dict()
        )

    @property
    def names(self) -> tuple[str, ...]:
        """The mechanisms."""
        return self.curve.names

    @property
    def epsilons(self) -> Floats:
        """The ε of one sensitive feature."""
        return self.curve.epsilons

    @cached_property
    def total_epsilons(self) -> Floats:
        """The ε of a whole record: one report for each sensitive feature, and ε adds up."""
        return self.curve.epsilons * len(self.records.sensitive)

    @property
    def exact(self) -> bool:
        """Whether the bounds involve no randomness."""
        return self.certificate.exact

    @cached_property
    def widest(self) -> float:
        """The largest distance between the bounds of a record."""
        return float((self.certificate.high - self.certificate.low).max())

    @property
    def width_reached(self) -> bool:
        """Whether all intervals of records are as narrow as requested; True if no width was requested."""
        return self.width is None or self.widest <= self.width

    def record(self, number: int) -> Band:
        """Return the band of one record, by its number in the data."""
        place = self._place(number)
        return self.certificate.band(lambda part: part[place])

    def band(self, scope: Scope = "average") -> Band:
        """Return the band of a scope: "average", "worst", "group:NAME" or the number of a record."""
        if isinstance(scope, (int, np.integer)):
            return self.record(int(scope))
        if scope in ("average", "worst"):
            return self.average if scope == "average" else self.worst
        kind, _, name = scope.partition(":")
        if kind == "group" and name in self.groups:
            return self.groups[name]
        raise InvalidParameter(
            f'a scope is "average", "worst", "group:NAME" or the number of a record, not {scope!r}'
        )

    def best(self, scope: Scope = "average") -> tuple[str, ...]:
        """Return the mechanism with the highest lower bound at each ε; in a tie, the first."""
        return tuple(self.names[place] for place in self.band(scope).low.argmax(axis=0))

    def frontier(self, scope: Scope = "average") -> Floats:
        """Return the highest lower bound at each ε, over all mechanisms."""
        return np.asarray(self.band(scope).low.max(axis=0))

    def least_epsilon(self, target: float, scope: Scope = "average") -> dict[str, float | None]:
        """Return for each mechanism the least ε from which on lower bounds keep a target, or None.

        Exact predictions are refined between the values of the curve; others use only these values. The
        result depends on the records: an ε chosen for somebody's own record reveals something about it.

        Args:
            target: The share of answers that should survive, above 0 and at most 1.
            scope: "average", "worst", "group:NAME" or the number of a record.
        """
        if not (is_number(target) and 0 < float(target) <= 1):
            raise InvalidParameter(f"a target is a share of answers, above 0 and at most 1, not {target!r}")
        low = self.band(scope).low
        return {
            name: self._least_epsilon(row, low[row], float(target), scope)
            for row, name in enumerate(self.names)
        }

    def _least_epsilon(self, row: int, low: Floats, target: float, scope: Scope) -> float | None:
        """Return the least ε of one mechanism; exact ones are refined between values of the curve."""
        place = _kept_from(low >= target)
        if place == low.size:
            return None
        kept = float(self.epsilons[place])
        if place == 0 or self.again is None:
            return kept
        missed = float(self.epsilons[place - 1])
        while kept - missed > PRECISION:
            steps = np.linspace(missed, kept, _AT_ONCE + 2)
            place = _kept_from(self.lower_bounds_at(row, steps[1:-1], scope) >= target)
            missed, kept = float(steps[place]), float(steps[place + 1])
        return kept

    def lower_bounds_at(self, place: int, epsilons: Floats, scope: Scope = "average") -> Floats:
        """Return the lower bounds of one mechanism at other values of ε; only for exact predictions.

        Args:
            place: The index of the mechanism in the curve.
            epsilons: Budgets of one feature, ascending.
            scope: "average", "worst", "group:NAME" or the number of a record.
        """
        if self.again is None:
            raise InvalidParameter("only exact predictions can be asked about further values of epsilon")
        which = self._which(scope)
        found = self.again(self.curve.at_epsilons(place, epsilons), which)
        assert found is not None  # it was solved once already
        return np.asarray((found.low.min(axis=0) if scope == "worst" else found.low.mean(axis=0))[0])

    def losers(self, mechanism: str, epsilon: float, count: int | None = 10) -> list[dict[str, Any]]:
        """Return the records whose answers survive least often, worst first.

        Args:
            mechanism: Name of a mechanism of the curve.
            epsilon: Budget of one feature; the nearest value of the curve is taken.
            count: Largest number of records; None returns all.
        """
        row, column = self.curve.where(mechanism), self.nearest(epsilon)
        found = {
            side: getattr(self.certificate, side)[:, row, column] for side in ("low", "estimate", "high")
        }
        return [
            {
                "record": int(self.records.numbers[place]),
                **{side: float(values[place]) for side, values in found.items()},
            }
            for place in np.argsort(found["low"], kind="stable")[:count]
        ]

    def nearest(self, epsilon: float) -> int:
        """Return the index of the value of the curve that is nearest to ε."""
        return int(np.argmin(np.abs(self.epsilons - epsilon)))

    def group_gap(self) -> Band | None:
        """Return how far apart the best and the worst served group are; None with fewer than two groups."""
        if len(self.groups) < 2:
            return None
        low, high, middle = (
            np.stack([getattr(band, side) for band in self.groups.values()])
            for side in ("low", "high", "estimate")
        )
        least = np.maximum(low.max(axis=0) - high.min(axis=0), 0.0)
        return Band(np.ptp(middle, axis=0), least, high.max(axis=0) - low.min(axis=0))

    def plot(self, axes: Any = None, *, scope: Scope = "average") -> Any:
        """Draw utility against ε, one line and band per mechanism; return the matplotlib axes."""
        from noisewright.utility.plots import plot_prediction  # noqa: PLC0415  (matplotlib is an extra)

        return plot_prediction(self, axes, scope=scope)

    def to_dict(self) -> dict[str, Any]:
        """Return the prediction for JSON; whole curves of single records only if there are few."""
        found = {
            "model": self.model,
            "reference": self.answers,
            "exact": self.exact,
            "confidence": 1.0 if self.exact else self.confidence,
            "queries": self.certificate.queries,
            "asked_in_all": self.asked,
            "widest_interval": self.widest,
            "requested_width": self.width,
            "width_reached": None if self.width is None else self.width_reached,
            "records": len(self.records),
            "sensitive": [
                {"name": one.name, "low": one.domain.ends[0], "high": one.domain.ends[1]}
                for one in self.records.sensitive
            ],
            "mechanisms": list(self.names),
            "epsilon_of_a_feature": self.epsilons.tolist(),
            "epsilon_of_a_record": self.total_epsilons.tolist(),
            "average": _band_lists(self.average),
            "worst": _band_lists(self.worst),
            "best": {"average": self.best(), "worst": self.best("worst")},
            "groups": {name: _band_lists(band) for name, band in self.groups.items()},
        }
        if len(self.records) <= MOST_LISTED:
            numbers = self.records.numbers.tolist()
            found["by_record"] = {str(number): _band_lists(self.record(number)) for number in numbers}
        return found

    def _which(self, scope: Scope) -> Cells:
        """Return the indices of the records of a scope."""
        if isinstance(scope, (int, np.integer)):
            return np.array([self._place(int(scope))])
        kind, _, name = scope.partition(":")
        return np.asarray(self.members[name]) if kind == "group" else np.arange(len(self.records))

    def _place(self, number: int) -> int:
        where: Cells = np.flatnonzero(self.records.numbers == number)
        if not where.size:
            raise InvalidParameter(f"record {number} is not part of this prediction")
        return int(where[0])


def _kept_from(reached: NDArray[np.bool_]) -> int:
    """Return the first index from which on all are reached: utility need not rise with ε.

    >>> _kept_from(np.array([True, False, True, True]))
    2
    """
    missed = np.flatnonzero(~reached)
    return int(missed[-1]) + 1 if missed.size else 0


def _band_lists(band: Band) -> dict[str, Any]:
    return {side: getattr(band, side).tolist() for side in SIDES}
