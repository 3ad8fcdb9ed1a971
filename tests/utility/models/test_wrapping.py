"""Functions, estimators and pipelines become classifiers; what cannot name a class is refused."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.cluster import KMeans
from sklearn.compose import ColumnTransformer
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor, VotingClassifier
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.multioutput import MultiOutputClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from noisewright.errors import InvalidParameter
from noisewright.utility.models import BlackBox, Classifier, as_classifier, feature_names
from noisewright.utility.models.classifier import CallableClassifier, EstimatorClassifier
from utility.models.trained import KINDS, TASKS, rows, targets, trained

NAMES = ["age", "bmi", "glucose"]


def frame():
    return pd.DataFrame(rows(), columns=NAMES)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("task", TASKS)
def test_an_estimator_answers_as_its_predict(kind, task):
    model = as_classifier(trained(kind, task))
    assert model.labels(rows()).tolist() == trained(kind, task).predict(rows()).tolist()
    assert model.features == 3
    assert model.classes == tuple(trained(kind, task).classes_.tolist())
    assert feature_names(model) is None


def test_an_estimator_with_names_is_given_names():
    chosen = ColumnTransformer([("scale", StandardScaler(), ["glucose", "age"])])
    model = make_pipeline(chosen, LogisticRegression()).fit(frame(), targets("texts"))
    wrapped = as_classifier(model)
    assert feature_names(wrapped) == tuple(NAMES)
    assert wrapped.name == "Pipeline ending in LogisticRegression"
    assert BlackBox(model).ask(rows(), 1).tolist() == (model.predict(frame()) == "yes").astype(int).tolist()


@pytest.mark.parametrize(
    "unfitted",
    [
        LogisticRegression(),
        RandomForestClassifier(5, random_state=0),
        VotingClassifier([("a", LogisticRegression()), ("b", DummyClassifier())]),
        GridSearchCV(LogisticRegression(), {"C": [0.1, 1.0]}, cv=2),
    ],
)
def test_named_estimators_are_silent(unfitted):
    model = unfitted.fit(frame(), targets("numbers"))
    assert as_classifier(model).labels(rows()).tolist() == model.predict(frame()).tolist()


def test_names_are_ignored_silently_where_pandas_is_missing(monkeypatch):
    model = LogisticRegression().fit(frame(), targets("numbers"))
    monkeypatch.setattr("noisewright.utility.models.classifier.find_spec", lambda name: None)
    assert as_classifier(model).labels(rows()).tolist() == model.predict(frame()).tolist()


@pytest.mark.parametrize(
    ("model", "words"),
    [
        (LogisticRegression(), "LogisticRegression has not been fitted"),
        (make_pipeline(StandardScaler(), LogisticRegression()), "Pipeline has not been fitted"),
        (LinearRegression().fit(rows(), rows()[:, 0]), "predicts numbers, not classes"),
        (
            make_pipeline(StandardScaler(), RandomForestRegressor(2)).fit(rows(), rows()[:, 0]),
            "predicts numbers",
        ),
        (LogisticRegression, "is a class, not a model"),
        (
            MultiOutputClassifier(LogisticRegression()).fit(rows(), np.stack([targets("numbers")] * 2, 1)),
            "several labels per row",
        ),
        (StandardScaler().fit(rows()), "StandardScaler is not a model"),
        ("model.onnx", "open_model"),
        (None, "NoneType is not a model"),
        ({"model": 1}, "dict is not a model"),
    ],
)
def test_what_names_no_class_is_refused(model, words):
    with pytest.raises(InvalidParameter, match=words):
        as_classifier(model)


def test_a_clustering_is_a_classifier_without_declared_classes():
    model = KMeans(3, n_init=1, random_state=0).fit(rows())
    assert as_classifier(model).classes is None
    assert set(BlackBox(model).ask(rows(), 1)) == {0, 1, 2}


def test_any_object_with_predict_is_taken():
    class Mine:
        def predict(self, table):
            return np.where(table[:, :1] > 0, 2, 1)

    model = as_classifier(Mine(), classes=(1, 2))
    assert isinstance(model, EstimatorClassifier)
    assert (model.name, model.features, model.classes) == ("Mine", None, (1, 2))
    assert model.labels(rows()).shape == (300,)


def test_a_function_is_a_classifier():
    def positive(table):
        return table[:, 0] > 0

    model = as_classifier(positive)
    assert isinstance(model, Classifier)
    assert (model.name, model.features, model.classes) == ("function positive", None, None)
    assert as_classifier(model) is model


def test_a_function_may_answer_scores():
    model = trained("network", "three")
    box = BlackBox(model.predict_proba, classes=model.classes_)
    assert [box.classes[code] for code in box.ask(rows(), 1)] == model.predict(rows()).tolist()
    unwrapped = BlackBox(as_classifier(model.predict_proba), classes=(0, 10, 20))
    assert unwrapped.ask(rows(), 1).tolist() == box.ask(rows(), 1).tolist()


def test_the_number_of_features_may_be_told():
    with pytest.raises(InvalidParameter, match="takes 2 columns, got 3"):
        BlackBox(CallableClassifier(lambda table: table[:, 0], features=2)).ask(rows(), 1)
    with pytest.raises(InvalidParameter, match="features"):
        CallableClassifier(len, features=0)
