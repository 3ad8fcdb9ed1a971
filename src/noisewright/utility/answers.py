"""Asking a model about true records: how it may be asked, and which answers ought to survive."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from noisewright.domains import Cells
from noisewright.errors import InvalidParameter
from noisewright.utility.core.records import Records
from noisewright.utility.models import BlackBox, Classifier, feature_names


@dataclass(frozen=True)
class Asking:
    """How a model may be asked.

    Args:
        batch: Rows of one question; None means 65,536, or fewer where the model takes less at once.
        timeout: Seconds that one batch may take; None waits for ever.
        budget: Rows that may be asked in all; None sets no limit.
        classes: Every label that the model may answer; None takes those that it declares.
    """

    batch: int | None = None
    timeout: float | None = 60.0
    budget: int | None = None
    classes: tuple[Any, ...] | None = None

    def box(self, model: Any) -> BlackBox:
        """Put a model behind these limits."""
        return BlackBox(model, **vars(self))


@dataclass(frozen=True, eq=False)
class Answers:
    """What a model answers on true records, as codes of its box.

    Attributes:
        own: The model's answers.
        expected: The answers that ought to survive.
    """

    own: Cells
    expected: Cells


def ask_records(
    box: BlackBox, records: Records, places: Cells, answers: ArrayLike | None = None
) -> tuple[Records, Answers]:
    """Return some of the records with their answers; a model that answers a record in two ways is refused.

    A model that declares its classes, and a function, are asked about these records only. Any other is asked
    about all of them, since a label that it gives for none is taken for a mistake later.

    Args:
        box: The model behind its limits.
        records: All records of the data.
        places: Rows of the records to look at.
        answers: True labels of all records; None means that the model's own answers ought to survive.
    """
    chosen = records.take(places)
    if box.settled:
        own = box.ask(chosen.values, chosen.numbers)
    else:
        own = box.ask(records.values, records.numbers, learn=True)[places]
    box.check_repeatable(chosen.values, chosen.numbers)
    if answers is None:
        return chosen, Answers(own, own)
    given: NDArray[Any] = np.asarray(answers).reshape(-1)
    if given.size != len(records):
        raise InvalidParameter(f"there are {given.size} answers for {len(records)} records")
    return chosen, Answers(own, box.codes(given, records.numbers)[places])


def model_columns(classifier: Classifier, features: Sequence[str] | None) -> Sequence[str] | None:
    """Return the columns that a model takes, in its order: as given, or as the model remembers them.

    Columns given in another order than the model's would be taken for each other without a word.
    """
    own = feature_names(classifier)
    if features is None or own is None:
        return own if features is None else features
    if tuple(features) != own and sorted(features) == sorted(own):
        raise InvalidParameter("the features are not in the order of the model; leave features out")
    return features
