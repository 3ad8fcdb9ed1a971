"""Reading scikit-learn estimators: what each asks for, in our own algorithms.

An estimator is taken only if everything it was told is honoured. Parameters fall into three kinds: those that
are read, those that say how to compute the same answer (a solver, a number of threads; also the seed, for
which the public seeds of the worlds stand in), and all others, which must be as scikit-learn sets them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.cluster import KMeans
from sklearn.decomposition import PCA
from sklearn.linear_model import LogisticRegression
from sklearn.linear_model import Ridge as RidgeRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import MinMaxScaler, StandardScaler
from sklearn.svm import LinearSVC

from noisewright.errors import InvalidParameter
from noisewright.release.algorithms.base import Algorithm
from noisewright.release.algorithms.bayes import NaiveBayes
from noisewright.release.algorithms.clusters import Clusters
from noisewright.release.algorithms.components import Components
from noisewright.release.algorithms.logistic import Logistic
from noisewright.release.algorithms.ridge import Ridge
from noisewright.release.algorithms.scaled import Scaled
from noisewright.release.algorithms.svm import LinearSVM


@dataclass(frozen=True)
class Reading:
    """How one kind of estimator is read: by ``make`` from its parameters; ``same`` change no answer."""

    make: Callable[[dict[str, Any]], Any]
    read: frozenset[str]
    same: frozenset[str] = frozenset()


def algorithm_of(estimator: Any) -> Algorithm:
    """The algorithm that a scikit-learn estimator asks for, or a refusal that says what stands in the way.

    >>> algorithm_of(LinearSVC(C=0.05))
    LinearSVM(C=0.05)
    >>> algorithm_of(LinearSVC(class_weight="balanced"))
    Traceback (most recent call last):
    ...
    noisewright.errors.InvalidParameter: LinearSVC(class_weight=...) would be ignored here; leave class_weight
    at its default
    """
    if isinstance(estimator, Pipeline):
        return _behind_scaler(estimator)
    if type(estimator) not in ESTIMATORS:
        accepted = ", ".join(kind.__name__ for kind in ESTIMATORS)
        raise InvalidParameter(
            f"{type(estimator).__name__} cannot be released as it is; give {accepted}, a Pipeline of "
            f"a scaler and one of these, or a function from rows to numbers"
        )
    return _read(estimator, ESTIMATORS[type(estimator)])  # type: ignore[no-any-return]


def _behind_scaler(pipeline: Any) -> Algorithm:
    steps = [step for _, step in pipeline.steps]
    if len(steps) != 2 or type(steps[0]) not in SCALER_READINGS:
        raise InvalidParameter(
            "a Pipeline must have two steps here: a MinMaxScaler or a StandardScaler, and an estimator"
        )
    return Scaled(algorithm_of(steps[1]), _read(steps[0], SCALER_READINGS[type(steps[0])]))


def _read(estimator: Any, reading: Reading) -> Any:
    told, usual = estimator.get_params(deep=False), type(estimator)().get_params(deep=False)
    for name in sorted(set(told) - reading.read - reading.same):
        if not _alike(told[name], usual[name]):
            raise InvalidParameter(
                f"{type(estimator).__name__}({name}=...) would be ignored here; leave {name} at its default"
            )
    return reading.make(told)


def _alike(told: Any, usual: Any) -> bool:
    return type(told) is type(usual) and bool(np.all(told == usual))


def _clusters(told: dict[str, Any]) -> Clusters:
    count, restarts = told["n_clusters"], told["n_init"]
    return Clusters(count) if restarts == "auto" else Clusters(count, restarts=restarts)


def _logistic(told: dict[str, Any]) -> Logistic:
    if told["solver"] == "liblinear":  # it penalizes the intercept and knows two classes only
        raise InvalidParameter("LogisticRegression(solver='liblinear') solves another problem; use 'lbfgs'")
    if told.get("penalty") not in ("l2", "deprecated"):
        raise InvalidParameter("LogisticRegression(penalty=...) must be the default, l2")
    return Logistic(C=told["C"])


def _components(told: dict[str, Any]) -> Components:
    if told["n_components"] is None:
        raise InvalidParameter("PCA() needs n_components: a whole number, the same in every world")
    return Components(told["n_components"])


CHANCE = frozenset({"random_state", "verbose", "n_jobs"})
EFFORT = frozenset({"tol", "max_iter"})

ESTIMATORS: dict[type, Reading] = {
    KMeans: Reading(_clusters, frozenset({"n_clusters", "n_init"}), CHANCE | {"algorithm", "copy_x"}),
    LinearSVC: Reading(lambda told: LinearSVM(C=told["C"]), frozenset({"C"}), CHANCE | EFFORT | {"dual"}),
    LogisticRegression: Reading(
        _logistic, frozenset({"C", "penalty", "solver"}), CHANCE | EFFORT | {"warm_start"}
    ),
    RidgeRegression: Reading(
        lambda told: Ridge(alpha=told["alpha"]), frozenset({"alpha"}), CHANCE | EFFORT | {"solver", "copy_X"}
    ),
    GaussianNB: Reading(
        lambda told: NaiveBayes(smoothing=told["var_smoothing"]), frozenset({"var_smoothing"})
    ),
    PCA: Reading(
        _components,
        frozenset({"n_components"}),
        CHANCE
        | {"copy", "svd_solver", "tol", "iterated_power", "n_oversamples", "power_iteration_normalizer"},
    ),
}
"""Every estimator that can be released, and how it is read."""

SCALER_READINGS: dict[type, Reading] = {
    MinMaxScaler: Reading(lambda told: "minmax", frozenset(), frozenset({"copy"})),
    StandardScaler: Reading(lambda told: "standard", frozenset(), frozenset({"copy"})),
}
