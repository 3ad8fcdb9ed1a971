"""Any scikit-learn classifier as a weak learner: cloned for each sample, fitted through joblib."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import ArrayLike
from sklearn.base import clone, is_classifier

from noisewright.domains import Cells, Floats
from noisewright.errors import InvalidParameter
from noisewright.learn.bases.base import Base, fit_mixed, read_samples
from noisewright.learn.rules import LinearRule, ModelRule, Rule

SEEDS = 1 << 31


@dataclass(frozen=True)
class EstimatorBase(Base):
    """A scikit-learn classifier as a base.

    Every sample gets a fresh clone; a clone that takes a ``random_state`` gets one from the generator, so
    equal generators give equal rules. A linear model becomes a :class:`LinearRule`, which can be sent and
    averaged; any other a :class:`ModelRule`. ``jobs`` is joblib's ``n_jobs``, and a back end chosen with
    joblib's own means is honoured.

    >>> import numpy as np
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> base = EstimatorBase(DecisionTreeClassifier(max_depth=1))
    >>> rule = base.fit([[0.0], [1.0], [2.0], [3.0]], [-1, -1, 1, 1], np.random.default_rng(0))
    >>> rule.predict(np.array([[0.0], [3.0]]))
    array([0, 1])
    """

    estimator: Any
    intercept: bool = True
    jobs: int | None = None

    def __post_init__(self) -> None:
        name = type(self.estimator).__name__
        if not _is_instance_of_classifier(self.estimator):
            raise InvalidParameter(
                f"base must be the name of a base or an instance of a scikit-learn classifier, got a {name}"
            )
        if not self.intercept and "fit_intercept" not in self.estimator.get_params():
            raise InvalidParameter(
                f"{name} has no fit_intercept to switch off; use intercept=True, "
                'or a linear base such as "logistic", "svm" or "dwd"'
            )

    def fit_many(self, units: ArrayLike, signs: ArrayLike, generator: np.random.Generator) -> list[Rule]:
        def fit(stacked: Floats, answers: Floats) -> list[Rule]:
            models = [self._fresh(generator) for _ in stacked]
            tasks = zip(models, stacked, (answers > 0).astype(np.int64), strict=True)
            return list(Parallel(n_jobs=self.jobs)(delayed(_fit_one)(*task) for task in tasks))

        return fit_mixed(*read_samples(units, signs), fit)

    def _fresh(self, generator: np.random.Generator) -> Any:
        """An unfitted clone with its own seeds and, if asked, no intercept."""
        model = clone(self.estimator)
        names = [name for name in sorted(model.get_params()) if name.split("__")[-1] == "random_state"]
        seeds = {name: int(generator.integers(SEEDS)) for name in names}
        return model.set_params(**seeds, **({} if self.intercept else {"fit_intercept": False}))


def _is_instance_of_classifier(thing: Any) -> bool:
    able = all(hasattr(thing, name) for name in ("fit", "get_params", "set_params"))
    return able and not isinstance(thing, type) and bool(is_classifier(thing))


def _fit_one(model: Any, units: Floats, codes: Cells) -> Rule:
    return fitted_rule(model.fit(units, codes), units.shape[1])


def fitted_rule(model: Any, width: int) -> Rule:
    """A fitted binary classifier as a rule: a hyperplane if it is one, else the model itself."""
    weights: Any = getattr(model, "coef_", ())
    level: Any = getattr(model, "intercept_", ())
    linear = np.shape(weights) in {(width,), (1, width)} and np.size(level) == 1
    if not linear or not hasattr(model, "decision_function"):
        return ModelRule(model, model.classes_)
    return LinearRule(np.ravel(weights).astype(np.float64), float(np.ravel(level)[0]))
