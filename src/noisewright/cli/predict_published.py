"""The published number beside a prediction, for the same model, records and curve."""

from __future__ import annotations

from typing import Final

import numpy as np

from noisewright.cli.model_options import ModelRequest
from noisewright.cli.predict_records import RecordTable
from noisewright.domains import Cells
from noisewright.randomness import SeededSource
from noisewright.utility.models import BlackBox, Classifier
from noisewright.utility.prediction import Prediction
from noisewright.utility.published import Published, published_utility

TEST: Final = "clopper-pearson"
"""The published statement about a box, from far fewer questions than the paper's own test."""

NO_CLASS: Final = -1
"""The code of a true label that the model never answers."""


def publish(
    model: ModelRequest,
    classifier: Classifier,
    table: RecordTable,
    prediction: Prediction,
    answers: str | None,
    seed: int | None,
) -> Published:
    """What the published framework says of the records of a prediction."""
    box = BlackBox(classifier, **vars(model.asking()))
    expected = _expected(box, table, answers)[prediction.records.numbers - 1]
    source = None if seed is None else SeededSource(seed)
    return published_utility(box, prediction.records, expected, prediction.curve, test=TEST, source=source)


def _expected(box: BlackBox, table: RecordTable, answers: str | None) -> Cells:
    """The answers that ought to survive, as codes of the box."""
    own = box.ask(table.values, np.arange(1, len(table.values) + 1), learn=True)
    if answers is None:
        return own
    codes = {label: box.code_of(label) for label in set(table.labels[answers])}
    return np.array([NO_CLASS if (code := codes[label]) is None else code for label in table.labels[answers]])
