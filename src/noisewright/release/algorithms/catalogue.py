"""Every algorithm by name, made from whatever a user passes, and written to and read from plain JSON.

A scikit-learn estimator is accepted only if all its parameters are honoured. Parameters fall into three
kinds: those that are read; those that say how to compute the same answer (a solver, a number of threads, or
the seed, which the public seeds of the worlds replace); and all others, which must have scikit-learn's
defaults.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.cluster import KMeans
from sklearn.decomposition import PCA
from sklearn.linear_model import LogisticRegression
from sklearn.linear_model import Ridge as RidgeRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import MinMaxScaler, StandardScaler
from sklearn.svm import LinearSVC

from noisewright.errors import BadModel, InvalidParameter, NoisewrightError
from noisewright.release.algorithms.base import Algorithm
from noisewright.release.algorithms.clusters import Clusters
from noisewright.release.algorithms.components import Components
from noisewright.release.algorithms.forest import Forest
from noisewright.release.algorithms.function import Function
from noisewright.release.algorithms.histogram import Histogram
from noisewright.release.algorithms.linear_models import LinearSVM, Logistic, Ridge
from noisewright.release.algorithms.naive_bayes import NaiveBayes
from noisewright.release.algorithms.scaled import Scaled
from noisewright.release.algorithms.statistics import Mean, Quantiles

ALGORITHMS: dict[str, type[Algorithm]] = {
    "mean": Mean,
    "kmeans": Clusters,
    "pca": Components,
    "svm": LinearSVM,
    "logistic": Logistic,
    "ridge": Ridge,
    "naive_bayes": NaiveBayes,
    "forest": Forest,
    "histogram": Histogram,
    "quantiles": Quantiles,
}
"""The algorithms that a name and public parameters describe completely."""

_NAMES: dict[type[Algorithm], str] = {kind: name for name, kind in ALGORITHMS.items()}


def algorithm_for(thing: Any) -> Algorithm:
    """Return the algorithm for whatever a user passes.

    Args:
        thing: An :class:`Algorithm`, a scikit-learn estimator, or a function from rows to numbers.

    >>> from sklearn.linear_model import LogisticRegression
    >>> algorithm_for(LogisticRegression(C=0.5))
    Logistic(C=0.5)
    >>> algorithm_for(LogisticRegression)
    Traceback (most recent call last):
    ...
    noisewright.errors.InvalidParameter: LogisticRegression is a class; pass an instance, ...
    """
    if isinstance(thing, Algorithm):
        return thing
    if isinstance(thing, type):
        raise InvalidParameter(f"{thing.__name__} is a class; pass an instance, {thing.__name__}(...)")
    if isinstance(thing, BaseEstimator):
        return algorithm_of(thing)
    if callable(thing):
        return Function(thing)
    raise InvalidParameter(
        f"the algorithm must be one of noisewright.release ({', '.join(sorted(ALGORITHMS))}), a scikit-learn "
        f"estimator or a function from rows to numbers, got a {type(thing).__name__}"
    )


def describe(algorithm: Algorithm) -> dict[str, Any]:
    """Return the public parameters of an algorithm as plain JSON; of a function, its name only.

    Args:
        algorithm: Algorithm to describe.

    >>> describe(Scaled(LinearSVM(C=0.05)))
    {'name': 'scaled', 'scaler': 'minmax', 'algorithm': {'name': 'svm', 'C': 0.05}}
    """
    if isinstance(algorithm, Scaled):
        return {"name": "scaled", "scaler": algorithm.scaler, "algorithm": describe(algorithm.algorithm)}
    if type(algorithm) in _NAMES:
        given = {field.name: _plain(getattr(algorithm, field.name)) for field in _parameters(type(algorithm))}
        return {"name": _NAMES[type(algorithm)], **given}
    function = getattr(algorithm, "callable", algorithm)
    return {"name": "function", "callable": str(getattr(function, "__name__", type(function).__name__))}


def rebuild(description: Any) -> Algorithm:
    """Return the algorithm of a description; nothing in a description is run.

    Args:
        description: What :func:`describe` returned; anything else is rejected.

    >>> rebuild({"name": "svm", "C": 0.05})
    LinearSVM(C=0.05)
    """
    given = dict(description) if isinstance(description, Mapping) else {}
    name = given.pop("name", None)
    if name == "scaled" and set(given) == {"scaler", "algorithm"}:
        given["algorithm"] = rebuild(given["algorithm"])
        return _build(Scaled, given)
    if name == "function":
        raise BadModel("the file was released from a function, which a file cannot carry; use its vector")
    if not isinstance(name, str) or name not in ALGORITHMS:
        raise BadModel("the file names no algorithm that this version knows")
    return _build(ALGORITHMS[name], given)


def _build(kind: type[Algorithm], given: dict[str, Any]) -> Algorithm:
    known = {field.name for field in _parameters(kind)}
    if not set(given) <= known:
        raise BadModel(f"the file gives {kind.__name__} a parameter that it does not have")
    try:
        return kind(**{name: _frozen(value) for name, value in given.items()})
    except NoisewrightError as refusal:
        raise BadModel(f"the file describes an impossible {kind.__name__}: {refusal}") from None
    except (TypeError, ValueError, OverflowError):
        raise BadModel(f"the file describes an impossible {kind.__name__}") from None


def _parameters(kind: type[Algorithm]) -> tuple[Any, ...]:
    return tuple(field for field in fields(kind) if field.init)  # type: ignore[arg-type]  # all are dataclasses


def _plain(value: Any) -> Any:
    """Return tuples, arrays and NumPy numbers as lists and plain numbers."""
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    return [_plain(one) for one in value] if isinstance(value, tuple | list) else value


def _frozen(value: Any) -> Any:
    return tuple(_frozen(one) for one in value) if isinstance(value, list) else value


@dataclass(frozen=True)
class Reading:
    """How one kind of estimator is read: ``make`` uses ``read``; parameters in ``same`` change no answer."""

    make: Callable[[dict[str, Any]], Any]
    read: frozenset[str]
    same: frozenset[str] = frozenset()


def algorithm_of(estimator: Any) -> Algorithm:
    """Return the algorithm that corresponds to a scikit-learn estimator, or say why there is none.

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
    given, usual = estimator.get_params(deep=False), type(estimator)().get_params(deep=False)
    for name in sorted(set(given) - reading.read - reading.same):
        if type(given[name]) is not type(usual[name]) or not np.all(given[name] == usual[name]):
            raise InvalidParameter(
                f"{type(estimator).__name__}({name}=...) would be ignored here; leave {name} at its default"
            )
    return reading.make(given)


