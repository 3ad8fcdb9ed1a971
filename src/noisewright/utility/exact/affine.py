"""Scalers in front of a model, read as one line for each column: x' = scale·x + offset.

Whatever a model does with scaled columns it does, with other numbers, with the columns themselves. Only
scalers that move and stretch each column on its own are read; anything else makes a pipeline unreadable.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from noisewright.domains import Floats

Affine = tuple[Floats, Floats, Any]
"""Scale and offset of each column, and the estimator behind them."""


def is_exactly(model: object, *names: str) -> bool:
    """Whether a model is one of scikit-learn's own classes; a subclass may answer differently.

    >>> is_exactly(3, "LogisticRegression")
    False
    """
    kind = type(model)
    return kind.__module__.partition(".")[0] == "sklearn" and kind.__qualname__ in names


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
    if getattr(scaler, "clip", False):
        return None
    if is_exactly(scaler, "StandardScaler"):
        return _from_centre(scaler, scaler.mean_ if scaler.with_mean else None, scaler.scale_)
    if is_exactly(scaler, "RobustScaler"):
        return _from_centre(scaler, scaler.center_, scaler.scale_)
    if is_exactly(scaler, "MaxAbsScaler"):
        return _from_centre(scaler, None, scaler.scale_)
    if is_exactly(scaler, "MinMaxScaler"):
        return _doubles(scaler.scale_), _doubles(scaler.min_)
    return None


def _from_centre(scaler: Any, centre: Any, scale: Any) -> tuple[Floats, Floats]:
    """The line x' = (x − centre)/scale; a scaler leaves out either."""
    columns = scaler.n_features_in_
    stretch = 1.0 / (np.ones(columns) if scale is None else _doubles(scale))
    return stretch, -stretch * (np.zeros(columns) if centre is None else _doubles(centre))


def _doubles(numbers: Any) -> Floats:
    return np.asarray(numbers, dtype=np.float64)
