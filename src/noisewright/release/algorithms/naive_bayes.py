"""Naive Bayes with a normal law for each feature in each class."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from scipy.special import logsumexp
from sklearn.naive_bayes import GaussianNB

from noisewright.domains import Cells, Floats
from noisewright.release.algorithms.base import Facts, Labels, between, name_columns
from noisewright.release.algorithms.classifier import Classifier, known_classes, known_codes, true_and_others
from noisewright.statistics.simplex import norm_sub

LARGEST_LOG_VARIANCE = 200.0
"""Noised log variances are clipped to ± this, so that no likelihood overflows."""


@dataclass(frozen=True)
class NaiveBayes(Classifier):
    """A Gaussian naive Bayes classifier: for each class a share, and for each feature a mean and a variance.

    The vector has, for each class, [share, means, ln variances]. Logarithms are used for two reasons. A
    noised logarithm is still the logarithm of some variance, while a noised variance may be negative. And the
    relative error of a variance is what changes answers.

    After the noise, shares are projected onto the probability simplex. A class that is missing in a world has
    the share 0, and the means and variances of the whole pool.

    Args:
        smoothing: Part of the largest variance of a feature that is added to all variances, from 10⁻¹² to 1;
            raise it if a class may have few rows, where logarithms of variances vary widely.

    >>> rows = np.array([[0.0], [0.2], [0.8], [1.0]]); labels = np.array([0, 0, 1, 1])
    >>> bayes = NaiveBayes(); facts = bayes.facts(rows, labels)
    >>> bayes.fit(rows, labels, seed=0, facts=facts).round(3).tolist()
    [0.5, 0.1, -4.605, 0.5, 0.9, -4.605]
    """

    smoothing: float = 1e-9

    title: ClassVar[str] = "a naive Bayes classifier"

    def __post_init__(self) -> None:
        between("smoothing", self.smoothing, 1e-12, 1.0)

    def facts(self, rows: Floats, labels: Labels | None, names: Sequence[str] | None = None) -> Facts:
        reference = np.stack(self._law(rows, self._floor(rows)))
        return replace(super().facts(rows, labels, names), reference=reference)

    def fit(self, rows: Floats, labels: Labels | None, seed: int, facts: Facts) -> Floats:
        codes, floor = known_codes(labels, facts), self._floor(rows)
        table = np.tile(np.append(0.0, self.reference(facts)), (len(known_classes(facts)), 1))
        for code in np.unique(codes):
            members = rows[codes == code]
            table[code] = np.concatenate([[len(members) / len(rows)], *self._law(members, floor)])
        return np.asarray(table.ravel())

    def _floor(self, rows: Floats) -> float:
        """Return the number added to variances, as in scikit-learn; 1 for a pool in which nothing varies."""
        return self.smoothing * (float(rows.var(axis=0).max()) or 1.0)

    def _law(self, rows: Floats, floor: float) -> tuple[Floats, Floats]:
        return rows.mean(axis=0), np.log(rows.var(axis=0) + floor)

    def model(self, vector: Floats, facts: Facts) -> Any:
        """Return a fitted scikit-learn ``GaussianNB``."""
        shares, means, logs = _parts(vector[None], facts)
        estimator = GaussianNB(var_smoothing=self.smoothing)
        estimator.class_prior_, estimator.theta_ = shares[0], means[0]
        estimator.var_, estimator.classes_ = np.exp(logs[0]), known_classes(facts)
        return name_columns(estimator, facts)

    def coordinates(self, facts: Facts) -> tuple[str, ...]:
        columns = facts.columns()
        entries = ["share", *(f"mean of {name}" for name in columns)]
        entries += [f"log variance of {name}" for name in columns]
        return tuple(f"{entry} in {label}" for label in known_classes(facts).tolist() for entry in entries)

    def scores(self, vectors: Floats, rows: Floats, facts: Facts) -> Floats:
        """Return ln of the joint density of row and class."""
        shares, means, logs = _parts(vectors, facts)
        scores = np.repeat(np.log(shares)[:, None], len(rows), axis=1)
        for feature, column in enumerate(rows.T):
            mean, log = means[:, None, :, feature], logs[:, None, :, feature]
            scores -= 0.5 * (np.square(column[:, None] - mean) / np.exp(log) + log + math.log(2 * math.pi))
        return scores

    def sureness(self, scores: Floats, codes: Cells | None) -> Floats:
        """Return ln of the density of row and true class: averaged records lie where it is large."""
        if codes is None:
            return np.asarray(logsumexp(scores, axis=2))
        return true_and_others(scores, codes)[0]


def _parts(vectors: Floats, facts: Facts) -> tuple[Floats, Floats, Floats]:
    """Return shares (vectors, classes), means and log variances (vectors, classes, features), made valid."""
    table = vectors.reshape(len(vectors), len(known_classes(facts)), -1)
    # A class that is present has a share of at least 2/records in a world: this floor changes none of those.
    shares = norm_sub(table[:, :, 0], least=1 / (2 * facts.records))
    logs = table[:, :, 1 + facts.features :].clip(-LARGEST_LOG_VARIANCE, LARGEST_LOG_VARIANCE)
    return shares, table[:, :, 1 : 1 + facts.features], logs
