"""Readers of fitted scikit-learn models that are sums of trees.

Types are compared exactly: a derived class may answer differently. A reader returns None for a model of its
type that is not a plain sum of trees (several outputs, categorical splits, another model as a start). A model
may stand behind scalers that treat columns one by one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noisewright.domains import Floats
from noisewright.utility.models.classifier import is_exactly
from noisewright.utility.models.scalers import scaler_moves
from noisewright.utility.trees.ensemble import LEAF, Columns, Tree, TreeEnsemble, join_trees


def read_trees(model: Any) -> TreeEnsemble | None:
    """Read a fitted scikit-learn model as a sum of trees; None if it is not known to be one.

    Known models are decision trees, forests, extra trees, bagged and boosted trees and histogram boosting
    without categorical splits; each may stand at the end of a pipeline of scalers that treat columns one by
    one.

    Args:
        model: A fitted estimator or pipeline.

    >>> from sklearn.tree import DecisionTreeClassifier
    >>> ensemble = read_trees(DecisionTreeClassifier().fit([[0.0], [1.0]], ["no", "yes"]))
    >>> ensemble.classes, float(ensemble.threshold[0])
    (('no', 'yes'), 0.5)
    >>> read_trees(lambda rows: rows) is None
    True
    """
    *scalers, final = [step for _, step in model.steps] if is_exactly(model, "Pipeline") else [model]
    if not is_exactly(final, *_READERS) or not hasattr(final, "n_features_in_"):
        return None
    ensemble = _READERS[type(final).__name__](final)
    steps: list[tuple[str, Floats]] = []
    for scaler in scalers:
        moves = [] if scaler is None or scaler == "passthrough" else scaler_moves(scaler)
        if moves is None or any(name in ("divide", "multiply") and not (by > 0).all() for name, by in moves):
            return None  # a column with a negative scale would go right where it went left
        steps += moves
    if ensemble is None:
        return None
    return replace(ensemble, columns=Columns(tuple(steps), ensemble.columns.single))


Reader = Callable[[Any], TreeEnsemble | None]

TREES = ("DecisionTreeClassifier", "ExtraTreeClassifier")


def read_tree(model: Any) -> TreeEnsemble | None:
    """Read a single tree: its scores are 1 at the most frequent class of a leaf and 0 elsewhere."""
    if model.n_outputs_ != 1:
        return None
    tree = _plain(model.tree_, _one_hot(model.tree_.value[:, 0, :]))
    return join_trees([tree], model.classes_, model.n_features_in_, Columns())


def read_forest(model: Any) -> TreeEnsemble | None:
    """Read a forest, which adds the probabilities of its trees."""
    if model.n_outputs_ != 1:
        return None
    trees = [_plain(one.tree_, one.tree_.value[:, 0, :]) for one in model.estimators_]
    return _average_trees(trees, model)


def read_bagging(model: Any) -> TreeEnsemble | None:
    """Read bagged trees, each of which may see some of the features and some of the classes."""
    if not _all_trees(model.estimators_):
        return None
    trees = []
    for one, features in zip(model.estimators_, model.estimators_features_, strict=True):
        scores = np.zeros((one.tree_.node_count, len(model.classes_)))
        scores[:, np.asarray(one.classes_, dtype=np.int64)] = one.tree_.value[:, 0, :]
        trees.append(_plain(one.tree_, scores, np.asarray(features)))
    return _average_trees(trees, model)


def read_adaboost(model: Any) -> TreeEnsemble | None:
    """Read AdaBoost (SAMME), which adds the weights of the trees that vote for a class."""
    if not _all_trees(model.estimators_) or len(model.classes_) < 2:
        return None
    trees = []
    for one, weight in zip(model.estimators_, model.estimator_weights_, strict=False):
        known = np.searchsorted(model.classes_, one.classes_)
        votes = np.zeros((one.tree_.node_count, len(model.classes_)))
        votes[:, known] = _one_hot(one.tree_.value[:, 0, :])
        against = -1 / (len(model.classes_) - 1) * weight
        trees.append(_plain(one.tree_, np.where(votes > 0, weight, against)))
    divisor = float(model.estimator_weights_.sum())
    if not divisor > 0:
        return None
    return join_trees(trees, model.classes_, model.n_features_in_, Columns(), divisor=divisor)


def read_boosting(model: Any) -> TreeEnsemble | None:
    """Read gradient boosting: the prior plus shrunken trees, one per stage, or one a class."""
    started_plainly = isinstance(model.init_, str) or is_exactly(model.init_, "DummyClassifier")
    if not started_plainly:
        return None
    base = model._raw_predict_init(np.zeros((1, model.n_features_in_), dtype=np.float32))[0]
    stages = [
        (_plain(one.tree_, one.tree_.value[:, 0, :] * model.learning_rate) for one in stage)
        for stage in model.estimators_
    ]
    return _boosted_trees(stages, base, model, Columns(), positive_at_zero=True)


def read_histogram_boosting(model: Any) -> TreeEnsemble | None:
    """Read histogram boosting, which compares doubles; a raw score of exactly 0 is the first class."""
    nodes = [one.nodes for stage in model._predictors for one in stage]
    if model.is_categorical_ is not None or any(tree["is_categorical"].any() for tree in nodes):
        return None
    stages = [(_histogram_tree(one.nodes) for one in stage) for stage in model._predictors]
    base = np.asarray(model._baseline_prediction, dtype=np.float64).reshape(-1)
    return _boosted_trees(stages, base, model, Columns(single=False), positive_at_zero=False)


def _average_trees(trees: list[Tree], model: Any) -> TreeEnsemble:
    """Return trees whose probabilities are averaged; several threads add them in any order."""
    return join_trees(
        trees,
        model.classes_,
        model.n_features_in_,
        Columns(),
        divisor=float(len(trees)),
        ordered=model.n_jobs in (None, 1),
    )


def _boosted_trees(
    stages: Sequence[Iterable[Tree]], base: Floats, model: Any, columns: Columns, *, positive_at_zero: bool
) -> TreeEnsemble:
    """Return trees of raw scores: with two classes, the score of the second against 0."""
    count = len(model.classes_)
    binary = base.size == 1
    trees = [
        _for_class(tree, 1 if binary else at, count) for stage in stages for at, tree in enumerate(stage)
    ]
    return join_trees(
        trees,
        model.classes_,
        model.n_features_in_,
        columns,
        base=np.array([0.0, base[0]]) if binary else base,
        preference=(1, 0) if binary and positive_at_zero else None,
    )


def _plain(tree: Any, scores: Floats, features: NDArray[Any] | None = None) -> Tree:
    """Return a tree of the library; ``features`` are the columns it was fitted on."""
    leaf = tree.children_left == LEAF
    feature = tree.feature if features is None else features[np.maximum(tree.feature, 0)]
    return Tree(
        np.where(leaf, LEAF, feature).astype(np.int32),
        np.asarray(tree.threshold),
        np.maximum(tree.children_left, 0).astype(np.int32),
        np.maximum(tree.children_right, 0).astype(np.int32),
        np.where(leaf[:, None], scores, 0.0),
    )


def _histogram_tree(nodes: NDArray[Any]) -> Tree:
    leaf = nodes["is_leaf"].astype(bool)
    return Tree(
        np.where(leaf, LEAF, nodes["feature_idx"]).astype(np.int32),
        nodes["num_threshold"].astype(np.float64),
        nodes["left"].astype(np.int32),
        nodes["right"].astype(np.int32),
        np.where(leaf, nodes["value"], 0.0)[:, None],
    )


def _for_class(tree: Tree, at: int, count: int) -> Tree:
    """Return a tree of one raw score as scores of all classes."""
    return replace(tree, scores=np.eye(count)[at] * tree.scores)


def _one_hot(values: Floats) -> Floats:
    return np.asarray(np.eye(values.shape[1])[np.argmax(values, axis=1)])


def _all_trees(models: Sequence[Any]) -> bool:
    return all(is_exactly(one, *TREES) and one.n_outputs_ == 1 for one in models)


_READERS: dict[str, Reader] = {
    "DecisionTreeClassifier": read_tree,
    "ExtraTreeClassifier": read_tree,
    "RandomForestClassifier": read_forest,
    "ExtraTreesClassifier": read_forest,
    "BaggingClassifier": read_bagging,
    "AdaBoostClassifier": read_adaboost,
    "GradientBoostingClassifier": read_boosting,
    "HistGradientBoostingClassifier": read_histogram_boosting,
}
