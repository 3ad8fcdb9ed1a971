"""A forest after the noise: routes rows through complete trees and counts the votes of the leaves."""

from __future__ import annotations

from typing import Any, NoReturn

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import validate_data

from noisewright.domains import Cells, Floats
from noisewright.errors import InvalidParameter


class ReleasedForest(ClassifierMixin, BaseEstimator):  # type: ignore[misc]  # scikit-learn is untyped
    """A fitted forest of complete trees with scikit-learn's manners.

    ``features[i]`` lists the feature of each level of tree i, ``thresholds[i]`` its splits level by level (as
    shares of the way from ``low`` to ``high``; a row below goes left) and ``shares[i]`` the class shares of
    its leaves. It is made from a released vector and is never fitted again.

    >>> forest = ReleasedForest(
    ...     features=((0,),), thresholds=[np.array([0.5])], shares=[np.array([[0.9, 0.1], [0.2, 0.8]])],
    ...     low=0.0, high=10.0, classes=np.array(["no", "yes"]), columns=1)
    >>> forest.predict([[4.0], [6.0]]).tolist()
    ['no', 'yes']
    """

    def __init__(
        self,
        features: tuple[tuple[int, ...], ...],
        thresholds: list[Floats],
        shares: list[Floats],
        low: Any,
        high: Any,
        classes: NDArray[Any],
        columns: int,
    ) -> None:
        self.features = features
        self.thresholds = thresholds
        self.shares = shares
        self.low = low
        self.high = high
        self.classes = classes
        self.columns = columns
        self.classes_ = classes
        self.n_features_in_ = columns

    def fit(self, X: ArrayLike, y: Any = None) -> NoReturn:  # noqa: N803  (scikit-learn's name)
        """Refused: what was released is fixed, and fitting again would publish data without noise."""
        raise InvalidParameter("a released forest is not fitted again; release another")

    def predict_proba(self, X: ArrayLike) -> Floats:  # noqa: N803
        """The share of the trees that vote for each class."""
        rows = validate_data(self, X, reset=False, dtype=np.float64)
        units = (rows - np.asarray(self.low)) / (np.asarray(self.high) - np.asarray(self.low))
        votes = np.zeros((len(rows), len(self.classes_)))
        for features, thresholds, shares in zip(self.features, self.thresholds, self.shares, strict=True):
            leaves = route(thresholds[None], features, units)[0]
            votes[np.arange(len(rows)), shares.argmax(axis=1)[leaves]] += 1
        return votes / len(self.features)

    def predict(self, X: ArrayLike) -> NDArray[Any]:  # noqa: N803
        """The class that most trees vote for; of several, the first in order."""
        return np.asarray(self.classes_[self.predict_proba(X).argmax(axis=1)])

    def __sklearn_is_fitted__(self) -> bool:
        return True


def route(thresholds: Floats, features: tuple[int, ...], units: Floats) -> Cells:
    """The leaf of each row in each of many trees that differ in their thresholds only, (trees, rows).

    >>> route(np.array([[0.5, 0.2, 0.7]]), (0, 1), np.array([[0.4, 0.1], [0.4, 0.3], [0.6, 0.9]])).tolist()
    [[0, 1, 3]]
    """
    nodes = np.zeros((len(thresholds), len(units)), dtype=np.int64)
    for level, feature in enumerate(features):
        split = np.take_along_axis(thresholds, nodes + 2**level - 1, axis=1)
        nodes = 2 * nodes + (units[:, feature] >= split)
    return nodes
