"""K-Means: one order in all worlds, scikit-learn's answers without noise, and nothing beyond the centroids."""

import pickle
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.cluster import KMeans
from sklearn.datasets import load_iris

from noisewright.domains import Floats
from noisewright.errors import BadRelease, InvalidParameter
from noisewright.release.algorithms.base import Facts
from noisewright.release.algorithms.clusters import Clusters, order_like

IRIS = load_iris()
ROWS: Floats = (IRIS.data - IRIS.data.min(axis=0)) / np.ptp(IRIS.data, axis=0)
LABELS = IRIS.target_names[IRIS.target]
WORLDS = [np.sort(np.random.default_rng(seed).permutation(150)[:75]) for seed in range(16)]


def outputs(clusters: Clusters, facts: Facts) -> Floats:
    return np.array([clusters.fit(ROWS[world], None, seed, facts) for seed, world in enumerate(WORLDS)])


@pytest.mark.parametrize("start", ["reference", "own"])
def test_every_world_has_the_clusters_in_the_order_of_the_reference(start: str) -> None:
    clusters = Clusters(3, restarts=2, start=start)
    facts = clusters.facts(ROWS, None)
    assert facts.reference is not None
    vectors = outputs(clusters, facts)
    assert vectors.shape == (16, 12) == (16, len(clusters.coordinates(facts)))
    for vector in vectors:
        assert order_like(vector.reshape(3, 4), facts.reference).tolist() == [0, 1, 2]
    # Two swapped clusters would differ by 0.2 or more in every coordinate.
    assert vectors.std(axis=0).max() < 0.05


def test_the_order_of_the_rows_does_not_matter() -> None:
    clusters = Clusters(3)
    facts = clusters.facts(ROWS, None)
    shuffled = np.random.default_rng(1).permutation(WORLDS[0])
    np.testing.assert_allclose(
        clusters.fit(ROWS[shuffled], None, 5, facts),
        clusters.fit(ROWS[WORLDS[0]], None, 6, facts),
        atol=1e-12,
    )


def test_without_noise_the_model_answers_as_scikit_learns_own() -> None:
    clusters = Clusters(3)
    facts = clusters.facts(ROWS, None)
    own = KMeans(3, init=facts.reference, n_init=1).fit(ROWS[WORLDS[0]])
    model = clusters.model(clusters.fit(ROWS[WORLDS[0]], None, 0, facts), facts)
    assert isinstance(model, KMeans)
    np.testing.assert_array_equal(model.predict(ROWS), own.predict(ROWS))
    np.testing.assert_allclose(model.transform(ROWS), own.transform(ROWS), atol=1e-12)
    assert model.score(ROWS) == pytest.approx(own.score(ROWS))
    assert model.get_feature_names_out().tolist() == ["releasedkmeans0", "releasedkmeans1", "releasedkmeans2"]


def test_the_model_takes_single_precision_frames_and_pickles() -> None:
    clusters = Clusters(3)
    facts = clusters.facts(ROWS, None, names=IRIS.feature_names)
    model = pickle.loads(pickle.dumps(clusters.model(clusters.fit(ROWS, None, 0, facts), facts)))
    frame = pd.DataFrame(ROWS, columns=IRIS.feature_names)
    np.testing.assert_array_equal(model.predict(frame), model.predict(frame.astype(np.float32)))
    assert model.transform(frame.astype(np.float32)).shape == (150, 3)


def test_the_model_tells_nothing_of_the_rows_but_its_centroids() -> None:
    clusters = Clusters(3)
    facts = clusters.facts(ROWS, None)
    vector = np.arange(12.0)
    told = vars(clusters.model(vector, facts))
    fresh = vars(KMeans(3))
    assert set(told) - set(fresh) == {"cluster_centers_", "n_features_in_", "_n_features_out", "_n_threads"}
    np.testing.assert_array_equal(told["cluster_centers_"].ravel(), vector)


def test_labels_name_the_clusters_by_class() -> None:
    clusters = Clusters(3)
    for labels in (LABELS, IRIS.target):
        facts = clusters.facts(ROWS, labels)
        vector = clusters.fit(ROWS, labels, 0, facts)
        codes = clusters.model(vector, facts).predict(ROWS)
        right = (np.asarray(facts.classes)[codes] == labels).mean()
        assert right == pytest.approx(0.8867, abs=1e-4)  # K-Means on the whole of scaled Iris
        found = clusters.utility(np.stack([vector, vector[::-1]]), ROWS, labels, facts)
        assert found is not None
        assert found[0] == right > found[1]


