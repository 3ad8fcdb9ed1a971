"""The least ε for a target: of each mechanism, and which of them is the cheapest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from noisewright.utility.prediction import Prediction


@dataclass(frozen=True)
class LeastEpsilon:
    """From which ε on a mechanism keeps the target: on average, at the worst record, at each named."""

    mechanism: str
    average: float | None
    worst: float | None
    records: dict[int, float | None]

    @property
    def found(self) -> list[float | None]:
        """All of them, in the order of the table."""
        return [self.average, self.worst, *self.records.values()]

    def to_dict(self) -> dict[str, Any]:
        """The numbers, for JSON; a null stands where the target is not kept."""
        each = {str(record): epsilon for record, epsilon in self.records.items()}
        return {"average": self.average, "worst": self.worst, "records": each}


@dataclass(frozen=True)
class Cheapest:
    """The mechanism that keeps the target on average from the least ε on.

    ``column`` is the first ε of the curve from there on; ``alone`` tells whether no other is as cheap.
    """

    mechanism: str
    epsilon: float
    column: int
    alone: bool

    def to_dict(self) -> dict[str, Any]:
        """The mechanism and its ε, for JSON."""
        return {"mechanism": self.mechanism, "epsilon": self.epsilon, "alone": self.alone}


def least_of(prediction: Prediction, target: float, records: Sequence[int]) -> list[LeastEpsilon]:
    """The least ε of each mechanism."""
    average, worst = (prediction.least_epsilon(target, scope) for scope in ("average", "worst"))
    single = {number: prediction.least_epsilon(target, number) for number in records}
    return [
        LeastEpsilon(
            name, average[name], worst[name], {number: found[name] for number, found in single.items()}
        )
        for name in prediction.names
    ]


def cheapest_of(prediction: Prediction, least: Sequence[LeastEpsilon]) -> Cheapest | None:
    """The cheapest mechanism on average; of equals the one with the most utility there."""
    found = {row.mechanism: row.average for row in least if row.average is not None}
    if not found:
        return None
    epsilon = min(found.values())
    column = min(int(np.searchsorted(prediction.epsilons, epsilon)), prediction.epsilons.size - 1)
    equals = [name for name, value in found.items() if value == epsilon]
    lows = prediction.average.low[:, column]
    best = max(equals, key=lambda name: float(lows[prediction.curve.where(name)]))
    return Cheapest(best, epsilon, column, alone=len(equals) == 1)
