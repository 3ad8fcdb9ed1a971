"""Choosing with a prediction: the best mechanism at each ε, the least ε for a target, and who pays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from noisewright.domains import Floats
from noisewright.errors import InvalidParameter
from noisewright.parameters import is_number
from noisewright.utility.certificate import Band, Certificate
from noisewright.utility.curve import Curve
from noisewright.utility.records import Records

if TYPE_CHECKING:
    from noisewright.utility.prediction import Prediction

Scope = str | int

PRECISION = 0.01
"""How finely the least ε of an exact prediction is found."""

_AT_ONCE = 16
"""Values of ε that a refinement looks at in a round."""


def best_mechanisms(curve: Curve, band: Band) -> tuple[str, ...]:
    """The mechanism with the highest lower bound at each ε; of equals, the first."""
    return tuple(curve.names[place] for place in band.low.argmax(axis=0))


def least_epsilons(prediction: Prediction, target: float, scope: Scope) -> dict[str, float | None]:
    """For each mechanism the least ε from which on the lower bound keeps the target."""
    if not (is_number(target) and 0 < float(target) <= 1):
        raise InvalidParameter(f"a target is a share of answers, above 0 and at most 1, not {target!r}")
    low = prediction.band(scope).low
    return {
        name: _least(prediction, row, low[row], float(target), scope)
        for row, name in enumerate(prediction.names)
    }


def _least(prediction: Prediction, row: int, low: Floats, target: float, scope: Scope) -> float | None:
    place = _kept_from(low >= target)
    if place == low.size:
        return None
    high = float(prediction.epsilons[place])
    if place == 0 or prediction.again is None:
        return high
    return _refined(prediction, row, (float(prediction.epsilons[place - 1]), high), target, scope)


def _kept_from(reached: NDArray[np.bool_]) -> int:
    """The first place from which on all are reached: utility need not rise with ε.

    >>> _kept_from(np.array([True, False, True, True]))
    2
    """
    missed = np.flatnonzero(~reached)
    return int(missed[-1]) + 1 if missed.size else 0


def _refined(
    prediction: Prediction, row: int, bracket: tuple[float, float], target: float, scope: Scope
) -> float:
    """The least ε between one that misses the target and one that reaches it; the result reaches it."""
    missed, reached = bracket
    while reached - missed > PRECISION:
        trial = np.linspace(missed, reached, _AT_ONCE + 2)[1:-1]
        values = prediction.refined(row, trial, scope)
        place = _kept_from(values >= target)
        steps = np.concatenate([[missed], trial, [reached]])
        missed, reached = float(steps[place]), float(steps[place + 1])
    return reached


def who_loses(
    certificate: Certificate, records: Records, place: tuple[int, int], count: int | None
) -> list[dict[str, Any]]:
    """The records whose answers survive least often at one mechanism and ε, worst first."""
    row, column = place
    low = certificate.low[:, row, column]
    order = np.argsort(low, kind="stable")[:count]
    return [
        {
            "record": int(records.numbers[at]),
            "low": float(low[at]),
            "estimate": float(certificate.estimate[at, row, column]),
            "high": float(certificate.high[at, row, column]),
        }
        for at in order
    ]
