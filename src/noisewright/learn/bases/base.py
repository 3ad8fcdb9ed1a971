"""The interface of weak learners: data of a subset in, a rule out, and many subsets at once.

A *sample* holds the reports of some clients after noise: ``units``, one row per client and one
column per encoded feature, and ``signs``, −1 or 1 for each client. MRMA fits dozens of equally large
samples in one go, so a base works on a stack of them: units (B, n, d) and signs (B, n).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import clone, is_classifier

from noisewright.domains import Cells, Floats
from noisewright.errors import BadModel, InvalidParameter
from noisewright.io.pooling import pooled
from noisewright.learn.questions.split import SplitQuestion
from noisewright.learn.rules import ConstantRule, LinearRule, ModelRule, Rule


@dataclass(frozen=True)
class Base(ABC):
    """A way to turn samples into rules; the fields are public settings, never data."""

    @property
    def trained(self) -> bool:
        """Whether its rules depend on the samples; if not, nobody needs to report for them."""
        return True

    @abstractmethod
    def fit_many(self, units: ArrayLike, signs: ArrayLike, generator: np.random.Generator) -> list[Rule]:
        """Return one rule for each of B samples, from units (B, n, d) and signs (B, n).

        A sample of one class only yields that class for everybody (:class:`ConstantRule`): there is no
        boundary to find, and a weak learner that stops the whole procedure would help nobody.

        Args:
            units: Stacked samples (B, n, d).
            signs: −1 or 1 for each client, (B, n).
            generator: Source of public random choices.
        """

    def bound(self, question: SplitQuestion) -> Base:
        """Return the same base for reports to this question; only a base that knows the noise differs."""
        return self

    def fit(self, units: ArrayLike, signs: ArrayLike, generator: np.random.Generator) -> Rule:
        """Return the rule of one sample, from units (n, d) and signs (n,)."""
        return self.fit_many(np.asarray(units)[None], np.asarray(signs)[None], generator)[0]


@dataclass(frozen=True)
class LinearBase(Base):
    """A base whose rules are hyperplanes, found for all samples together.

    With ``intercept=False`` the hyperplanes pass through the origin. Under heavy noise that is often the
    better choice: a fitted intercept follows the class counts and outweighs slopes that the noise has
    shrunk, so the rule answers one class for nearly everybody and its feedback reveals nothing of the slopes.

    Attributes:
        intercept: Whether hyperplanes may miss the origin.
    """

    intercept: bool = True

    def fit_many(self, units: ArrayLike, signs: ArrayLike, generator: np.random.Generator) -> list[Rule]:
        stacked, answers = read_samples(units, signs)
        return fit_mixed(stacked, answers, self._hyperplanes)

    @abstractmethod
    def coefficients(self, units: Floats, signs: Floats) -> tuple[Floats, Floats]:
        """Weights (B, d) and intercepts (B,) of samples that all hold both classes."""

    def _hyperplanes(self, units: Floats, signs: Floats) -> list[Rule]:
        weights, intercepts = self.coefficients(units, signs)
        return [LinearRule(row, float(level)) for row, level in zip(weights, intercepts, strict=True)]


def read_samples(units: ArrayLike, signs: ArrayLike) -> tuple[Floats, Floats]:
    """Return a stack of samples as floats; refuse a wrong shape or wrong entries."""
    stacked, answers = np.asarray(units, dtype=np.float64), np.asarray(signs, dtype=np.float64)
    if stacked.ndim != 3 or stacked.shape[:2] != answers.shape or 0 in stacked.shape[1:]:
        raise InvalidParameter(
            "must have shape (samples, clients, columns) and signs (samples, clients), neither empty; "
            f"got shapes {stacked.shape} and {answers.shape}",
            field="units",
        )
    if not np.isfinite(stacked).all():
        raise InvalidParameter(
            "must be finite numbers; encode the features before a base sees them", field="units"
        )
    if not (np.abs(answers) == 1).all():
        raise InvalidParameter(
            "must be -1 or 1; class codes 0 and 1 become signs as 2 * code - 1", field="signs"
        )
    return stacked, answers


def fit_mixed(units: Floats, signs: Floats, fit: Callable[[Floats, Floats], list[Rule]]) -> list[Rule]:
    """Return the rules of a stack: ``fit`` where a sample holds both classes, the constant rule elsewhere."""
    mixed = np.abs(signs.sum(axis=1)) < signs.shape[1]
    if mixed.all():
        return fit(units, signs)
    fitted = iter(fit(units[mixed], signs[mixed])) if mixed.any() else iter(())
    return [
        next(fitted) if both else ConstantRule(int(first > 0))
        for both, first in zip(mixed, signs[:, 0], strict=True)
    ]


@dataclass(frozen=True)
class RandomDirections(Base):
    """Hyperplanes through the origin in uniformly random directions.

    They cost nobody's data: every client can then answer for a rule instead of reporting features, and
    the feedback shows which directions, or their reverses, are good. At small ε that beats fitted rules,
    whose training reports are almost pure noise. Only the shape of the units is used.

    >>> import numpy as np
    >>> rule = RandomDirections().fit(np.empty((0, 3)), np.empty(0), np.random.default_rng(0))
    >>> rule.weights.shape, rule.intercept
    ((3,), 0.0)
    """

    @property
    def trained(self) -> bool:
        return False

    def fit_many(self, units: ArrayLike, signs: ArrayLike, generator: np.random.Generator) -> list[Rule]:
        samples, _, width = np.shape(units)
        directions = generator.standard_normal((samples, width))
        directions /= np.linalg.norm(directions, axis=1, keepdims=True)
        return [LinearRule(direction, 0.0) for direction in directions]


SEEDS = 1 << 31


@dataclass(frozen=True)
class EstimatorBase(Base):
    """A scikit-learn classifier as a base.

    Every sample gets a fresh clone; a clone that takes a ``random_state`` gets one from the generator, so
    equal generators give equal rules. A linear model becomes a :class:`LinearRule`, which can be sent and
    averaged; any other a :class:`ModelRule`. A back end chosen with joblib's own means is honoured.

    Attributes:
        estimator: The unfitted classifier.
        intercept: Whether it fits an intercept.
        jobs: joblib's ``n_jobs``.

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
        able = all(hasattr(self.estimator, name) for name in ("fit", "get_params", "set_params"))
        if not able or isinstance(self.estimator, type) or not is_classifier(self.estimator):
            raise InvalidParameter(
                f"must be the name of a base or an instance of a scikit-learn classifier, got a {name}",
                field="base",
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
            return list(pooled(fit_rule, tasks, self.jobs, _worker_died))

        return fit_mixed(*read_samples(units, signs), fit)

    def _fresh(self, generator: np.random.Generator) -> Any:
        """Return an unfitted clone with its own seeds and, if asked, no intercept."""
        model = clone(self.estimator)
        names = [name for name in sorted(model.get_params()) if name.split("__")[-1] == "random_state"]
        seeds = {name: int(generator.integers(SEEDS)) for name in names}
        return model.set_params(**seeds, **({} if self.intercept else {"fit_intercept": False}))


def _worker_died(kind: str) -> BadModel:
    return BadModel(f"a worker that fitted a weak classifier died or could not be sent its task ({kind})")


def fit_rule(model: Any, units: Floats, codes: Cells) -> Rule:
    """Fit a binary classifier and return it as a rule: a hyperplane if it is one, else the model itself."""
    model.fit(units, codes)
    width = units.shape[1]
    weights: Any = getattr(model, "coef_", ())
    level: Any = getattr(model, "intercept_", ())
    linear = np.shape(weights) in {(width,), (1, width)} and np.size(level) == 1
    if not linear or not hasattr(model, "decision_function"):
        return ModelRule(model, model.classes_)
    return LinearRule(np.ravel(weights).astype(np.float64), float(np.ravel(level)[0]))
