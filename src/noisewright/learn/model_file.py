"""Learned classifiers in files: what ``noisewright learn -o`` writes and ``noisewright classify`` reads.

A file is strict JSON: the public schema, the classes, the rule, and how it was learned. All of it follows
from randomized answers, so it may be passed on. Whoever reads it builds the rule anew and tries it on the
schema; nothing is unpickled, and sizes are bounded.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, softmax

from noisewright import __version__
from noisewright.domains import Floats
from noisewright.engine.naming import check_names
from noisewright.engine.outputs import published
from noisewright.engine.sentences import small_text, writing
from noisewright.engine.strict_json import strict_json
from noisewright.errors import BadTable, InvalidParameter, NoisewrightError
from noisewright.learn.estimator import PrivateClassifier
from noisewright.learn.rules import Rule
from noisewright.learn.schema import Schema
from noisewright.parameters import EPSILON, whole

FORMAT: Final = 1
LARGEST: Final = 32 << 20
"""Bytes of the largest file that is read; the million numbers of the largest rule take 20 million."""

MOST_CLASSES: Final = 10_000
PARTS: Final = ("label", "classes", "schema", "rule", "method", "epsilon", "asked", "scorecard", "simulated")
FIELDS: Final = ("noisewright", "format", "package", *PARTS)


@dataclass(frozen=True, eq=False)
class LearnedModel:
    """A finished classifier that has left its learner: it predicts as scikit-learn's classifiers do.

    ``asked`` says how many clients were asked for what, ``scorecard`` is the private one in plain values
    (None if nobody checked), ``simulated`` whether the noise came from a seed and hides nothing.

    >>> from noisewright import Interval
    >>> from noisewright.learn import LocalClassifier
    >>> X = np.random.default_rng(1).uniform(0, 10, (2000, 1))
    >>> fitted = LocalClassifier(2.0, domain=Interval(0, 10), random_state=1).fit(X, X[:, 0] > 5)
    >>> model = LearnedModel.of(fitted)
    >>> model.predict([[1.0], [9.0]]).tolist(), dict(model.asked)
    ([False, True], {'clients': 2000})
    """

    schema: Schema
    classes: tuple[Any, ...]
    rule: Rule
    epsilon: float
    label: str = "label"
    method: str = "local"
    asked: Mapping[str, int] = field(default_factory=dict)
    scorecard: Mapping[str, Any] | None = None
    simulated: bool = False

    def __post_init__(self) -> None:
        _check_classes(self.classes)
        EPSILON.check(self.epsilon)
        for name, people in self.asked.items():
            whole(f"asked[{name!r}]", people, 0, 1 << 53)
        wanted = (1,) if len(self.classes) == 2 else (1, len(self.classes))
        if self.rule.scores(np.zeros((1, self.schema.width))).shape != wanted:
            raise InvalidParameter(f"the rule does not tell {len(self.classes)} classes apart")

    @classmethod
    def of(cls, fitted: PrivateClassifier, label: str = "label") -> Self:
        """What a fitted ``LocalClassifier`` or ``MRMA`` learned, without its parameters."""
        if not hasattr(fitted, "rule_"):
            raise InvalidParameter("the classifier is not fitted yet; call fit first")
        people = sum(count for total, count in getattr(fitted, "spent_", {}).items() if total > 0)
        return cls(
            schema=fitted.schema_,
            classes=tuple(fitted.classes_.tolist()),
            rule=fitted.rule_,
            epsilon=float(fitted.epsilon),
            label=label,
            method="mrma" if type(fitted).__name__ == "MRMA" else "local",
            asked={"clients": people},
            scorecard=_card(getattr(fitted, "accuracy_", None)),
            simulated=fitted.simulated_,
        )

    @property
    def classes_(self) -> NDArray[Any]:
        """The classes under scikit-learn's name."""
        return np.array(self.classes)

    def decision_function(self, X: Any) -> Floats:  # noqa: N803  (scikit-learn's name)
        """Scores of records: above 0 means the second of two classes; of more, a column each."""
        if hasattr(X, "columns"):
            names = [block.name for block in self.schema.blocks]
            check_names(names, [str(name) for name in X.columns], where="the table")
        return np.asarray(self.rule.scores(self.schema.encode(X)), dtype=np.float64)

    def predict(self, X: Any) -> NDArray[Any]:  # noqa: N803
        """The class of each record."""
        scores = self.decision_function(X)
        codes = (scores > 0).astype(np.int64) if scores.ndim == 1 else scores.argmax(axis=1)
        return np.asarray(self.classes_[codes])

    def predict_proba(self, X: Any) -> Floats:  # noqa: N803
        """Scores through the logistic function, a column for each class; the scorecard tells their worth."""
        scores = self.decision_function(X)
        if scores.ndim == 2:
            return np.asarray(softmax(scores, axis=1))
        return np.column_stack([expit(-scores), expit(scores)])

    def to_dict(self) -> dict[str, Any]:
        """The classifier in plain JSON values."""
        plain = {name: getattr(self, name) for name in PARTS}
        parts = {"classes": list(self.classes), "schema": self.schema.to_dict(), "rule": self.rule.to_dict()}
        return {**plain, **parts, "asked": dict(self.asked)}

    @classmethod
    def from_dict(cls, description: Mapping[str, Any]) -> Self:
        """The classifier of :meth:`to_dict`, trusting nothing that is in the description."""
        card, simulated, asked = (description[name] for name in ("scorecard", "simulated", "asked"))
        if not (card is None or isinstance(card, Mapping)) or type(simulated) is not bool:
            raise InvalidParameter("scorecard must be an object or null, and simulated true or false")
        if not (isinstance(asked, Mapping) and isinstance(description["classes"], list)):
            raise InvalidParameter("asked must be an object and classes a list")
        if not all(isinstance(description[name], str) for name in ("label", "method")):
            raise InvalidParameter("label and method must be text")
        parts = {name: description[name] for name in PARTS}
        made = {
            "schema": Schema.from_dict(description["schema"]),
            "rule": Rule.from_dict(description["rule"]),
            "classes": tuple(description["classes"]),
        }
        return cls(**{**parts, **made})


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
    head = ("classifier", FORMAT, __version__)
    content = {**dict(zip(FIELDS[:3], head, strict=True)), **learned.to_dict()}
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


def _check_classes(classes: tuple[Any, ...]) -> None:
    kinds = {type(name) for name in classes}
    alike = len(kinds) == 1 and kinds <= {str, int, float, bool}
    if not (2 <= len(classes) <= MOST_CLASSES and alike and len(set(classes)) == len(classes)):
        raise InvalidParameter(
            f"classes must be 2 to {MOST_CLASSES:,} different names of one kind: texts, numbers or booleans"
        )


def _card(found: Any) -> Mapping[str, Any] | None:
    """A scorecard in plain values; of an accuracy alone, a card with nothing else on it."""
    if found is None:
        return None
    plain: Mapping[str, Any] = found.to_dict()
    return plain if "accuracy" in plain else {"accuracy": plain}
