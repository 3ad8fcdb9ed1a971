"""What a prediction says: how often a model's answer survives, and what to choose because of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from noisewright.domains import Cells, Floats
from noisewright.errors import InvalidParameter
from noisewright.utility.certificate import Band, Certificate
from noisewright.utility.choosing import Scope, best_mechanisms, least_epsilons, who_loses
from noisewright.utility.curve import Curve
from noisewright.utility.records import Records

MOST_LISTED = 20
"""Records whose whole curves go into ``to_dict``."""


@dataclass(frozen=True, eq=False, repr=False)
class Prediction:
    """How often a model answers a record as before, for every mechanism and ε.

    All bounds hold at once, for every record, mechanism and ε of the curve, with probability
    ``confidence`` over the random queries; exact ones hold in any case. Arrays are (mechanisms, ε), those of
    ``certificate`` (records, mechanisms, ε). ε is that of one sensitive feature; ``total_epsilons`` is what a
    whole record costs. ``asked`` is how many rows the model was asked about in all, true records included.
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
        """What was predicted, without anything about single records."""
        mechanisms, epsilons = self.curve.shape
        how = "exact" if self.exact else f"confidence {self.confidence:g}"
        what = f"{len(self.records)} records, {mechanisms} mechanisms × {epsilons} ε"
        return f"Prediction({self.model}: {what}, {how})"

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
        """Whether no chance is involved."""
        return self.certificate.exact

    def record(self, number: int) -> Band:
        """The band of one record, by its number in the data."""
        place = self._place(number)
        found = self.certificate
        return Band(found.estimate[place], found.low[place], found.high[place])

    def band(self, scope: Scope = "average") -> Band:
        """The band of a scope: "average", "worst", "group:NAME" or the number of a record."""
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
        """The mechanism with the highest lower bound at each ε."""
        return best_mechanisms(self.curve, self.band(scope))

    def frontier(self, scope: Scope = "average") -> Floats:
        """The highest lower bound at each ε, over all mechanisms."""
        return np.asarray(self.band(scope).low.max(axis=0))

    def least_epsilon(self, target: float, scope: Scope = "average") -> dict[str, float | None]:
        """For each mechanism the least ε of one feature from which on lower bounds keep a target, or None.

        Exact predictions are refined between the values of the curve, others keep to them. The result depends
        on the records: an ε chosen for somebody's own record tells something about it by itself.
        """
        return least_epsilons(self, target, scope)

    def refined(self, place: int, epsilons: Floats, scope: Scope = "average") -> Floats:
        """The lower bounds of one mechanism at other values of ε; for exact predictions only."""
        if self.again is None:
            raise InvalidParameter("only exact predictions can be asked about further values of epsilon")
        which = self._which(scope)
        found = self.again(self.curve.refined(place, epsilons), which)
        assert found is not None  # what was solved once can be solved again
        return np.asarray((found.low.min(axis=0) if scope == "worst" else found.low.mean(axis=0))[0])

    def losers(self, mechanism: str, epsilon: float, count: int | None = 10) -> list[dict[str, Any]]:
        """The records whose answers survive least often, worst first."""
        place = self.curve.where(mechanism), self.nearest(epsilon)
        return who_loses(self.certificate, self.records, place, count)

    def nearest(self, epsilon: float) -> int:
        """The place of the value of the curve that is nearest to ε."""
        return int(np.argmin(np.abs(self.epsilons - epsilon)))

    def group_gap(self) -> Band | None:
        """How far apart the best and the worst served group are; the bounds hold with the others."""
        if len(self.groups) < 2:
            return None
        low, high, middle = (
            np.stack([getattr(band, side) for band in self.groups.values()])
            for side in ("low", "high", "estimate")
        )
        least = np.maximum(low.max(axis=0) - high.min(axis=0), 0.0)
        return Band(np.ptp(middle, axis=0), least, high.max(axis=0) - low.min(axis=0))

    def plot(self, axes: Any = None, *, scope: Scope = "average") -> Any:
        """Draw utility against ε, one line and band a mechanism; returns the matplotlib axes."""
        from noisewright.utility.drawing import plot_prediction  # noqa: PLC0415  (matplotlib is an extra)

        return plot_prediction(self, axes, scope=scope)

    def to_dict(self) -> dict[str, Any]:
        """The prediction for machines; whole curves of single records only if they are few."""
        found = {
            "model": self.model,
            "reference": self.answers,
            "exact": self.exact,
            "confidence": 1.0 if self.exact else self.confidence,
            "queries": self.certificate.queries,
            "asked_in_all": self.asked,
            "widest_interval": float((self.certificate.high - self.certificate.low).max()),
            "requested_width": self.width,
            "records": len(self.records),
            "sensitive": [
                {"name": one.name, "low": one.domain.ends[0], "high": one.domain.ends[1]}
                for one in self.records.sensitive
            ],
            "mechanisms": list(self.names),
            "epsilon_of_a_feature": self.epsilons.tolist(),
            "epsilon_of_a_record": self.total_epsilons.tolist(),
            "average": _listed(self.average),
            "worst": _listed(self.worst),
            "best": {"average": self.best(), "worst": self.best("worst")},
            "groups": {name: _listed(band) for name, band in self.groups.items()},
        }
        if len(self.records) <= MOST_LISTED:
            found["by_record"] = {str(number): _listed(self.record(number)) for number in self._numbers}
        return found

    @property
    def _numbers(self) -> list[int]:
        return [int(number) for number in self.records.numbers]

    def _which(self, scope: Scope) -> Cells:
        """The places of the records that a scope speaks about."""
        if isinstance(scope, (int, np.integer)):
            return np.array([self._place(int(scope))])
        kind, _, name = scope.partition(":")
        return np.asarray(self.members[name]) if kind == "group" else np.arange(len(self.records))

    def _place(self, number: int) -> int:
        where: Cells = np.flatnonzero(self.records.numbers == number)
        if not where.size:
            raise InvalidParameter(f"record {number} is not part of this prediction")
        return int(where[0])


def _listed(band: Band) -> dict[str, Any]:
    return {side: getattr(band, side).tolist() for side in ("estimate", "low", "high")}