def _clusters(given: dict[str, Any]) -> Clusters:
    count, restarts = given["n_clusters"], given["n_init"]
    return Clusters(count) if restarts == "auto" else Clusters(count, restarts=restarts)


def _logistic(given: dict[str, Any]) -> Logistic:
    if given["solver"] == "liblinear":  # it penalizes the intercept and supports only two classes
        raise InvalidParameter("LogisticRegression(solver='liblinear') solves another problem; use 'lbfgs'")
    if given.get("penalty") not in ("l2", "deprecated"):
        raise InvalidParameter("LogisticRegression(penalty=...) must be the default, l2")
    return Logistic(C=given["C"])


def _components(given: dict[str, Any]) -> Components:
    if given["n_components"] is None:
        raise InvalidParameter("PCA() needs n_components: a whole number, the same in every world")
    return Components(given["n_components"])


CHANCE = frozenset({"random_state", "verbose", "n_jobs"})
EFFORT = frozenset({"tol", "max_iter"})

ESTIMATORS: dict[type, Reading] = {
    KMeans: Reading(_clusters, frozenset({"n_clusters", "n_init"}), CHANCE | {"algorithm", "copy_x"}),
    LinearSVC: Reading(lambda seen: LinearSVM(C=seen["C"]), frozenset({"C"}), CHANCE | EFFORT | {"dual"}),
    LogisticRegression: Reading(
        _logistic, frozenset({"C", "penalty", "solver"}), CHANCE | EFFORT | {"warm_start"}
    ),
    RidgeRegression: Reading(
        lambda seen: Ridge(alpha=seen["alpha"]), frozenset({"alpha"}), CHANCE | EFFORT | {"solver", "copy_X"}
    ),
    GaussianNB: Reading(
        lambda seen: NaiveBayes(smoothing=seen["var_smoothing"]), frozenset({"var_smoothing"})
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
    MinMaxScaler: Reading(lambda seen: "minmax", frozenset(), frozenset({"copy"})),
    StandardScaler: Reading(lambda seen: "standard", frozenset(), frozenset({"copy"})),
}
