"""What a device is asked to judge: a rule, a learned model or a fitted classifier, in the device's own codes.

A rule speaks of class codes, a model of class names. The same two names may stand in one order in the model
and in another on the device; a rule taken over without a look would then be called wrong where it is right.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np

from noisewright.errors import InvalidParameter
from noisewright.learn.estimator import PrivateClassifier
from noisewright.learn.field.messages import schema_name
from noisewright.learn.learned_model import LearnedModel
from noisewright.learn.multiclass.evidence_rule import EvidenceRule
from noisewright.learn.rules import ModelRule, Rule
from noisewright.learn.schema import Schema


def rule_of(model: Any, schema: Schema, classes: Sequence[Hashable]) -> Rule:
    """The rule in a model, whose code c means ``classes[c]``; a bare rule is taken to mean that already.

    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from noisewright.learn.schema import read_schema
    >>> tree = DecisionTreeClassifier().fit([[-1.0], [1.0]], ["ill", "well"])
    >>> rule_of(tree, read_schema(None, 1), ("well", "ill")).predict(np.array([[-1.0]])).tolist()
    [1]
    """
    if isinstance(model, Rule):
        return model
    learned = LearnedModel.of(model) if isinstance(model, PrivateClassifier) else model
    names = _names(learned)
    if len(names) != len(classes) or set(names) != set(classes):
        raise InvalidParameter(
            f"the model tells {len(names)} classes apart and the device {len(classes)}, and they must be the "
            "same ones, in any order; give the device the classes of the model"
        )
    if not isinstance(learned, LearnedModel):
        return _model_rule(learned, classes)
    if schema_name(learned.schema) != schema_name(schema):
        raise InvalidParameter(
            "the model was learned with another schema than the device's; learn it with domain=schema"
        )
    return renamed(learned.rule, [list(classes).index(name) for name in names])


def renamed(rule: Rule, codes: Sequence[int]) -> Rule:
    """The rule that says ``codes[c]`` wherever another says c; codes are a permutation.

    >>> from noisewright.learn.rules import LinearRule
    >>> renamed(LinearRule([1.0]), [1, 0]).predict(np.array([[0.5], [-0.5]])).tolist()
    [0, 1]
    """
    if list(codes) == list(range(len(codes))):
        return rule
    if len(codes) == 2:
        return rule.reversed()
    # Evidence that is certain: the word c of the one rule speaks for the class codes[c] alone.
    return EvidenceRule([rule], np.zeros(len(codes)), np.eye(len(codes))[codes])


def _names(model: Any) -> list[Hashable]:
    if not hasattr(model, "classes_"):
        raise InvalidParameter(
            "feedback is about a rule, a learned model or a fitted classifier; fit the classifier first"
        )
    return list(np.asarray(model.classes_).tolist())


def _model_rule(model: Any, classes: Sequence[Hashable]) -> ModelRule:
    if len(classes) != 2:
        raise InvalidParameter(
            "a classifier of several classes is judged as a rule or a LearnedModel; only one of two classes "
            "is taken as it is"
        )
    return ModelRule(model, tuple(classes))
