"""Asking a model about true records: how it may be asked, and which answers ought to survive."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from noisewright.domains import Cells
from noisewright.errors import InvalidParameter
from noisewright.utility.models import BlackBox, Classifier, as_classifier, feature_names
from noisewright.utility.records import Records


@dataclass(frozen=True)
class Asking:
    """How a model may be asked: in what batches, how long for one, how often in all; what it may answer."""

    batch: int | None = None
    timeout: float | None = 60.0
    budget: int | None = None
    classes: tuple[Any, ...] | None = None

    def box(self, model: Any) -> BlackBox:
        """A model behind these limits."""
        return BlackBox(
            as_classifier(model, classes=self.classes),
            batch=self.batch,
            timeout=self.timeout,
            budget=self.budget,
            classes=self.classes,
        )


@dataclass(frozen=True, eq=False)
class Answers:
    """What a model answers on true records, and the answers that ought to survive, as codes of its box."""

    own: Cells
    expected: Cells


def ask_records(
    box: BlackBox, records: Records, places: Cells, answers: ArrayLike | None = None
) -> tuple[Records, Answers]:
    """Some of the records with their answers; a model that answers a record in two ways is refused.

    A model that declares its classes, and a function, are asked about these records only. Any other is asked
    about all of them, since a label that it gives for none is taken for a mistake later.
    """
    chosen = records.take(places)
    own = box.ask(chosen.values, chosen.numbers) if box.settled else _learnt(box, records)[places]
    box.check_repeatable(chosen.values, chosen.numbers)
    if answers is None:
        return chosen, Answers(own, own)
    given: NDArray[Any] = np.asarray(answers).reshape(-1)
    if given.size != len(records):
        raise InvalidParameter(f"there are {given.size} answers for {len(records)} records")
    return chosen, Answers(own, box.codes(given, records.numbers)[places])


def _learnt(box: BlackBox, records: Records) -> Cells:
    return box.ask(records.values, records.numbers, learn=True)


def model_columns(classifier: Classifier, features: Sequence[str] | None) -> Sequence[str] | None:
    """The columns that a model takes, in its order: as given, or as the model remembers them.

    Columns given in another order than the model's would be taken for each other without a word.
    """
    own = feature_names(classifier)
    if features is None or own is None:
        return own if features is None else features
    if tuple(features) != own and sorted(features) == sorted(own):
        raise InvalidParameter("the features are not in the order of the model; leave features out")
    return features
