"""The published number beside a prediction, for the same model, records and curve."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from noisewright.cli.model_options import ModelRequest
from noisewright.cli.predict_records import RecordTable
from noisewright.errors import InvalidParameter
from noisewright.randomness import SeededSource
from noisewright.utility.asking import ask_records
from noisewright.utility.models import BlackBox, Classifier
from noisewright.utility.prediction import Prediction
from noisewright.utility.published import Published, published_utility

TEST: Final = "clopper-pearson"
"""The published statement about a box, from far fewer questions than the paper's own test."""


def publish(
    model: ModelRequest,
    classifier: Classifier,
    table: RecordTable,
    prediction: Prediction,
    answers: str | None,
    seed: int | None,
) -> tuple[Published | None, int]:
    """What the published framework says of the records of a prediction, and how many rows that took.

    Nothing, if the prediction did not leave enough of the budget: what was paid for already is not thrown
    away for a number to compare with.
    """
    left = None if model.budget is None else model.budget - prediction.asked
    if left is not None and left < 1:
        return None, 0
    box = model.asking(left).box(classifier)
    try:
        return _published(box, table, prediction, answers, seed), box.queries
    except InvalidParameter:
        if left is None:
            raise
        return None, box.queries


def _published(
    box: BlackBox, table: RecordTable, prediction: Prediction, answers: str | None, seed: int | None
) -> Published:
    there = replace(prediction.records, values=table.values, numbers=np.arange(1, len(table.values) + 1))
    labels = None if answers is None else table.labels[answers]
    chosen, known = ask_records(box, there, prediction.records.numbers - 1, labels)
    source = None if seed is None else SeededSource(seed)
    return published_utility(box, chosen, known.expected, prediction.curve, test=TEST, source=source)
