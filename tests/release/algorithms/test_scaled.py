"""Scaling inside each world: scikit-learn's pipeline, told in public units, with nothing left outside."""

import numpy as np
import pytest
from sklearn.cluster import KMeans
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler, StandardScaler
from sklearn.svm import LinearSVC

from noisewright.errors import InvalidParameter
from noisewright.release.algorithms import (
    Algorithm,
    Clusters,
    Components,
    Forest,
    LinearSVM,
    Logistic,
    Mean,
    NaiveBayes,
    Ridge,
    Scaled,
)

GENERATOR = np.random.default_rng(21)
CODES = np.arange(80) % 2
ROWS = (GENERATOR.normal(size=(80, 3)) + 2 * CODES[:, None]) * [1.0, 1e5, 1e-4] + [2000.0, 0.0, 1.0]
LABELS = np.array(["no", "yes"])[CODES]
HALF = np.arange(0, 80, 2) + (np.arange(40) % 2)


def all_scaled() -> list[Algorithm]:
    inner = [Clusters(2), Components(2), Forest(), LinearSVM(), Logistic(), NaiveBayes()]
    return [Scaled(one, scaler) for one in inner for scaler in ("minmax", "standard")]


@pytest.mark.parametrize("scaler", [MinMaxScaler, StandardScaler])
def test_without_noise_it_is_scikit_learns_pipeline(scaler: type) -> None:
    scaled = Scaled(LinearSVM(C=0.5), "minmax" if scaler is MinMaxScaler else "standard")
    facts = scaled.facts(ROWS, LABELS)
    model = scaled.model(scaled.fit(ROWS[HALF], LABELS[HALF], 0, facts), facts)
    own = make_pipeline(scaler(), LinearSVC(C=0.5, dual=False, tol=1e-6)).fit(ROWS[HALF], LABELS[HALF])
    np.testing.assert_allclose(model.decision_function(ROWS), own.decision_function(ROWS), atol=1e-6)
    assert (model.predict(ROWS) == own.predict(ROWS)).all()


def test_clusters_behind_a_scaler_keep_their_order_in_every_half() -> None:
    scaled = Scaled(Clusters(2, start="own"), "standard")
    facts = scaled.facts(ROWS, LABELS)
    other = np.setdiff1d(np.arange(80), HALF)
    for half in (HALF, other):
        vector = scaled.fit(ROWS[half], LABELS[half], 0, facts)
        utility = scaled.utility(vector[None], ROWS, LABELS, facts)
        assert utility is not None
        assert utility[0] > 0.9
        own = make_pipeline(StandardScaler(), KMeans(2, n_init=10, random_state=0)).fit(ROWS[half])
        same = (scaled.model(vector, facts).predict(ROWS) == own.predict(ROWS)).mean()
        assert same in (0.0, 1.0)  # the same clusters, whatever scikit-learn calls them


@pytest.mark.parametrize(
    "scaled", all_scaled(), ids=lambda one: f"{type(one.algorithm).__name__}-{one.scaler}"
)
def test_the_model_needs_no_exact_fact_of_the_pool(scaled: Scaled) -> None:
    """A file holds the vector and public facts, never the reference: the model must come from those alone."""
    facts = scaled.facts(ROWS, LABELS)
    vector = scaled.fit(ROWS[HALF], LABELS[HALF], 3, facts)
    assert len(vector) == len(scaled.coordinates(facts))
    published = type(facts)(facts.records, facts.features, facts.classes, reference=None, names=facts.names)
    ask = "transform" if isinstance(scaled.algorithm, Components) else "predict"
    ours, theirs = (getattr(scaled.model(vector, known), ask)(ROWS) for known in (facts, published))
    assert (ours == theirs).all()


def test_ridge_behind_a_scaler_predicts_the_numbers() -> None:
    scaled = Scaled(Ridge(alpha=1e-6))
    targets = ROWS[:, 0] * 3 - ROWS[:, 1] * 1e-5
    facts = scaled.facts(ROWS, targets)
    vector = scaled.fit(ROWS, targets, 0, facts)
    np.testing.assert_allclose(scaled.model(vector, facts).predict(ROWS), targets, rtol=1e-6)
    utility = scaled.utility(vector[None], ROWS, targets, facts)
    assert utility is not None
    assert utility[0] > -1e-3


def test_units_are_whole_numbers_that_do_not_depend_on_the_world() -> None:
    scaled = Scaled(LinearSVM())
    facts = scaled.facts(ROWS, LABELS)
    halves = [np.sort(GENERATOR.permutation(80)[:40]) for _ in range(8)]
    vectors = np.array([scaled.fit(ROWS[half], LABELS[half], 0, facts) for half in halves])
    units, moving = vectors[:, :6], vectors[:, 6:]
    assert (units == units[0]).all()
    assert (units == units.round()).all()
    assert (moving.std(axis=0) > 0).all()
    # In public units no column is worth more than another, whatever the data are measured in.
    assert moving[:, :6].std(axis=0).max() < 1


def test_noised_widths_are_widths_and_noised_models_agree_with_utility() -> None:
    scaled = Scaled(LinearSVM())
    facts = scaled.facts(ROWS, LABELS)
    vector = scaled.fit(ROWS, LABELS, 0, facts)
    noise = GENERATOR.normal(size=(6, len(vector))) * np.array([0.0] * 6 + [50.0] * (len(vector) - 6))
    vectors = vector + noise
    models = [scaled.model(one, facts) for one in vectors]
    assert all((model.named_steps["scaler"].data_range_ > 0).all() for model in models)
    expected = [model.score(ROWS, LABELS) for model in models]
    np.testing.assert_allclose(scaled.utility(vectors, ROWS, LABELS, facts), expected)
    confidence = scaled.confidence(vectors, ROWS, LABELS, facts)
    assert confidence is not None
    assert ((confidence > 0).mean(axis=1) == expected).all()


def test_columns_without_width_are_no_obstacle() -> None:
    rows = np.column_stack([ROWS[:, 0], np.full(80, 7.3), np.arange(80) == 0])
    for scaler in ("minmax", "standard"):
        scaled = Scaled(LinearSVM(), scaler)
        facts = scaled.facts(rows, LABELS)
        vector = scaled.fit(rows[1:41], LABELS[1:41], 0, facts)  # the third column is constant here only
        assert np.isfinite(vector).all()
        assert np.isfinite(scaled.model(vector, facts).decision_function(rows)).all()


def test_names_of_columns_are_kept() -> None:
    scaled = Scaled(LinearSVM())
    facts = scaled.facts(ROWS, LABELS, names=["a", "b", "c"])
    model = scaled.model(scaled.fit(ROWS, LABELS, 0, facts), facts)
    assert model.named_steps["scaler"].feature_names_in_.tolist() == ["a", "b", "c"]
    assert "log width of b" in scaled.coordinates(facts)


def test_it_needs_labels_where_its_algorithm_does() -> None:
    assert Scaled(LinearSVM()).needs_labels
    assert not Scaled(Clusters(2)).needs_labels
    assert Scaled(Clusters(2)).facts(ROWS, None).classes is None


def test_refusals() -> None:
    with pytest.raises(InvalidParameter, match="Mean cannot stand behind a scaler"):
        Scaled(Mean())
    with pytest.raises(InvalidParameter, match="Scaled cannot"):
        Scaled(Scaled(LinearSVM()))
    with pytest.raises(InvalidParameter, match="scaler must be one of"):
        Scaled(LinearSVM(), "robust")
