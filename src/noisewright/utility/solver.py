"""Exact certificates, where a model can be read: linear models, trees, forests and boosted trees.

A model is read by what its type promises. So that nothing rests on that promise alone, the decisions that
were read are compared with the model's own answers, on all records and on random rows; a model that answers
otherwise, or whose methods were replaced, is not solved but asked.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from noisewright.domains import Cells, Floats
from noisewright.progress import Progress
from noisewright.utility.core.certificate import Certificate
from noisewright.utility.core.curve import Curve
from noisewright.utility.core.records import Records
from noisewright.utility.linear.model import read_linear
from noisewright.utility.linear.utility import linear_utility
from noisewright.utility.models import BlackBox
from noisewright.utility.models.classifier import EstimatorClassifier
from noisewright.utility.trees.utility import read_trees, tree_utility

Solver = Callable[[Any, Records, Cells, Curve, Progress | None], Certificate | None]

ANSWERING = ("predict", "predict_proba", "decision_function", "transform")

CHECKED = 2048
"""Random rows on which a model and what was read of it are compared."""

TIES = 4
"""Of these rows, how many may differ: a tie is broken by the last bits of a sum, in either direction."""


def find_solver(box: BlackBox, records: Records, own: Cells) -> tuple[Solver, Any] | None:
    """Return how a model is solved, and what was read of it; None for one that must be asked.

    Args:
        box: The model behind its limits.
        records: Records on which its answers are compared with what was read.
        own: The model's answers on the records.
    """
    if not isinstance(box.classifier, EstimatorClassifier) or _is_tampered(box.classifier.model):
        return None
    for read, solver in ((read_trees, tree_utility), (read_linear, linear_utility)):
        found = read(box.classifier.model)
        if (
            found is not None
            and (found.answers(records.values) == own).all()
            and _agrees(found, box, records)
        ):
            return solver, found
    return None


def _is_tampered(model: Any) -> bool:
    """Tell whether an object answers by methods of its own instead of those of its class."""
    parts = [model, *(step for _, step in getattr(model, "steps", ()))]
    return any(name in getattr(part, "__dict__", {}) for part in parts for name in ANSWERING)


def _agrees(found: Any, box: BlackBox, records: Records) -> bool:
    rows, numbers = _probes(records)
    return int((found.answers(rows) != box.ask(rows, numbers)).sum()) <= TIES


def _probes(records: Records) -> tuple[Floats, Cells]:
    """Return rows of random records with random values in the sensitive columns; the same ones every time.

    Half of the values lie inside the intervals, the others up to two lengths beyond, as reports may.
    """
    dice = np.random.default_rng(0)
    owners = dice.integers(len(records), size=CHECKED)
    rows, beyond = records.values[owners], dice.random(CHECKED) < 0.5
    for one in records.sensitive:
        units = np.where(beyond, dice.uniform(-2.0, 3.0, CHECKED), dice.random(CHECKED))
        rows[:, one.column] = one.domain.low + units * one.domain.length
    return rows, records.numbers[owners]
