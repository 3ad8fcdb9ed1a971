"""Weak classifiers: how the server turns randomized reports into rules that clients then judge."""

from typing import Any

from noisewright.errors import InvalidParameter
from noisewright.learn.bases.base import Base, EstimatorBase, LinearBase, RandomDirections
from noisewright.learn.bases.gradient import ConjugateGradient
from noisewright.learn.bases.newton import DistanceWeighted, Logistic
from noisewright.learn.bases.reports import NaiveBayes, ReportBase, ReportMoments
from noisewright.learn.bases.svm import SupportVector

__all__ = [
    "Base",
    "ConjugateGradient",
    "DistanceWeighted",
    "EstimatorBase",
    "LinearBase",
    "Logistic",
    "NaiveBayes",
    "RandomDirections",
    "ReportBase",
    "ReportMoments",
    "SupportVector",
    "find_base",
]

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
    """Return the base for a name, a scikit-learn classifier, or a base that is ready already.

    "moments" and "bayes" depend on the noise, and get it from the procedure that uses them
    (:meth:`Base.bound`).

    Args:
        base: A name, a scikit-learn classifier, or a base, which keeps the settings it was built with.
        intercept: Whether its rules have an intercept; "random" directions never have one.
        jobs: joblib's number of jobs for a scikit-learn classifier.

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
            f"must be one of {', '.join(NAMES)}, or a scikit-learn classifier, got {base!r}", field="base"
        )
    return EstimatorBase(base, intercept, jobs)
