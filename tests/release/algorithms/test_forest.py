"""The regularized forest: a naive twin from the formula, fixed shapes, and leaves inside the vector."""

import math

import numpy as np
import pytest

from noisewright.errors import InvalidParameter
from noisewright.release.algorithms.forest import Forest

GENERATOR = np.random.default_rng(11)
CODES = np.arange(60) % 3
ROWS = np.clip(GENERATOR.normal(size=(60, 4)) * 0.15 + 0.2 + 0.3 * CODES[:, None] * [1, 0, 1, 0.5], 0, 1)
LABELS = np.array(["a", "b", "c"])[CODES]


def entropy(labels: list[str]) -> float:
    shares = [labels.count(label) / len(labels) for label in set(labels)]
    return -sum(share * math.log(share) for share in shares)


def naive_tree(
    forest: Forest, rows: np.ndarray, labels: np.ndarray, features: tuple[int, ...]
) -> list[float]:
    """One tree row by row, straight from the formula."""
    grid = [place * forest.step for place in range(round(1 / forest.step) + 1)]
    nodes = [list(range(len(rows)))]
    thresholds = []
    for feature in features:
        children = []
        for node in nodes:

            def remaining(split: float, node: list[int] = node, feature: int = feature) -> float:
                left = [labels[row] for row in node if rows[row, feature] < split - 1e-12]
                right = [labels[row] for row in node if rows[row, feature] >= split - 1e-12]
                beyond = split < -1e-12 or split > 1 + 1e-12
                sides = [left + right] if beyond else [left, right]
                return sum(len(side) * entropy(side) for side in sides)

            def cost(split: float, remaining=remaining) -> float:  # type: ignore[no-untyped-def]
                near = remaining(split - forest.step) + remaining(split + forest.step)
                blend = (1 - forest.neighbour_weight) * remaining(split) + forest.neighbour_weight * near
                return blend / len(rows) + forest.sparsity * split

            costs = [cost(split) for split in grid]
            best = next(split for split, one in zip(grid, costs, strict=True) if one <= min(costs) + 1e-9)
            best = best if len(node) >= forest.fewest else 0.0
            thresholds.append(best)
            children.append([row for row in node if rows[row, feature] < best - 1e-12])
            children.append([row for row in node if rows[row, feature] >= best - 1e-12])
        nodes = children
    shares = []
    for leaf in nodes:
        for label in ("a", "b", "c"):
            count = sum(labels[row] == label for row in leaf)
            shares.append((count + forest.smoothing / 3) / (len(leaf) + forest.smoothing))
    return thresholds + shares


@pytest.mark.parametrize("neighbour_weight", [0.0, 0.3])
@pytest.mark.parametrize("sparsity", [0.0, 0.1])
@pytest.mark.parametrize("fewest", [1, 12])
def test_it_agrees_with_a_naive_twin(neighbour_weight: float, sparsity: float, fewest: int) -> None:
    weights = {"neighbour_weight": neighbour_weight, "sparsity": sparsity, "fewest": fewest}
    forest = Forest(features=((0, 1), (2, 3, 0)), step=0.1, **weights)  # type: ignore[arg-type]
    facts = forest.facts(ROWS, LABELS)
    twin = [
        number for features in forest.lists(facts) for number in naive_tree(forest, ROWS, LABELS, features)
    ]
    np.testing.assert_allclose(forest.fit(ROWS, LABELS, 0, facts), twin, atol=1e-12)


def test_the_weights_do_something() -> None:
    def splits(**weights: float) -> np.ndarray:
        forest = Forest(features=((0, 2, 3),), step=0.05, **weights)  # type: ignore[arg-type]
        return forest.fit(ROWS, LABELS, 0, forest.facts(ROWS, LABELS))[:7]

    plain = splits(neighbour_weight=0.0, sparsity=0.0)
    assert (splits(neighbour_weight=0.5, sparsity=0.0) != plain).any()
    assert (splits(neighbour_weight=0.0, sparsity=10.0) == 0).all()


def test_a_missing_class_keeps_the_length() -> None:
    forest = Forest()
    facts = forest.facts(ROWS, LABELS)
    kept = LABELS != "b"
    vector = forest.fit(ROWS[kept], LABELS[kept], 0, facts)
    assert len(vector) == len(forest.coordinates(facts)) == 3 * (7 + 8 * 3)
    assert (forest.model(vector, facts).predict(ROWS) != "b").all()


