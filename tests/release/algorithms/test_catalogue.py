"""From whatever a user hands over to an algorithm, and from an algorithm to JSON and back."""

import json
from typing import Any

import numpy as np
import pytest
from sklearn.cluster import KMeans, MiniBatchKMeans
from sklearn.decomposition import PCA
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.linear_model import Ridge as RidgeRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler, RobustScaler, StandardScaler
from sklearn.svm import SVC, LinearSVC

from noisewright.errors import BadModel, InvalidParameter
from noisewright.io.strict_json import strict_json
from noisewright.release.algorithms import (
    ALGORITHMS,
    Algorithm,
    Clusters,
    Components,
    Forest,
    Function,
    Histogram,
    LinearSVM,
    Logistic,
    Mean,
    NaiveBayes,
    Quantiles,
    Ridge,
    Scaled,
    algorithm_for,
    describe,
    rebuild,
)


@pytest.mark.parametrize(
    ("estimator", "algorithm"),
    [
        (KMeans(3), Clusters(3)),
        (KMeans(3, n_init=5, random_state=4, algorithm="elkan"), Clusters(3, restarts=5)),
        (LinearSVC(C=0.05, dual=True, max_iter=9, random_state=0), LinearSVM(C=0.05)),
        (LogisticRegression(C=2.0, solver="newton-cg", max_iter=500, tol=1e-3), Logistic(C=2.0)),
        (RidgeRegression(alpha=3.0, solver="svd"), Ridge(alpha=3.0)),
        (GaussianNB(var_smoothing=1e-3), NaiveBayes(smoothing=1e-3)),
        (PCA(2, svd_solver="full", random_state=1), Components(2)),
        (make_pipeline(MinMaxScaler(), KMeans(2)), Scaled(Clusters(2), "minmax")),
        (make_pipeline(StandardScaler(copy=False), LinearSVC()), Scaled(LinearSVM(), "standard")),
    ],
    ids=lambda one: type(one).__name__,
)
def test_estimators_become_algorithms(estimator: Any, algorithm: Algorithm) -> None:
    assert algorithm_for(estimator) == algorithm


def test_our_own_and_functions_are_taken_as_they_are() -> None:
    svm = LinearSVM()
    assert algorithm_for(svm) is svm
    assert isinstance(algorithm_for(lambda rows: rows.sum()), Function)


@pytest.mark.parametrize(
    ("thing", "words"),
    [
        (LinearSVC(class_weight="balanced"), "class_weight"),
        (LinearSVC(loss="hinge"), "loss"),
        (LinearSVC(penalty="l1"), "penalty"),
        (LinearSVC(multi_class="crammer_singer"), "multi_class"),
        (LinearSVC(fit_intercept=False), "fit_intercept"),
        (LogisticRegression(class_weight={0: 2.0}), "class_weight"),
        (LogisticRegression(l1_ratio=0.5, solver="saga"), "l1_ratio"),
        (LogisticRegression(solver="liblinear"), "liblinear"),
        (RidgeRegression(positive=True), "positive"),
        (RidgeRegression(alpha=np.array([1.0, 2.0])), "alpha must be"),
        (GaussianNB(priors=[0.5, 0.5]), "priors"),
        (PCA(2, whiten=True), "whiten"),
        (PCA(), "n_components"),
        (PCA(0.9), "count must be"),
        (KMeans(3, init=np.zeros((3, 2))), "init"),
        (KMeans(3, max_iter=5), "max_iter"),
        (SVC(kernel="linear"), "SVC cannot be released"),
        (MiniBatchKMeans(3), "MiniBatchKMeans cannot be released"),
        (RandomForestClassifier(), "RandomForestClassifier cannot be released"),
        (make_pipeline(RobustScaler(), KMeans(3)), "two steps"),
        (make_pipeline(MinMaxScaler(), PCA(2), KMeans(3)), "two steps"),
        (make_pipeline(MinMaxScaler(feature_range=(-1, 1)), KMeans(3)), "feature_range"),
        (make_pipeline(StandardScaler(with_mean=False), KMeans(3)), "with_mean"),
        (KMeans, "is a class"),
        ("kmeans", "got a str"),
        (None, "got a NoneType"),
    ],
    ids=str,
)
def test_what_would_be_ignored_is_refused(thing: Any, words: str) -> None:
    with pytest.raises(InvalidParameter, match=words):
        algorithm_for(thing)


EXAMPLES: list[Algorithm] = [
    Mean(),
    Clusters(3, restarts=2, start="own", bounds=(0.0, (1.0, 2.0))),
    Components(2),
    LinearSVM(C=0.05),
    Logistic(C=2.0),
    Ridge(alpha=0.5),
    NaiveBayes(smoothing=1e-4),
    Forest(features=((0, 1), (2,)), sparsity=0.3, low=(0.0, 0.0, -1.0), high=2.0),
    Histogram(edges=(0.0, 0.5, 1.0), clip=True),
    Histogram(bins=4, low=0, high=(1.0, 2.0)),
    Quantiles((0.25, 0.5)),
    Scaled(Forest(trees=2), "standard"),
]


@pytest.mark.parametrize("algorithm", EXAMPLES, ids=lambda one: type(one).__name__)
def test_descriptions_survive_strict_json(algorithm: Algorithm) -> None:
    text = json.dumps(describe(algorithm), allow_nan=False)
    again = rebuild(strict_json(text))
    assert again == algorithm
    assert describe(again) == describe(algorithm)


def test_every_named_algorithm_has_an_example() -> None:
    assert set(ALGORITHMS.values()) | {Scaled} == {type(example) for example in EXAMPLES}


def test_a_function_tells_its_name_and_cannot_be_rebuilt() -> None:
    def spread(rows: np.ndarray) -> float:
        return float(np.ptp(rows))

    told = describe(Function(spread))
    assert told == {"name": "function", "callable": "spread"}
    with pytest.raises(BadModel, match="a file cannot carry"):
        rebuild(told)


@pytest.mark.parametrize(
    ("description", "words"),
    [
        ({}, "names no algorithm"),
        ([], "names no algorithm"),
        ({"name": "os.system"}, "names no algorithm"),
        ({"name": ["svm"]}, "names no algorithm"),
        ({"name": "svm", "D": 1}, "a parameter that it does not have"),
        ({"name": "svm", "C": -1}, "impossible LinearSVM"),
        ({"name": "svm", "C": {}}, "impossible LinearSVM"),
        ({"name": "kmeans"}, "impossible Clusters"),
        ({"name": "forest", "features": [[0, "x"]]}, "impossible Forest"),
        ({"name": "scaled", "scaler": "minmax"}, "names no algorithm"),
        ({"name": "scaled", "scaler": "minmax", "algorithm": {"name": "mean"}}, "impossible Scaled"),
        ({"name": "scaled", "scaler": ["minmax"], "algorithm": {"name": "svm"}}, "impossible Scaled"),
    ],
)
def test_strange_descriptions_are_refused(description: Any, words: str) -> None:
    with pytest.raises(BadModel, match=words):
        rebuild(description)
