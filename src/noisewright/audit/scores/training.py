"""What trained scores share: rows to train on, labels, and learners that keep quiet."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

from noisewright.audit.encoding import Features
from noisewright.domains import Cells, Floats

BLOCK = 200_000
"""Rows scored at a time, so that wide tables need little memory."""


def stacked(left: Features, right: Features, cells: int, rows: int) -> tuple[Floats, Cells]:
    """The first rows of both inputs, equally many, within limits on rows and on numbers; label 1 is left."""
    columns = max(left.table.shape[1], 1)
    count = max(min(len(left), len(right), rows // 2, cells // (2 * columns)), 1)
    labels = np.repeat(np.array([1, 0]), count)
    return np.concatenate([left.table[:count], right.table[:count]]), labels


def state_of(seed: int) -> int:
    """A seed of any size as the 32 bits that scikit-learn takes."""
    return int(np.random.SeedSequence(seed).generate_state(1)[0])


def leaning(classifier: Any, table: Floats) -> Floats:
    """How much a classifier leans to label 1, by its own measure, block by block."""
    column = list(classifier.classes_).index(1)
    blocks = [table[start : start + BLOCK] for start in range(0, len(table), BLOCK)]
    with quiet():
        leanings = [_one_block(classifier, block, column) for block in blocks]
    return np.concatenate(leanings) if leanings else np.empty(0)


def _one_block(classifier: Any, block: Floats, column: int) -> Floats:
    if hasattr(classifier, "decision_function"):
        found = np.asarray(classifier.decision_function(block), dtype=np.float64)
        return found if column == 1 else -found
    return np.asarray(classifier.predict_proba(block), dtype=np.float64)[:, column]


@contextmanager
def quiet() -> Iterator[None]:
    """One thread, and no complaints of learners that are stopped early by design.

    Training takes seconds; threads that wait for one another on a busy machine make tens of them.
    """
    with warnings.catch_warnings(), np.errstate(all="ignore"), threadpool_limits(limits=1):
        warnings.simplefilter("ignore")
        yield
