"""Small models, trained once: two or three classes, named by numbers or texts."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.neural_network import MLPClassifier

FEATURES = 3
KINDS = ("linear", "forest", "network")
TASKS = ("numbers", "texts", "three")


@cache
def rows(count: int = 300, seed: int = 1) -> NDArray[np.float64]:
    """Rows that float32 holds exactly, so that an ONNX file sees what scikit-learn sees."""
    drawn = np.random.default_rng(seed).normal(size=(count, FEATURES))
    return drawn.astype(np.float32).astype(np.float64)


def targets(task: str) -> NDArray[Any]:
    score = rows() @ np.array([1.0, -2.0, 0.5])
    if task == "three":
        return np.digitize(score, [-1.0, 1.0]) * 10
    return np.where(score > 0, "yes", "no") if task == "texts" else (score > 0).astype(int)


@cache
def trained(kind: str, task: str) -> Any:
    model = {
        "linear": LogisticRegression(),
        "forest": RandomForestClassifier(10, max_depth=4, random_state=0),
        "network": MLPClassifier((6,), solver="lbfgs", max_iter=2000, random_state=0),
    }[kind]
    return model.fit(rows(), targets(task))
