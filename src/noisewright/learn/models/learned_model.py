"""A classifier that has left its learner: the public schema, the classes, the rule, and how it came about.

``noisewright learn -o`` writes it to a file and ``noisewright classify`` reads it. A file is strict JSON, and
all of it follows from randomized answers, so it may be passed on. A reader builds the rule anew and
tries it on the schema; nothing is unpickled, and sizes are bounded.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray

from noisewright.domains import Floats
from noisewright.errors import BadTable, InvalidParameter, NoisewrightError
from noisewright.io.documents import DocumentKind
from noisewright.io.table_files import check_names
from noisewright.learn.models.private_classifier import PrivateClassifier, class_codes, probabilities
from noisewright.learn.rules import Rule
from noisewright.learn.rules.schema import Schema
from noisewright.parameters import EPSILON, whole

MOST_CLASSES: Final = 10_000
PARTS: Final = ("label", "classes", "schema", "rule", "method", "epsilon", "asked", "scorecard", "simulated")
"""The kind of document that describes a learned classifier."""


@dataclass(frozen=True, eq=False)
class LearnedModel:
    """A finished classifier that has left its learner: it predicts as scikit-learn's classifiers do.

    Attributes:
        schema: The features and their public domains.
        classes: The labels in the order of the rule's codes: texts, numbers or booleans.
        rule: The classifier by itself.
        epsilon: What every client spent in all.
        label: The name of the label.
        method: How it was learned: "local" or "mrma".
        asked: How many clients were asked to "learn", to "choose" and to "check", or only the number of
            "clients".
        scorecard: The private scorecard in plain values; None if nobody checked.
        simulated: Whether the noise came from a seed and hides nothing.

    >>> from noisewright import Interval
    >>> from noisewright.learn import LocalClassifier
    >>> X = np.random.default_rng(1).uniform(0, 10, (2000, 1))
    >>> fitted = LocalClassifier(2.0, domain=Interval(0, 10), random_state=1).fit(X, X[:, 0] > 5)
    >>> model = LearnedModel.of(fitted)
    >>> model.predict([[1.0], [9.0]]).tolist(), dict(model.asked)
    ([False, True], {'learn': 1700, 'choose': 100, 'check': 200})
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
        kinds, count = {type(name) for name in self.classes}, len(self.classes)
        alike = len(kinds) == 1 and kinds <= {str, int, float, bool}
        if not (2 <= count <= MOST_CLASSES and alike and len(set(self.classes)) == count):
            raise InvalidParameter(
                f"must be 2 to {MOST_CLASSES:,} different names of one kind: texts, numbers or booleans",
                field="classes",
            )
        EPSILON.check(self.epsilon)
        for name, people in self.asked.items():
            whole(f"asked[{name!r}]", people, 0, 1 << 53)
        wanted = (1,) if len(self.classes) == 2 else (1, len(self.classes))
        if self.rule.scores(np.zeros((1, self.schema.width))).shape != wanted:
            raise InvalidParameter(f"the rule is not one for {len(self.classes)} classes")

    @classmethod
    def of(cls, fitted: PrivateClassifier, label: str = "label") -> Self:
        """Return what a fitted ``LocalClassifier`` or ``MRMA`` learned, without its parameters.

        Args:
            fitted: The classifier.
            label: The name of the label that it predicts.
        """
        if not hasattr(fitted, "rule_"):
            raise InvalidParameter("the classifier is not fitted yet; call fit first")
        card = getattr(fitted, "accuracy_", None)
        return cls(
            schema=fitted.schema_,
            classes=tuple(fitted.classes_.tolist()),
            rule=fitted.rule_,
            epsilon=float(fitted.epsilon),
            label=label,
            method=type(fitted).__name__.removesuffix("Classifier").lower(),
            asked=_asked(fitted),
            scorecard=None if card is None else card.to_dict(),
            simulated=fitted.simulated_,
        )

    @property
    def classes_(self) -> NDArray[Any]:
        """The classes under scikit-learn's name."""
        return np.array(self.classes)

    def decision_function(self, X: Any) -> Floats:  # noqa: N803  (scikit-learn's name)
        """Return scores: above 0 means the second of two classes; with more classes, a column each."""
        if isinstance(X, Mapping) or hasattr(X, "columns"):
            names = [block.name for block in self.schema.blocks]
            check_names(names, [str(name) for name in getattr(X, "columns", X)], where="the table")
        return np.asarray(self.rule.scores(self.schema.encode(X)), dtype=np.float64)

    def predict(self, X: Any) -> NDArray[Any]:  # noqa: N803
        """Return the class of each record."""
        return np.asarray(self.classes_[class_codes(self.decision_function(X))])

    def predict_proba(self, X: Any) -> Floats:  # noqa: N803
        """Return scores through the logistic function, a column a class; the scorecard checks calibration."""
        return probabilities(self.decision_function(X))

    def to_dict(self) -> dict[str, Any]:
        """Return the classifier in plain JSON values."""
        plain = {name: getattr(self, name) for name in PARTS}
        parts = {"classes": list(self.classes), "schema": self.schema.to_dict(), "rule": self.rule.to_dict()}
        return {**plain, **parts, "asked": dict(self.asked)}

    @classmethod
    def from_dict(cls, description: Mapping[str, Any]) -> Self:
        """Read the classifier of :meth:`to_dict`, trusting nothing that is in the description."""
        card, simulated, asked = (description[name] for name in ("scorecard", "simulated", "asked"))
        if not (card is None or isinstance(card, Mapping)) or type(simulated) is not bool:
            raise InvalidParameter(
                "must be an object or null, and simulated true or false", field="scorecard"
            )
        if not (isinstance(asked, Mapping) and isinstance(description["classes"], list)):
            raise InvalidParameter("must be an object and classes a list", field="asked")
        if not all(isinstance(description[name], str) for name in ("label", "method")):
            raise InvalidParameter("label and method must be text")
        parts = {name: description[name] for name in PARTS}
        made = {
            "schema": Schema.from_dict(description["schema"]),
            "rule": Rule.from_dict(description["rule"]),
            "classes": tuple(description["classes"]),
        }
        return cls(**{**parts, **made})


