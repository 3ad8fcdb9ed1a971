"""Learned classifiers in files: what ``noisewright learn -o`` writes and ``noisewright classify`` reads.

A file is strict JSON, and all of it follows from randomized answers, so it may be passed on. Whoever reads it
builds the rule anew and tries it on the schema; nothing is unpickled, and sizes are bounded.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from noisewright import __version__
from noisewright.engine.outputs import published
from noisewright.engine.sentences import small_text, writing
from noisewright.engine.strict_json import strict_json
from noisewright.errors import BadTable, NoisewrightError
from noisewright.learn.estimator import PrivateClassifier
from noisewright.learn.learned_model import PARTS, LearnedModel

FORMAT: Final = 1
LARGEST: Final = 32 << 20
"""Bytes of the largest file that is read; the million numbers of the largest rule take 20 million."""

HEAD: Final = ("noisewright", "format", "package")
FIELDS: Final = (*HEAD, *PARTS)


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
    head = zip(HEAD, ("classifier", FORMAT, __version__), strict=True)
    content = {**dict(head), **learned.to_dict()}
    text = json.dumps(content, allow_nan=False, ensure_ascii=False)
    target = Path(path).resolve()  # what a link points to is replaced, not the link
    with writing(target), published(target) as (draft,):
        draft.write_text(text + "\n", encoding="utf-8")
    return target


def load_model(path: str | os.PathLike[str]) -> LearnedModel:
    """The classifier of a file, or a refusal that says what is wrong with it."""
    try:
        content = strict_json(small_text(path, LARGEST, "classifier"))
    except BadTable:
        raise
    except ValueError:
        raise BadTable(f"{path} is not the strict JSON that noisewright learn writes") from None
    if not isinstance(content, Mapping) or content.get("noisewright") != "classifier":
        raise BadTable(f"{path} is not a classifier that noisewright learn wrote")
    form = content.get("format")
    if type(form) is int and form > FORMAT:
        raise BadTable(f"{path} was written by a newer Noisewright (format {form}); upgrade to read it")
    if set(content) != set(FIELDS) or type(form) is not int or form != FORMAT:
        raise BadTable(f"{path} is broken: its fields must be exactly {', '.join(FIELDS)}")
    try:
        return LearnedModel.from_dict(content)
    except (NoisewrightError, TypeError, ValueError, KeyError, AttributeError, OverflowError) as broken:
        raise BadTable(f"the classifier in {path} is refused: {str(broken)[:300]}") from None
