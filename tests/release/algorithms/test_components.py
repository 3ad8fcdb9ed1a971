"""Principal components: one basis in all worlds, and an orthonormal one after the noise."""

from typing import Any

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.decomposition import PCA

from noisewright.domains import Floats
from noisewright.errors import InvalidParameter
from noisewright.release.algorithms.base import Facts
from noisewright.release.algorithms.components import Components, principal

ROWS: Floats = load_iris().data
WORLDS = [np.sort(np.random.default_rng(seed).permutation(150)[:75]) for seed in range(16)]


def wide(records: int, features: int) -> Floats:
    """Rows with a few strong directions, more columns than a covariance is formed for."""
    generator = np.random.default_rng(3)
    strengths = np.array([9.0, 8.9, 5.0])
    strong = generator.normal(size=(records, 3)) * strengths @ generator.normal(size=(3, features))
    return np.asarray(strong + generator.normal(size=(records, features)) + 100)


def noised(components: Components, facts: Facts, deviation: float = 0.1) -> Floats:
    vectors = np.array([components.fit(ROWS[world], None, 0, facts) for world in WORLDS])
    return vectors + np.random.default_rng(4).normal(0, deviation, vectors.shape)


@pytest.mark.parametrize("count", [1, 2, 4])
def test_without_noise_the_model_restores_as_scikit_learns_own(count: int) -> None:
    components = Components(count)
    facts = components.facts(ROWS, None)
    for world in WORLDS[:4]:
        own = PCA(count).fit(ROWS[world])
        vector = components.fit(ROWS[world], None, 0, facts)
        model = components.model(vector, facts)
        assert vector.size == 4 + 4 * count == len(components.coordinates(facts))
        np.testing.assert_allclose(
            model.inverse_transform(model.transform(ROWS)),
            own.inverse_transform(own.transform(ROWS)),
            atol=1e-9,
        )
        np.testing.assert_allclose(np.abs(model.mean_), own.mean_)


@pytest.mark.parametrize(("records", "count"), [(80, 3), (900, 3), (3, 3)])
def test_many_columns_give_the_exact_subspace_whatever_the_seed(records: int, count: int) -> None:
    rows = wide(records, 300)
    right = np.linalg.svd(rows - rows.mean(axis=0), full_matrices=False).Vh[:count]
    found = [principal(rows, count, seed)[1] for seed in (1, 2)]
    kept = 2 if records == 3 else count  # three rows span two directions, the third may be any
    for basis in found:
        assert np.allclose(basis @ basis.T, np.eye(count), atol=1e-9)
        np.testing.assert_allclose(np.abs((basis * right).sum(axis=1))[:kept], 1, atol=1e-9)
    np.testing.assert_array_equal(found[0], principal(rows, count, seed=1)[1])


def test_components_that_tie_are_turned_back_to_the_reference() -> None:
    # Two columns of exactly the same variance and no covariance: halves find them turned by any angle.
    rows = np.random.default_rng(5).normal(size=(400, 20))
    centred = rows[:, :2] - rows[:, :2].mean(axis=0)
    rows[:, :2] = 9 * np.sqrt(400) * np.linalg.qr(centred).Q
    components = Components(2)
    facts = components.facts(rows, None)
    halves = [np.random.default_rng(seed).permutation(400)[:200] for seed in range(20)]
    turned = np.array([components.fit(rows[half], None, 0, facts)[20:] for half in halves])
    plain = np.array([principal(rows[half], 2, 0)[1].ravel() for half in halves])
    assert 20 * turned.var(axis=0).sum() < plain.var(axis=0).sum()


def test_the_order_of_the_rows_does_not_matter() -> None:
    components = Components(2)
    facts = components.facts(ROWS, None)
    shuffled = np.random.default_rng(1).permutation(WORLDS[0])
    np.testing.assert_allclose(
        components.fit(ROWS[shuffled], None, 5, facts),
        components.fit(ROWS[WORLDS[0]], None, 6, facts),
        atol=1e-9,
    )


def test_noised_components_are_orthonormal_and_close_to_what_was_noised() -> None:
    components = Components(2)
    facts = components.facts(ROWS, None)
    for vector in noised(components, facts):
        model = components.model(vector, facts)
        assert np.allclose(model.components_ @ model.components_.T, np.eye(2), atol=1e-12)
        assert np.linalg.norm(model.components_ - vector[4:].reshape(2, 4)) < 0.8
        kept = model.transform(ROWS)
        np.testing.assert_allclose(model.transform(model.inverse_transform(kept)), kept, atol=1e-9)


def test_the_model_tells_no_variances_and_does_not_touch_the_reference() -> None:
    components = Components(2)
    facts = components.facts(ROWS, None)
    vector = noised(components, facts)[0]
    told = vars(components.model(vector, facts))
    assert set(told) - set(vars(PCA(2))) == {"mean_", "components_", "n_components_", "n_features_in_"}
    assert not told["whiten"]
    public = Facts(records=150, features=4)
    np.testing.assert_array_equal(components.model(vector, public).components_, told["components_"])


def test_utility_and_confidence_are_those_of_the_models() -> None:
    components = Components(2)
    facts = components.facts(ROWS, None)
    vectors = noised(components, facts)
    models = [components.model(vector, facts) for vector in vectors]
    lost = np.array([ROWS - model.inverse_transform(model.transform(ROWS)) for model in models])
    np.testing.assert_allclose(
        components.confidence(vectors, ROWS, None, facts), -np.linalg.norm(lost, axis=2), atol=1e-9
    )
    np.testing.assert_allclose(
        components.utility(vectors, ROWS, None, facts),
        -np.linalg.norm(lost, axis=(1, 2)) / np.linalg.norm(ROWS),
    )


@pytest.mark.parametrize("count", [0, 1.5, True])
def test_impossible_counts_are_refused(count: Any) -> None:
    with pytest.raises(InvalidParameter, match="count"):
        Components(count)


def test_more_components_than_a_world_has_are_refused() -> None:
    with pytest.raises(InvalidParameter, match="count must be at most 4 for this pool"):
        Components(5).facts(ROWS, None)
    with pytest.raises(InvalidParameter, match="count must be at most 3 for this pool"):
        Components(4).facts(ROWS[:7], None)
    with pytest.raises(InvalidParameter, match="facts of its own pool"):
        Components(2).fit(ROWS, None, 0, Facts(records=150, features=4))
