"""Telling a released estimator how many columns it was fitted on, and their names."""

from __future__ import annotations

from typing import Any

import numpy as np

from noisewright.release.algorithms.base import Facts


def named_columns(estimator: Any, facts: Facts) -> Any:
    """The estimator with the public facts that scikit-learn checks new rows against."""
    estimator.n_features_in_ = facts.features
    if facts.names is not None:
        estimator.feature_names_in_ = np.asarray(facts.names, dtype=object)
    return estimator
