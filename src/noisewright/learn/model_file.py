"""Learned classifiers in files: what ``noisewright learn -o`` writes and ``noisewright classify`` reads.

A file is strict JSON, and all of it follows from randomized answers, so it may be passed on. Whoever reads it
builds the rule anew and tries it on the schema; nothing is unpickled, and sizes are bounded.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from noisewright.engine.documents import DocumentKind
from noisewright.errors import BadTable, NoisewrightError
from noisewright.learn.estimator import PrivateClassifier
from noisewright.learn.learned_model import PARTS, LearnedModel

FORMAT: Final = 1
LARGEST: Final = 32 << 20
"""Bytes of the largest file that is read; the million numbers of the largest rule take 20 million."""

CLASSIFIER: Final = DocumentKind("classifier", "learn", FORMAT, LARGEST, tuple(PARTS))


def save_model(model: LearnedModel | PrivateClassifier, path: str | os.PathLike[str]) -> Path:
    """Write a classifier, whole or not at all; returns where it is.

    >>> import tempfile
    >>> from noisewright import Interval
    >>> from noisewright.learn import read_schema
    >>> from noisewright.learn.rules import LinearRule
    >>> model = LearnedModel(read_schema([Interval(0, 1)], 1), ("no", "yes"), LinearRule([1.0]), 2.0)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     load_model(save_model(model, Path(folder) / "model.json")).predict([[0.9]]).tolist()
    ['yes']
    """
    learned = model if isinstance(model, LearnedModel) else LearnedModel.of(model)
    return CLASSIFIER.write(path, learned.to_dict())


def load_model(path: str | os.PathLike[str]) -> LearnedModel:
    """The classifier of a file, or a refusal that says what is wrong with it."""
    content = CLASSIFIER.read(path)
    try:
        return LearnedModel.from_dict(content)
    except (NoisewrightError, TypeError, ValueError, KeyError, AttributeError, OverflowError) as broken:
        raise BadTable(f"the classifier in {path} is refused: {str(broken)[:300]}") from None
