"""How the output of an ONNX model becomes labels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noisewright.errors import BadModel, InvalidParameter
from noisewright.utility.models.classifier import Labels, highest

LABELS = ("tensor(int64)", "tensor(int32)", "tensor(string)", "tensor(bool)")
SCORES = ("tensor(float)", "tensor(double)", "tensor(float16)")
MAPS = ("seq(map(int64,tensor(float)))", "seq(map(string,tensor(float)))")


@dataclass(frozen=True)
class Output:
    """The output that tells the class: labels, a map from label to score a row, or columns of scores."""

    name: str
    kind: str
    classes: tuple[Any, ...] | None

    @classmethod
    def choose(cls, described: list[Any], wanted: str | None, classes: Sequence[Any] | None) -> Output:
        """The output asked for, or else the first of labels, of maps, of scores."""
        if wanted is not None and wanted not in [item.name for item in described]:
            raise InvalidParameter(f"the ONNX model has no output of the name {wanted!r}")
        candidates = [item for item in described if wanted in (None, item.name)]
        for kinds in (LABELS, MAPS, SCORES):
            for item in candidates:
                if item.type in kinds:
                    return cls(item.name, item.type, _classes(item, classes))
        raise BadModel("the ONNX model has no output of labels or scores")

    @property
    def names_labels(self) -> bool:
        """Whether the output itself names classes, so that the model may declare them all."""
        return self.kind not in SCORES

    def labels(self, answer: Any) -> Labels:
        """One label a row."""
        if self.kind in MAPS:
            return _from_maps(answer)
        return self._from_scores(answer) if self.kind in SCORES else np.asarray(answer)

    def _from_scores(self, scores: NDArray[Any]) -> Labels:
        columns = scores.reshape(len(scores), -1) if scores.ndim < 2 else scores
        if columns.ndim != 2:
            raise BadModel(f"the ONNX model's output {self.name} is no table of scores")
        if columns.shape[1] == 1:
            columns = _both_sides(columns[:, 0])
        classes = self.classes or tuple(range(columns.shape[1]))
        if len(classes) != columns.shape[1]:
            raise BadModel(
                f"the ONNX model gives {columns.shape[1]} scores a row, but {len(classes)} classes are given"
            )
        return highest(columns, classes)


def _both_sides(probability: NDArray[Any]) -> NDArray[Any]:
    """Scores of both classes from the probability of the second; an even chance goes to the first."""
    if ((probability < 0) | (probability > 1)).any():
        raise BadModel(
            "the ONNX model's single score is no probability; end the model with a sigmoid, or give it one "
            "score a class"
        )
    return np.stack([np.full_like(probability, 0.5), probability], axis=1)


def _from_maps(answer: list[dict[Any, float]]) -> Labels:
    labels = np.empty(len(answer), dtype=object)
    for row, scores in enumerate(answer):
        unusable = not scores or any(np.isnan(score) for score in scores.values())
        labels[row] = np.nan if unusable else max(scores, key=scores.__getitem__)
    return labels


def _classes(described: Any, classes: Sequence[Any] | None) -> tuple[Any, ...] | None:
    """The classes given, or the numbers of the columns of scores, if their number is known."""
    if classes is not None:
        return tuple(classes)
    shape = list(described.shape)
    if described.type not in SCORES or not shape:
        return None
    width = shape[1] if len(shape) == 2 else 1
    return tuple(range(max(2, width))) if isinstance(width, int) and width > 0 else None
