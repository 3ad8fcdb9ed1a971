"""The linear SVM: scikit-learn's planes, in a vector that a missing class leaves alone."""

import numpy as np
import pytest
from sklearn.svm import LinearSVC

from noisewright.errors import InvalidParameter, OutOfDomain
from noisewright.release.algorithms import linear_models
from noisewright.release.algorithms.linear_models import LinearSVM

NAMES = np.array(["ash", "birch", "cedar"])


def blobs(classes: int, rows: int = 60, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    generator = np.random.default_rng(seed)
    codes = np.arange(rows) % classes
    return generator.normal(size=(rows, 3)) + codes[:, None] * [1.0, -1.0, 0.5], NAMES[codes]


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("C", [0.05, 1.0])
def test_without_noise_it_is_scikit_learns_own(classes: int, C: float) -> None:
    rows, labels = blobs(classes)
    svm = LinearSVM(C=C)
    facts = svm.facts(rows, labels)
    model = svm.model(svm.fit(rows, labels, 7, facts), facts)
    own = LinearSVC(C=C, dual=False, tol=1e-6).fit(rows, labels)
    fresh = np.random.default_rng(1).normal(size=(200, 3)) * 3
    np.testing.assert_allclose(model.decision_function(fresh), own.decision_function(fresh), rtol=1e-9)
    assert (model.predict(fresh) == own.predict(fresh)).all()


def test_a_missing_class_keeps_the_length_and_gets_the_plane_of_absence() -> None:
    rows, labels = blobs(3)
    svm = LinearSVM()
    facts = svm.facts(rows, labels)
    whole = svm.fit(rows, labels, 0, facts)
    kept = labels != "birch"
    planes = svm.fit(rows[kept], labels[kept], 0, facts).reshape(3, 4)
    assert planes.size == whole.size == len(svm.coordinates(facts))
    assert planes[1].tolist() == [0, 0, 0, -1]
    own = LinearSVC(dual=False, tol=1e-6).fit(rows[kept], labels[kept])
    np.testing.assert_allclose(planes[2], np.append(own.coef_[0], own.intercept_))
    np.testing.assert_allclose(planes[0], -planes[2])


@pytest.mark.parametrize("classes", [2, 3])
def test_a_world_of_one_class_always_answers_it(classes: int) -> None:
    rows, labels = blobs(classes)
    svm = LinearSVM()
    facts = svm.facts(rows, labels)
    for label in NAMES[:classes]:
        alone = labels == label
        vector = svm.fit(rows[alone], labels[alone], 0, facts)
        assert len(vector) == len(svm.coordinates(facts))
        assert (svm.model(vector, facts).predict(rows) == label).all()


@pytest.mark.parametrize("classes", [2, 3])
def test_accuracy_of_many_vectors_is_that_of_their_models(classes: int) -> None:
    rows, labels = blobs(classes)
    svm = LinearSVM()
    facts = svm.facts(rows, labels)
    vectors = svm.fit(rows, labels, 0, facts) + np.random.default_rng(2).normal(size=(5, 1))
    each = [svm.model(vector, facts).score(rows, labels) for vector in vectors]
    np.testing.assert_allclose(svm.utility(vectors, rows, labels, facts), each)
    assert svm.utility(vectors, rows, None, facts) is None


def test_confidence_leads_with_the_true_label_and_is_platts_without() -> None:
    rows, labels = blobs(3)
    svm = LinearSVM()
    facts = svm.facts(rows, labels)
    vector = svm.fit(rows, labels, 0, facts)
    scores = svm.model(vector, facts).decision_function(rows)
    right = svm.model(vector, facts).predict(rows) == labels
    lead = svm.confidence(vector[None], rows, labels, facts)
    assert lead is not None
    assert ((lead[0] > 0) == right).all()
    platt = svm.confidence(vector[None], rows, None, facts)
    np.testing.assert_allclose(platt, [1 / (1 + np.exp(-scores.max(axis=1)))])


def test_strange_labels_count_as_wrong_and_are_refused_where_they_must_be_known() -> None:
    rows, labels = blobs(2)
    svm = LinearSVM()
    facts = svm.facts(rows, labels)
    vectors = svm.fit(rows, labels, 0, facts)[None]
    strange = np.where(np.arange(len(labels)) < 30, "yew", labels)
    assert svm.utility(vectors, rows[:30], strange[:30], facts) == [0.0]
    with pytest.raises(OutOfDomain, match="not among the classes"):
        svm.fit(rows, strange, 0, facts)


def test_refusals() -> None:
    rows, _ = blobs(2)
    for C in (0, -1, float("nan"), "1", True):
        with pytest.raises(InvalidParameter, match="C must be"):
            LinearSVM(C=C)  # type: ignore[arg-type]
    with pytest.raises(InvalidParameter, match="learns from labels"):
        LinearSVM().facts(rows, None)
    with pytest.raises(InvalidParameter, match="fewer than two classes"):
        LinearSVM().facts(rows, np.zeros(len(rows)))


def test_a_solver_that_stops_early_does_not_stop_the_release(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(linear_models, "MOST_STEPS", 1)  # scikit-learn warns, and warnings are errors here
    rows, labels = blobs(2)
    svm = LinearSVM()
    facts = svm.facts(rows, labels)
    assert np.isfinite(svm.fit(rows, labels, 0, facts)).all()