def _asked(fitted: PrivateClassifier) -> dict[str, int]:
    """Return how many clients were asked for what: MRMA keeps its plan, LocalClassifier sets some apart."""
    spent = getattr(fitted, "spent_", {})
    people = sum(count for total, count in spent.items() if total > 0)
    if hasattr(fitted, "plan_"):
        plan = fitted.plan_
        purposes = {"learn": plan.training, "choose": plan.evaluation, "check": plan.checking}
    elif hasattr(fitted, "set_apart"):
        check, choose = fitted.set_apart(sum(spent.values()))
        purposes = {"learn": people - choose - check, "choose": choose, "check": check}
    else:
        purposes = {"clients": people}
    return {purpose: count for purpose, count in purposes.items() if count}


FORMAT: Final = 1
LARGEST: Final = 32 << 20
"""Bytes of the largest file that is read; the million numbers of the largest rule take 20 million."""

CLASSIFIER: Final = DocumentKind("classifier", "learn", FORMAT, LARGEST, tuple(PARTS))


def save_model(model: LearnedModel | PrivateClassifier, path: str | os.PathLike[str]) -> Path:
    """Write a classifier, whole or not at all; return its path.

    Args:
        model: The classifier, learned or fitted.
        path: Where it goes; must end in .json.

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
    """Read a classifier from a file, or refuse it with what is wrong.

    Args:
        path: The file that :func:`save_model` wrote.
    """
    content = CLASSIFIER.read(path)
    try:
        return LearnedModel.from_dict(content)
    except (NoisewrightError, TypeError, ValueError, KeyError, AttributeError, OverflowError) as broken:
        raise BadTable(f"the classifier in {path} is refused: {str(broken)[:300]}") from None
