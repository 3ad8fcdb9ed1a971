"""Linear models of scikit-learn are read as they answer, or not at all."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import (
    LogisticRegression,
    LogisticRegressionCV,
    Perceptron,
    RidgeClassifier,
    RidgeClassifierCV,
    SGDClassifier,
)
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import (
    MaxAbsScaler,
    MinMaxScaler,
    Normalizer,
    PolynomialFeatures,
    RobustScaler,
    StandardScaler,
)
from sklearn.svm import SVC, LinearSVC, NuSVC
from sklearn.tree import DecisionTreeClassifier

from noisewright.utility.linear.model import affine_steps, read_linear

MODELS = {
    "logistic": LogisticRegression(),
    "without intercept": LogisticRegression(fit_intercept=False),
    "logistic CV": LogisticRegressionCV(
        cv=2, Cs=2, l1_ratios=(0,), scoring="accuracy", use_legacy_attributes=False
    ),
    "linear SVC": LinearSVC(),
    "ridge": RidgeClassifier(),
    "ridge CV": RidgeClassifierCV(),
    "gradient": SGDClassifier(random_state=0),
    "perceptron": Perceptron(random_state=0),
    "discriminant": LinearDiscriminantAnalysis(),
}
MACHINES = {"SVC": SVC(kernel="linear"), "NuSVC": NuSVC(kernel="linear", nu=0.2)}
SCALERS = {
    "standard": StandardScaler(),
    "centred only": StandardScaler(with_std=False),
    "stretched only": StandardScaler(with_mean=False),
    "range": MinMaxScaler((-1, 2)),
    "largest": MaxAbsScaler(),
    "robust": RobustScaler(),
    "robust, centred only": RobustScaler(with_scaling=False),
}


def table(classes):
    generator = np.random.default_rng(classes)
    rows = generator.normal(size=(150, 3)) * (1.0, 20.0, 0.05) + (0.0, 100.0, 3.0)
    score = (rows - (0.0, 100.0, 3.0)) @ (1.0, 0.05, 10.0)
    labels = np.digitize(score, np.quantile(score, np.arange(1, classes) / classes))
    return (
        rows,
        np.array(["c", "b", "a"])[labels],
        generator.normal(size=(4000, 3)) * (2, 40, 0.1) + (0, 100, 3),
    )


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("name", MODELS)
def test_a_model_is_read_as_it_answers(name, classes):
    rows, labels, questions = table(classes)
    model = make_pipeline(StandardScaler(), MODELS[name]).fit(rows, labels)
    found = read_linear(model)
    assert found.weights.shape == (1 if classes == 2 else classes, 3)
    assert (np.array(found.classes)[found.answers(questions)] == model.predict(questions)).all()


@pytest.mark.parametrize("name", MACHINES)
def test_a_machine_with_two_classes_is_read_as_it_answers(name):
    rows, labels, questions = table(2)
    model = make_pipeline(StandardScaler(), MACHINES[name]).fit(rows, labels)
    found = read_linear(model)
    assert (np.array(found.classes)[found.answers(questions)] == model.predict(questions)).all()


@pytest.mark.parametrize("name", SCALERS)
def test_scalers_are_folded_in(name):
    rows, labels, questions = table(2)
    model = make_pipeline(SCALERS[name], "passthrough", MinMaxScaler(), LogisticRegression()).fit(
        rows, labels
    )
    scale, offset, last = affine_steps(model)
    np.testing.assert_allclose(
        questions * scale + offset, model[:-1].transform(questions), rtol=1e-9, atol=1e-9
    )
    found = read_linear(model)
    np.testing.assert_allclose(
        questions @ found.weights[0] + found.intercept[0],
        model.decision_function(questions),
        rtol=1e-9,
        atol=1e-9,
    )
    assert last is model[-1]


def test_a_pipeline_in_a_pipeline_is_read():
    rows, labels, questions = table(3)
    inner = make_pipeline(RobustScaler(), LogisticRegression())
    model = Pipeline([("outer", StandardScaler()), ("inner", inner)]).fit(rows, labels)
    found = read_linear(model)
    np.testing.assert_allclose(
        questions @ found.weights.T + found.intercept,
        model.decision_function(questions),
        rtol=1e-9,
        atol=1e-9,
    )


def test_the_library_stays_within_the_noise():
    """Scores computed with far more digits differ from the library's by less than the model says."""
    rows, labels, questions = table(2)
    for model in (
        make_pipeline(StandardScaler(), LogisticRegression()),
        make_pipeline(MinMaxScaler(), SVC(kernel="linear")),
    ):
        model.fit(rows, labels)
        found = read_linear(model)
        exact = questions.astype(np.longdouble) @ found.weights[0].astype(np.longdouble) + found.intercept[0]
        allowed = found.intercept_noise[0] + np.abs(questions) @ found.weight_noise[0]
        off = np.abs(model.decision_function(questions) - exact)
        assert (off <= allowed).all()
        assert allowed.max() < 1e-10


class Contrary(LogisticRegression):
    def predict(self, X):
        return super().predict(X)[::-1]


UNREADABLE = {
    "a subclass": Contrary(),
    "clipping": make_pipeline(MinMaxScaler(clip=True), LogisticRegression()),
    "rows scaled together": make_pipeline(Normalizer(), LogisticRegression()),
    "products of columns": make_pipeline(PolynomialFeatures(), LogisticRegression()),
    "a curved kernel": SVC(),
    "a tree": DecisionTreeClassifier(),
}


@pytest.mark.parametrize("name", UNREADABLE)
def test_anything_else_is_left_alone(name):
    rows, labels, _ = table(2)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # how well these fit is of no concern
        assert read_linear(UNREADABLE[name].fit(rows, labels)) is None


def test_votes_and_several_labels_are_left_alone():
    rows, labels, _ = table(3)
    assert read_linear(SVC(kernel="linear").fit(rows, labels)) is None
    many = np.stack([labels == "a", labels == "b"], axis=1).astype(int)
    assert read_linear(RidgeClassifier().fit(rows, many)) is None
    assert read_linear(len) is None
    assert read_linear(LogisticRegression()) is None
