"""Questions to a model about true records: their limits, and the answers that should survive.

Linear models, trees, forests and boosted trees need no further questions: their parameters are read by their
type, and they are solved exactly. As a check, the decisions that were read are compared with the model's own
answers, on all records and on random rows. A model that answers differently, or whose methods were replaced,
is sampled instead.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from noisewright.domains import Cells, Floats
from noisewright.errors import InvalidParameter
from noisewright.progress import Progress
from noisewright.utility.core.certificate import Certificate
from noisewright.utility.core.curve import Curve
from noisewright.utility.core.records import Records
from noisewright.utility.linear.model import read_linear
from noisewright.utility.linear.utility import linear_utility
from noisewright.utility.models import BlackBox, Classifier, feature_names
from noisewright.utility.models.classifier import EstimatorClassifier
from noisewright.utility.trees.utility import read_trees, tree_utility


@dataclass(frozen=True)
class Asking:
    """Limits on questions to a model.

    Args:
        batch: Rows of one question; None means 65,536, or fewer if the model takes fewer at once.
        timeout: Seconds that one batch may take; None waits for ever.
        budget: Rows that may be asked in total; None sets no limit.
        classes: Every label that the model may return; None takes those that it declares.
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
    """The answers of a model on true records, as codes of its box.

    Attributes:
        own: The model's answers.
        expected: The answers that should survive.
    """

    own: Cells
    expected: Cells


def ask_records(
    box: BlackBox, records: Records, places: Cells, answers: ArrayLike | None = None
) -> tuple[Records, Answers]:
    """Return some of the records with their answers; refuse a model that gives two answers for one record.

    A model that declares its classes, or a function, is asked about these records only. Any other model is
    asked about all of them, because a label that it gives for none of them later counts as a mistake.

    Args:
        box: The model behind its limits.
        records: All records of the data.
        places: Rows of the records to predict.
        answers: True labels of all records; None means that the model's own answers should survive.
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
    """Return the columns that a model takes, in its order: as given, or as the model stores them.

    Columns in another order than the model's would be confused without an error.
    """
    own = feature_names(classifier)
    if features is None or own is None:
        return own if features is None else features
    if tuple(features) != own and sorted(features) == sorted(own):
        raise InvalidParameter("the features are not in the order of the model; leave features out")
    return features


Solver = Callable[[Any, Records, Cells, Curve, Progress | None], Certificate | None]

ANSWERING = ("predict", "predict_proba", "decision_function", "transform")

CHECKED = 2048
"""Number of random rows on which a model is compared with the parameters read from it."""

TIES = 4
"""Number of these rows that may differ: the last bits of a sum break a tie in either direction."""


def find_solver(box: BlackBox, records: Records, own: Cells) -> tuple[Solver, Any] | None:
    """Return the solver of a model with its parameters; None for a model that must be sampled.

    Args:
        box: The model behind its limits.
        records: Records on which its answers are compared with the parameters read from it.
        own: The model's answers on the records.
    """
    if not isinstance(box.classifier, EstimatorClassifier):
        return None
    model = box.classifier.model
    parts = [model, *(step for _, step in getattr(model, "steps", ()))]
    if any(name in getattr(part, "__dict__", {}) for part in parts for name in ANSWERING):
        return None  # its methods are not those of its class
    for read, solver in ((read_trees, tree_utility), (read_linear, linear_utility)):
        found = read(model)
        if found is not None and (found.answers(records.values) == own).all():
            rows, numbers = _probes(records)
            if (found.answers(rows) != box.ask(rows, numbers)).sum() <= TIES:
                return solver, found
    return None


def _probes(records: Records) -> tuple[Floats, Cells]:
    """Return rows of random records with random values in the sensitive columns; the same ones every time.

    Half of the values lie inside the intervals, the others up to two lengths beyond, like some reports.
    """
    dice = np.random.default_rng(0)
    owners = dice.integers(len(records), size=CHECKED)
    rows, beyond = records.values[owners], dice.random(CHECKED) < 0.5
    for one in records.sensitive:
        units = np.where(beyond, dice.uniform(-2.0, 3.0, CHECKED), dice.random(CHECKED))
        rows[:, one.column] = one.domain.low + units * one.domain.length
    return rows, records.numbers[owners]
