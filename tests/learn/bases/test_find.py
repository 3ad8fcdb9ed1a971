"""From ``base=`` to a base."""

from __future__ import annotations

import pickle

import pytest
from sklearn.linear_model import LogisticRegression

from noisewright.errors import InvalidParameter
from noisewright.learn.bases import (
    ConjugateGradient,
    DistanceWeighted,
    EstimatorBase,
    Logistic,
    NaiveBayes,
    RandomDirections,
    ReportMoments,
    SupportVector,
    find_base,
)


@pytest.mark.parametrize("intercept", [True, False])
@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("logistic", Logistic),
        ("svm", SupportVector),
        ("dwd", DistanceWeighted),
        ("gradient", ConjugateGradient),
        ("moments", ReportMoments),
        ("bayes", NaiveBayes),
    ],
)
def test_names_of_linear_bases(name, kind, intercept):
    assert find_base(name, intercept) == kind(intercept=intercept)


def test_random_directions_take_no_intercept():
    assert find_base("random") == find_base("random", intercept=False) == RandomDirections()


def test_classifiers_and_ready_bases():
    model, ready = LogisticRegression(), SupportVector(intercept=False, cost=0.1)
    assert find_base(model, intercept=False, jobs=2) == EstimatorBase(model, intercept=False, jobs=2)
    assert find_base(ready) is ready
    assert pickle.loads(pickle.dumps(ready)) == ready


@pytest.mark.parametrize("base", ["forest", "", "Logistic", 7, None])
def test_anything_else_is_refused(base):
    with pytest.raises(InvalidParameter, match="base must be"):
        find_base(base)
