"""The classifiers of the case studies, trained with fixed seeds as the authors trained theirs.

Logistic regression and a forest of 100 trees learn from four fifths of a table (split with seed 42, the same
share of each answer in both parts). The authors' network for images is a small convolutional one in PyTorch,
on which this project does not depend; ours is scikit-learn's perceptron with one hidden layer.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

from benchmarks.classifiers.data import Table

SEED = 42
TREES = 100
HIDDEN = 64
PASSES = 20
"""Passes over the 60,000 images; accuracy gains little after them."""


@dataclass(frozen=True, eq=False)
class Trained:
    """A fitted classifier, what kind it is, and how often it is right on rows that it did not see."""

    kind: str
    model: Any
    accuracy: float


def train_regression(table: Table) -> Trained:
    """Logistic regression."""
    from sklearn.linear_model import LogisticRegression

    return _fitted("Logistic regression", LogisticRegression(random_state=SEED), table)


def train_forest(table: Table) -> Trained:
    """A forest without a limit of depth."""
    from sklearn.ensemble import RandomForestClassifier

    return _fitted("Random forest", RandomForestClassifier(n_estimators=TREES, random_state=SEED), table)


def train_network(training: Table, testing: Table, hidden: int = HIDDEN, passes: int = PASSES) -> Trained:
    """A perceptron with one hidden layer."""
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.neural_network import MLPClassifier

    network = MLPClassifier((hidden,), max_iter=passes, learning_rate_init=2e-3, random_state=SEED)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # it is stopped after a number of passes
        network.fit(training.values, training.answers)
    return Trained("Neural network", network, float(network.score(testing.values, testing.answers)))


def _fitted(kind: str, model: Any, table: Table) -> Trained:
    from sklearn.model_selection import train_test_split

    seen, held, answers, truth = train_test_split(
        table.values, table.answers, test_size=0.2, random_state=SEED, stratify=table.answers
    )
    model.fit(seen, answers)
    return Trained(kind, model, float(model.score(held, truth)))