def test_scores_of_many_vectors_are_those_of_their_models() -> None:
    forest = Forest(trees=5, depth=2)
    facts = forest.facts(ROWS, LABELS)
    vector = forest.fit(ROWS, LABELS, 0, facts)
    vectors = vector + 0.3 * GENERATOR.normal(size=(6, len(vector)))
    models = [forest.model(one, facts) for one in vectors]
    np.testing.assert_allclose(
        forest.utility(vectors, ROWS, LABELS, facts), [model.score(ROWS, LABELS) for model in models]
    )
    votes = forest.scores(vectors, ROWS, facts)
    np.testing.assert_allclose(votes / 5, [model.predict_proba(ROWS) for model in models])
    assert all(0 <= split <= 1 for model in models for tree in model.thresholds for split in tree)


def test_leaf_labels_come_from_the_vector_alone() -> None:
    forest = Forest(features=((0,),), step=0.1)
    facts = forest.facts(ROWS, LABELS)
    flipped = np.array([0.5, 0.0, 0.0, 9.0, 9.0, 0.0, 0.0])  # a leaf for c, a leaf for a
    model = forest.model(flipped, facts)
    assert model.predict([[0.1, 0, 0, 0], [0.9, 0, 0, 0]]).tolist() == ["c", "a"]


def test_confidence_is_the_share_of_the_true_class() -> None:
    forest = Forest(features=((0,),), step=0.5, smoothing=1.0)
    facts = forest.facts(ROWS, LABELS)
    vector = np.array([0.5, 0.7, 0.2, 0.1, 0.1, 0.1, 0.8])
    rows, labels = np.array([[0.2, 0, 0, 0], [0.8, 0, 0, 0]]), np.array(["b", "b"])
    np.testing.assert_allclose(forest.confidence(vector[None], rows, labels, facts), [[0.2, 0.1]])
    np.testing.assert_allclose(forest.confidence(vector[None], rows, None, facts), [[0.7, 0.8]])


def test_a_public_range_moves_the_grid() -> None:
    low, high = (0.0, -1.0, 10.0, 5.0), (2.0, 1.0, 20.0, 6.0)
    moved = np.array(low) + ROWS * (np.array(high) - np.array(low))
    unit, ranged = Forest(step=0.05), Forest(step=0.05, low=low, high=high)
    facts = unit.facts(ROWS, LABELS)
    vector = unit.fit(ROWS, LABELS, 0, facts)
    np.testing.assert_allclose(ranged.fit(moved, LABELS, 0, facts), vector)
    expected = unit.model(vector, facts).predict(ROWS)
    assert (ranged.model(vector, facts).predict(moved) == expected).all()


def test_drawn_lists_are_public_and_repeat() -> None:
    facts = Forest().facts(ROWS, LABELS)
    assert Forest(feature_seed=4).lists(facts) == Forest(feature_seed=4).lists(facts)
    deep = Forest(trees=2, depth=6).lists(facts)
    assert all(sorted(tree[:4]) == [0, 1, 2, 3] for tree in deep)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"step": 0.3}, "step must divide 1"),
        ({"depth": 11}, "depth must be"),
        ({"features": ()}, "one list of 1 to 10"),
        ({"features": ((),)}, "one list of 1 to 10"),
        ({"features": 3}, "one list of 1 to 10"),
        ({"features": ((-1,),)}, "a feature must be"),
        ({"neighbour_weight": 1.5}, "neighbour_weight must lie"),
        ({"low": 1.0}, "low must be below high"),
        ({"low": (0.0, 0.0), "high": (1.0, 1.0, 1.0)}, "the same length"),
        ({"low": ()}, "low must be a number or one"),
    ],
)
def test_refusals(wrong: dict, words: str) -> None:
    with pytest.raises(InvalidParameter, match=words):
        Forest(**wrong)


def test_what_does_not_fit_the_pool_is_refused() -> None:
    with pytest.raises(InvalidParameter, match="columns from 0 to 3"):
        Forest(features=((0, 7),)).facts(ROWS, LABELS)
    with pytest.raises(InvalidParameter, match="low has 2 numbers"):
        Forest(low=(0.0, 0.0)).facts(ROWS, LABELS)


def test_a_released_forest_is_not_fitted_again() -> None:
    forest = Forest()
    facts = forest.facts(ROWS, LABELS)
    model = forest.model(forest.fit(ROWS, LABELS, 0, facts), facts)
    with pytest.raises(InvalidParameter, match="not fitted again"):
        model.fit(ROWS, LABELS)