@pytest.mark.parametrize("labels", [None, LABELS, np.zeros(150)])
def test_labels_that_cannot_name_two_clusters_are_left_aside(labels: Any) -> None:
    clusters = Clusters(2)
    facts = clusters.facts(ROWS, labels)
    assert facts.classes is None
    vectors = outputs(clusters, facts)
    expected = [clusters.model(vector, facts).score(ROWS) / 150 for vector in vectors]
    np.testing.assert_allclose(clusters.utility(vectors, ROWS, labels, facts), expected)


def test_a_label_that_the_pool_does_not_have_is_never_right() -> None:
    clusters = Clusters(3)
    facts = clusters.facts(ROWS, LABELS)
    vectors = clusters.fit(ROWS, None, 0, facts)[None]
    assert clusters.utility(vectors, ROWS, np.full(150, "tulip"), facts) == [0.0]


def test_noised_centroids_are_moved_into_their_bounds() -> None:
    clusters = Clusters(1, bounds=(0, [1, 2]))
    facts = clusters.facts(ROWS[:, :2], None)
    assert clusters.model(np.array([-3.0, 7.0]), facts).cluster_centers_.tolist() == [[0.0, 2.0]]
    found = clusters.utility(np.array([[-3.0, 7.0], [0.0, 2.0]]), ROWS[:, :2], None, facts)
    assert found is not None
    assert found[0] == found[1]


def test_confidence_is_one_at_a_centroid_and_zero_at_the_farthest_row() -> None:
    clusters = Clusters(2)
    facts = Facts(records=4, features=1)
    rows = np.array([[0.0], [10.0], [12.0], [4.0]])
    found = clusters.confidence(np.array([[0.0, 10.0], [0.0, 12.0]]), rows, None, facts)
    np.testing.assert_allclose(found, [[1, 1, 0.5, 0], [1, 0.5, 1, 0]])
    assert np.isfinite(clusters.confidence(np.array([[1.0, 1.0]]), np.ones((3, 1)), None, facts)).all()


def test_fewer_different_rows_than_clusters_are_refused() -> None:
    clusters = Clusters(3)
    facts = clusters.facts(ROWS, None)
    with pytest.raises(BadRelease, match="fewer than 3 different rows"):
        clusters.fit(np.repeat(ROWS[:2], 50, axis=0), None, 0, facts)
    with pytest.raises(BadRelease, match="fewer than 3 different rows"):
        clusters.facts(ROWS[:2], None)
    late = np.concatenate([np.repeat(ROWS[:1], 99, axis=0), ROWS[60:61], ROWS[120:121]])
    assert clusters.fit(late, None, 0, facts).size == 12


@pytest.mark.parametrize(
    ("parameters", "said"),
    [
        ({"count": 0}, "count"),
        ({"count": 2.5}, "count"),
        ({"count": 3, "restarts": 0}, "restarts"),
        ({"count": 3, "start": "random"}, "start must be one of reference, own"),
        ({"count": 3, "bounds": (1, 0)}, "low must be below high"),
        ({"count": 3, "bounds": (0, 1, 2)}, "pair"),
        ({"count": 3, "bounds": (0, "one")}, "high"),
        ({"count": 3, "bounds": (0, float("nan"))}, "high"),
        ({"count": 3, "bounds": ([0, 0], [1, 1, 1])}, "the same length"),
    ],
)
def test_impossible_parameters_are_refused(parameters: dict[str, Any], said: str) -> None:
    with pytest.raises(InvalidParameter, match=said):
        Clusters(**parameters)


def test_bounds_of_other_columns_and_foreign_facts_are_refused() -> None:
    with pytest.raises(InvalidParameter, match="bounds has 2 numbers and X has 4 columns"):
        Clusters(3, bounds=([0, 0], 1)).facts(ROWS, None)
    with pytest.raises(InvalidParameter, match="facts of its own pool"):
        Clusters(3).fit(ROWS, None, 0, Facts(records=150, features=4))
