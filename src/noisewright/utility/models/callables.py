"""Python functions as classifiers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from noisewright.domains.base import Floats
from noisewright.parameters import whole
from noisewright.utility.models.classifier import Labels, labels_from

MOST_FEATURES = 1_000_000


@dataclass(frozen=True, eq=False)
class CallableClassifier:
    """A function from rows (n, d) to n labels, or to (n, K) scores of K declared classes.

    It is the way in for every library that has no adapter here: a network of PyTorch or JAX needs one line.

    >>> import numpy as np
    >>> model = CallableClassifier(lambda rows: np.stack([-rows[:, 0], rows[:, 0]], axis=1), ("low", "high"))
    >>> model.labels(np.array([[-2.0], [3.0]])).tolist()
    ['low', 'high']
    """

    function: Callable[[Floats], Any]
    classes: tuple[Any, ...] | None = None
    features: int | None = None
    title: str | None = None

    def __post_init__(self) -> None:
        classes: Sequence[Any] | None = self.classes
        object.__setattr__(self, "classes", None if classes is None else tuple(classes))
        if self.features is not None:
            whole("features", self.features, 1, MOST_FEATURES)

    @property
    def name(self) -> str:
        known: object = getattr(self.function, "__name__", None) or type(self.function).__name__
        return self.title or f"function {known}"

    def labels(self, rows: Floats) -> Labels:
        return labels_from(self.function(rows), self.classes)
