"""From what a user writes as ``base=`` to a base."""

from __future__ import annotations

from typing import Any

from noisewright.errors import InvalidParameter
from noisewright.learn.bases.base import Base, LinearBase
from noisewright.learn.bases.dwd import DistanceWeighted
from noisewright.learn.bases.estimator import EstimatorBase
from noisewright.learn.bases.gradient import ConjugateGradient
from noisewright.learn.bases.logistic import Logistic
from noisewright.learn.bases.naive_bayes import NaiveBayes
from noisewright.learn.bases.random_directions import RandomDirections
from noisewright.learn.bases.reports import ReportMoments
from noisewright.learn.bases.svm import SupportVector

LINEAR: dict[str, type[LinearBase]] = {
    "logistic": Logistic,
    "svm": SupportVector,
    "dwd": DistanceWeighted,
    "gradient": ConjugateGradient,
    "moments": ReportMoments,
    "bayes": NaiveBayes,
}
NAMES = (*LINEAR, "random")


def find_base(base: Any, intercept: bool = True, jobs: int | None = None) -> Base:
    """The base for a name, a scikit-learn classifier, or a base that is ready already.

    "random" directions never have an intercept, and a ready base keeps the setting it was built with.
    "moments" and "bayes" know the noise, and are told of it by the procedure that uses them
    (:meth:`Base.bound`).

    >>> find_base("logistic", intercept=False)
    Logistic(intercept=False)
    >>> find_base("forest")
    Traceback (most recent call last):
    ...
    noisewright.errors.InvalidParameter: base must be one of logistic, svm, dwd, gradient, moments, bayes, ...
    """
    if isinstance(base, Base):
        return base
    if base == "random":
        return RandomDirections()
    if isinstance(base, str):
        if base in LINEAR:
            return LINEAR[base](intercept)
        raise InvalidParameter(
            f"base must be one of {', '.join(NAMES)}, or a scikit-learn classifier, got {base!r}"
        )
    return EstimatorBase(base, intercept, jobs)
