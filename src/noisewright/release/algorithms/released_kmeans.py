"""A scikit-learn KMeans made of centroids that were released, without a fit."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.cluster import KMeans

from noisewright.domains import Floats


class ReleasedKMeans(KMeans):  # type: ignore[misc]  # scikit-learn is untyped
    """A KMeans that knows its centroids only: no labels, inertia or iterations of the rows behind it."""

    @classmethod
    def of(cls, centroids: Floats) -> ReleasedKMeans:
        """The model that these centroids make.

        >>> ReleasedKMeans.of(np.array([[0.0], [9.0]])).predict(np.array([[1.0], [7.0]], dtype=np.float32))
        array([0, 1], dtype=int32)
        """
        model = cls(n_clusters=len(centroids))
        model.cluster_centers_ = np.array(centroids, dtype=np.float64, order="C")
        model.n_features_in_ = centroids.shape[1]
        model._n_features_out = len(centroids)
        model._n_threads = 1
        return model

    def _check_test_data(self, X: Any) -> Any:  # noqa: N803  (scikit-learn's name)
        # The compiled distances refuse single-precision rows beside double-precision centroids.
        return super()._check_test_data(X).astype(np.float64, copy=False)
