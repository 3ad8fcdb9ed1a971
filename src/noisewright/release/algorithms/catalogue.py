"""Every algorithm by name, from whatever a user hands over, and to and from plain JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator

from noisewright.errors import BadModel, InvalidParameter, NoisewrightError
from noisewright.release.algorithms.base import Algorithm
from noisewright.release.algorithms.bayes import NaiveBayes
from noisewright.release.algorithms.clusters import Clusters
from noisewright.release.algorithms.components import Components
from noisewright.release.algorithms.estimators import algorithm_of
from noisewright.release.algorithms.forest import Forest
from noisewright.release.algorithms.function import Function
from noisewright.release.algorithms.histogram import Histogram
from noisewright.release.algorithms.logistic import Logistic
from noisewright.release.algorithms.mean import Mean
from noisewright.release.algorithms.quantiles import Quantiles
from noisewright.release.algorithms.ridge import Ridge
from noisewright.release.algorithms.scaled import Scaled
from noisewright.release.algorithms.svm import LinearSVM

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
    """The algorithm behind what a user hands over: ours, a scikit-learn estimator, or a function.

    >>> from sklearn.linear_model import LogisticRegression
    >>> algorithm_for(LogisticRegression(C=0.5))
    Logistic(C=0.5)
    >>> algorithm_for(LogisticRegression)
    Traceback (most recent call last):
    ...
    noisewright.errors.InvalidParameter: LogisticRegression is a class; hand over one, LogisticRegression(...)
    """
    if isinstance(thing, Algorithm):
        return thing
    if isinstance(thing, type):
        raise InvalidParameter(f"{thing.__name__} is a class; hand over one, {thing.__name__}(...)")
    if isinstance(thing, BaseEstimator):
        return algorithm_of(thing)
    if callable(thing):
        return Function(thing)
    raise InvalidParameter(
        f"the algorithm must be one of noisewright.release ({', '.join(sorted(ALGORITHMS))}), a scikit-learn "
        f"estimator or a function from rows to numbers, got a {type(thing).__name__}"
    )


def describe(algorithm: Algorithm) -> dict[str, Any]:
    """The public parameters of an algorithm as plain JSON; of a function, its name only.

    >>> describe(Scaled(LinearSVM(C=0.05)))
    {'name': 'scaled', 'scaler': 'minmax', 'algorithm': {'name': 'svm', 'C': 0.05}}
    """
    if isinstance(algorithm, Scaled):
        return {"name": "scaled", "scaler": algorithm.scaler, "algorithm": describe(algorithm.algorithm)}
    if type(algorithm) in _NAMES:
        told = {field.name: _plain(getattr(algorithm, field.name)) for field in _parameters(type(algorithm))}
        return {"name": _NAMES[type(algorithm)], **told}
    return {"name": "function", "callable": _callable_name(algorithm)}


def rebuild(description: Any) -> Algorithm:
    """The algorithm that a description tells of, or a refusal; nothing in a description is run.

    >>> rebuild({"name": "svm", "C": 0.05})
    LinearSVM(C=0.05)
    """
    told = dict(description) if isinstance(description, Mapping) else {}
    name = told.pop("name", None)
    if name == "scaled" and set(told) == {"scaler", "algorithm"}:
        told["algorithm"] = rebuild(told["algorithm"])
        return _made(Scaled, told)
    if name == "function":
        raise BadModel("the file was released from a function, which a file cannot carry; use its vector")
    if not isinstance(name, str) or name not in ALGORITHMS:
        raise BadModel("the file names no algorithm that this version knows")
    return _made(ALGORITHMS[name], told)


def _made(kind: type[Algorithm], told: dict[str, Any]) -> Algorithm:
    known = {field.name for field in _parameters(kind)}
    if not set(told) <= known:
        raise BadModel(f"the file gives {kind.__name__} a parameter that it does not have")
    try:
        return kind(**{name: _frozen(value) for name, value in told.items()})
    except NoisewrightError as refusal:
        raise BadModel(f"the file describes an impossible {kind.__name__}: {refusal}") from None
    except (TypeError, ValueError, OverflowError):
        raise BadModel(f"the file describes an impossible {kind.__name__}") from None


def _parameters(kind: type[Algorithm]) -> tuple[Any, ...]:
    return tuple(field for field in fields(kind) if field.init)  # type: ignore[arg-type]  # all are dataclasses


def _plain(value: Any) -> Any:
    """Tuples, arrays and NumPy numbers as lists and plain numbers."""
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    return [_plain(one) for one in value] if isinstance(value, tuple | list) else value


def _frozen(value: Any) -> Any:
    return tuple(_frozen(one) for one in value) if isinstance(value, list) else value


def _callable_name(algorithm: Algorithm) -> str:
    function = getattr(algorithm, "callable", algorithm)
    return str(getattr(function, "__name__", type(function).__name__))
