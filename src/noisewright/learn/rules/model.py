"""A fitted scikit-learn classifier as a rule, for servers that simulate and for devices that hold a copy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Never, Self

import numpy as np
from numpy.typing import NDArray

from noisewright.domains import Floats
from noisewright.errors import BadModel, InvalidParameter
from noisewright.learn.rules.base import Rule
from noisewright.learn.rules.reading import Reading


@dataclass(frozen=True, eq=False)
class ModelRule(Rule):
    """Any fitted binary classifier; ``classes`` are its labels of class 0 and class 1, in this order.

    The score is its decision function, else its probability of class 1 less ½, else its prediction as ±1.
    Such a rule has no description: the only general way to send a model is to send code, which no device
    should accept from a server.

    >>> from sklearn.tree import DecisionTreeClassifier
    >>> tree = DecisionTreeClassifier().fit([[-1.0], [1.0]], [-1, 1])
    >>> ModelRule(tree).scores(np.array([[0.5], [-0.5]])).tolist()
    [0.5, -0.5]
    """

    estimator: Any
    classes: Sequence[Any] = (-1, 1)

    def __post_init__(self) -> None:
        known = list(getattr(self.estimator, "classes_", ()))
        if len(self.classes) != 2 or len(known) != 2 or any(label not in known for label in self.classes):
            raise InvalidParameter(
                "a model as a rule must be fitted and know exactly the two given classes; a model that has "
                "seen one class only is a ConstantRule"
            )

    def scores(self, units: Floats) -> Floats:
        try:
            raw = np.asarray(self._raw_scores(units), dtype=np.float64)
        except ValueError:
            # The model's own words may quote the person's numbers, so they are not passed on.
            raise BadModel(f"the {type(self.estimator).__name__} of a rule cannot score these rows") from None
        if raw.shape != (len(units),) or np.isnan(raw).any():
            raise BadModel(f"the {type(self.estimator).__name__} of a rule must give one number for each row")
        return raw

    def _raw_scores(self, units: Floats) -> NDArray[Any]:
        known = list(self.estimator.classes_)
        place = known.index(self.classes[1])
        if hasattr(self.estimator, "decision_function"):
            # scikit-learn decides for its second class above zero.
            return np.asarray(self.estimator.decision_function(units)) * (2 * place - 1)
        if hasattr(self.estimator, "predict_proba"):
            return np.asarray(self.estimator.predict_proba(units)[:, place]) - 0.5
        return np.where(self.estimator.predict(units) == self.classes[1], 1.0, -1.0)

    def to_dict(self) -> Never:
        raise InvalidParameter(
            f"a {type(self.estimator).__name__} cannot be described in plain numbers; send devices linear "
            "rules, or install the model on them by other means"
        )

    @classmethod
    def _read(cls, fields: Mapping[str, Any], reading: Reading) -> Self:
        raise InvalidParameter("a model is never read from a description")
