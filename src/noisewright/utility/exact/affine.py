"""Scalers in front of a model, read as one line for each column: x' = scale·x + offset.

Whatever a model does with scaled columns it does, with other numbers, with the columns themselves. Only
scalers that move and stretch each column on its own are read; anything else makes a pipeline unreadable.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from noisewright.domains import Floats
from noisewright.utility.exact.scalers import OPERATIONS, is_exactly, scaler_moves

Affine = tuple[Floats, Floats, Any]
"""Scale and offset of each column, and the estimator behind them."""


def affine_steps(pipeline: Any) -> Affine | None:
    """Read the scalers of a pipeline, or nothing if a step is no scaler of single columns.

    A bare estimator is a pipeline without scalers: its scale is 1 and its offset 0.

    >>> import numpy as np
    >>> from sklearn.linear_model import LogisticRegression
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.preprocessing import MinMaxScaler
    >>> rows = np.array([[0.0, 10.0], [4.0, 30.0]])
    >>> model = make_pipeline(MinMaxScaler(), LogisticRegression()).fit(rows, [0, 1])
    >>> scale, offset, last = affine_steps(model)
    >>> scale.tolist(), offset.tolist(), type(last).__name__
    ([0.25, 0.05], [0.0, -0.5], 'LogisticRegression')
    """
    if not is_exactly(pipeline, "Pipeline"):
        columns = getattr(pipeline, "n_features_in_", None)
        return None if columns is None else (np.ones(columns), np.zeros(columns), pipeline)
    lines = [_line(step) for _, step in pipeline.steps[:-1] if step not in (None, "passthrough")]
    inner = affine_steps(pipeline.steps[-1][1])
    if inner is None or any(line is None for line in lines):
        return None
    scale, offset = np.ones_like(inner[0]), np.zeros_like(inner[0])
    for line in (*lines, inner[:2]):
        assert line is not None
        scale, offset = line[0] * scale, line[0] * offset + line[1]
    return scale, offset, inner[2]


def _line(scaler: Any) -> tuple[Floats, Floats] | None:
    """Scale and offset of one fitted scaler, or nothing if it does more than move and stretch columns."""
    moves = scaler_moves(scaler)
    if moves is None:
        return None
    scale, offset = np.ones(scaler.n_features_in_), np.zeros(scaler.n_features_in_)
    for name, numbers in moves:
        if name in ("divide", "multiply"):
            scale = OPERATIONS[name](scale, numbers)
        offset = OPERATIONS[name](offset, numbers)
    return scale, offset
