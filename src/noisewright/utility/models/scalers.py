"""scikit-learn's scalers of single columns, as the arithmetic steps of the library itself.

Trees repeat these steps to the last bit; linear models fold them into their weights.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from noisewright.domains import Floats
from noisewright.utility.models.classifier import is_exactly

OPERATIONS: dict[str, Callable[[Floats, Floats], Floats]] = {
    "subtract": np.subtract,
    "divide": np.divide,
    "multiply": np.multiply,
    "add": np.add,
}
"""Operations of scalers on a column, each with one number per column."""

Move = tuple[str, Floats]
"""The name of an operation on every column, and one number per column."""


def scaler_moves(step: Any) -> list[Move] | None:
    """Return the moves of a fitted scaler in their order; None if it does more than shift and stretch.

    >>> from sklearn.preprocessing import StandardScaler
    >>> [name for name, _ in scaler_moves(StandardScaler(with_mean=False).fit([[0.0], [2.0]]))]
    ['divide']
    """
    name = type(step).__name__
    if not is_exactly(step, name) or getattr(step, "clip", False):
        return None
    match name:
        case "StandardScaler":
            moves = [("subtract", step.mean_, step.with_mean), ("divide", step.scale_, step.with_std)]
        case "RobustScaler":
            centred, scaled = step.with_centering, step.with_scaling
            moves = [("subtract", step.center_, centred), ("divide", step.scale_, scaled)]
        case "MinMaxScaler":
            moves = [("multiply", step.scale_, True), ("add", step.min_, True)]
        case "MaxAbsScaler":
            moves = [("divide", step.scale_, True)]
        case _:
            return None
    return [(move, np.asarray(numbers, dtype=np.float64)) for move, numbers, done in moves if done]
