"""Trained scores, for outputs of many columns: linear and additive models, trees, networks, a user's own."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from scipy.special import logit
from sklearn.base import clone
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.neural_network import MLPClassifier
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

from noisewright.audit.encoding import Encoder, Features
from noisewright.audit.scores.score import Score, Steps
from noisewright.domains import Cells, Floats
from noisewright.errors import InvalidParameter

BLOCK = 200_000
"""Rows scored at a time, so that wide tables need little memory."""


def training_rows(left: Features, right: Features, cells: int, rows: int) -> tuple[Floats, Cells]:
    """Return the first rows of both inputs, equally many, within limits; label 1 is left.

    Args:
        left: Features of the left input.
        right: Features of the right input.
        cells: The most numbers of the table.
        rows: The most rows of it.
    """
    columns = max(left.table.shape[1], 1)
    count = max(min(len(left), len(right), rows // 2, cells // (2 * columns)), 1)
    labels = np.repeat(np.array([1, 0]), count)
    return np.concatenate([left.table[:count], right.table[:count]]), labels


def state_of(seed: int) -> int:
    """Return a seed of any size as the 32 bits that scikit-learn takes."""
    return int(np.random.SeedSequence(seed).generate_state(1)[0])


def leaning(classifier: Any, table: Floats) -> Floats:
    """Return how much a classifier leans to label 1, by its own measure, block by block."""
    column = list(classifier.classes_).index(1)
    blocks = [table[start : start + BLOCK] for start in range(0, len(table), BLOCK)]
    with quiet():
        leanings = [_one_block(classifier, block, column) for block in blocks]
    return np.concatenate(leanings) if leanings else np.empty(0)


def _one_block(classifier: Any, block: Floats, column: int) -> Floats:
    if hasattr(classifier, "decision_function"):
        found = np.asarray(classifier.decision_function(block), dtype=np.float64)
        return found if column == 1 else -found
    return np.asarray(classifier.predict_proba(block), dtype=np.float64)[:, column]


@contextmanager
def quiet() -> Iterator[None]:
    """Run with one thread, and without warnings of learners that are stopped early by design.

    Training takes seconds; threads that wait for one another on a busy machine take ten times as long.
    """
    with warnings.catch_warnings(), np.errstate(all="ignore"), threadpool_limits(limits=1):
        warnings.simplefilter("ignore")
        yield


FARTHEST = 20.0
"""Scaled numbers are clipped to this; bins and trees see what lies beyond, slopes do not."""


@dataclass(frozen=True, eq=False)
class Standard:
    """Each column less its median, over its robust spread.

    >>> Standard.fit(np.array([[0.0], [1.0], [2.0], [1e9]])).scaled(np.array([[1.5], [1e300]])).tolist()
    [[0.0], [...]]
    """

    centre: Floats
    spread: Floats

    @classmethod
    def fit(cls, table: Floats) -> Self:
        """Learn centre and spread; a column that hardly moves keeps its own scale."""
        low, centre, high = np.quantile(table, [0.16, 0.5, 0.84], axis=0)
        spread = (high - low) / 2
        rest = np.maximum(np.abs(table - centre).mean(axis=0), np.finfo(float).tiny)
        return cls(centre, np.where(spread > 0, spread, rest))

    def scaled(self, table: Floats) -> Floats:
        """Columns on the common scale."""
        with np.errstate(over="ignore"):
            scaled = (table - self.centre) / self.spread
        return np.asarray(np.clip(scaled, -FARTHEST, FARTHEST, out=scaled))


# -- weighted sums -------------------------------------------------------------------------------------


LINEAR_CELLS = 30_000_000
LINEAR_ROWS = 2_000_000


@dataclass(frozen=True, eq=False)
class LinearScore(Score):
    """A logistic regression: right for Gaussian noise on a vector, with few numbers to learn."""

    standard: Standard
    weights: Floats
    title: str = "linear model"

    far: ClassVar[float] = 3.5
    """In spreads: one Gaussian number in two thousand lies beyond, and many of a heavier tail."""

    @classmethod
    def fit(cls, left: Features, right: Features, encoder: Encoder, seed: int = 0) -> Self:
        table, labels = training_rows(left, right, LINEAR_CELLS, LINEAR_ROWS)
        standard = Standard.fit(table)
        return cls(standard, logistic_weights(cls._near(standard.scaled(table)), labels))

    def values(self, features: Features) -> Floats:
        return np.asarray(self._near(self.standard.scaled(features.table)) @ self.weights)

    @classmethod
    def _near(cls, columns: Floats) -> Floats:
        """Return scaled columns clipped to a few spreads: one far number must not outweigh all the others."""
        return np.asarray(np.clip(columns, -cls.far, cls.far, out=columns))


@dataclass(frozen=True, eq=False)
class SidesScore(LinearScore):
    """A linear model of sides: right for much Laplace noise on a vector, where only the side matters."""

    title: str = "linear model of sides"

    far: ClassVar[float] = 0.25
    """Clipped to so few spreads that a number hardly shows more than its side."""


def logistic_weights(columns: Floats, labels: Cells) -> Floats:
    """Return the weights under which a logistic regression makes the labels likeliest."""
    model = LogisticRegression(C=1.0, max_iter=100, tol=1e-5)
    with quiet():
        model.fit(columns, labels)
    return np.asarray(model.coef_[0], dtype=np.float64)


ADDITIVE_BINS = 64
ADDITIVE_CELLS = 10_000_000
ADDITIVE_ROWS = 600_000


@dataclass(frozen=True, eq=False)
class AdditiveScore(Score):
    """An additive model: right for independent noise on each number of a vector.

    Each column enters twice: itself, and its own log-likelihood ratio in bins, because that of Laplace noise
    is a clipped difference. A logistic regression weighs them.
    """

    standard: Standard
    steps: tuple[tuple[int, Steps], ...]
    weights: Floats
    title: str = "additive model"
    cheap: ClassVar[bool] = False

    @classmethod
    def fit(cls, left: Features, right: Features, encoder: Encoder, seed: int = 0) -> Self:
        table, labels = training_rows(left, right, ADDITIVE_CELLS, ADDITIVE_ROWS)
        left_rows, right_rows = table[labels == 1], table[labels == 0]
        found = [
            (k, Steps.fit(left_rows[:, k], right_rows[:, k], ADDITIVE_BINS)) for k in range(table.shape[1])
        ]
        standard = Standard.fit(table)
        steps = tuple((k, each.scaled()) for k, each in found if len(each.edges))  # bins that differ
        design = _design(table, standard, steps)
        return cls(standard, steps, logistic_weights(design, labels))

    def values(self, features: Features) -> Floats:
        starts = range(0, len(features), BLOCK)
        blocks = (features.table[start : start + BLOCK] for start in starts)
        sums: list[Any] = [_design(block, self.standard, self.steps) @ self.weights for block in blocks]
        return np.concatenate(sums) if sums else np.empty(0)


def _design(table: Floats, standard: Standard, steps: tuple[tuple[int, Steps], ...]) -> Floats:
    return np.column_stack([standard.scaled(table), *(each.at(table[:, k]) for k, each in steps)])


# -- trees and networks --------------------------------------------------------------------------------


BOOSTING_ROWS = 200_000
BOOSTING_CELLS = 4_000_000


@dataclass(frozen=True, eq=False)
class BoostingScore(Score):
    """Gradient-boosted trees, stopped early; they see columns that matter together."""

    classifier: Any
    title: str = "boosted trees"
    cheap: ClassVar[bool] = False

    @classmethod
    def fit(cls, left: Features, right: Features, encoder: Encoder, seed: int = 0) -> Self:
        table, labels = training_rows(left, right, BOOSTING_CELLS, BOOSTING_ROWS)
        few = len(labels) < 200  # too few to set some aside
        classifier = HistGradientBoostingClassifier(
            max_iter=30 if few else 100,
            max_leaf_nodes=15,
            min_samples_leaf=20,
            early_stopping=not few,
            n_iter_no_change=5,
            random_state=state_of(seed),
        )
        with quiet():
            classifier.fit(table, labels)
        return cls(classifier)

    def values(self, features: Features) -> Floats:
        return leaning(self.classifier, features.table)


NETWORK_ROWS = 100_000
NETWORK_CELLS = 4_000_000


@dataclass(frozen=True, eq=False)
class NetworkScore(Score):
    """A network with one hidden layer, stopped early; it sees smooth effects of many columns together."""

    standard: Standard
    classifier: Any
    title: str = "neural network"
    cheap: ClassVar[bool] = False

    @classmethod
    def fit(cls, left: Features, right: Features, encoder: Encoder, seed: int = 0) -> Self:
        table, labels = training_rows(left, right, NETWORK_CELLS, NETWORK_ROWS)
        standard = Standard.fit(table)
        classifier = MLPClassifier(
            hidden_layer_sizes=(32,),
            batch_size=min(500, len(labels)),
            learning_rate_init=3e-3,
            early_stopping=len(labels) >= 200,
            n_iter_no_change=3,
            max_iter=30,
            random_state=state_of(seed),
        )
        with quiet():
            classifier.fit(standard.scaled(table), labels)
        return cls(standard, classifier)

    def values(self, features: Features) -> Floats:
        chances = leaning(self.classifier, self.standard.scaled(features.table))
        return np.asarray(logit(np.clip(chances, 1e-15, 1 - 1e-15)))


# -- any classifier a user brings ----------------------------------------------------------------------


LOWEST = -1e300
FOREIGN_ROWS = 400_000
FOREIGN_CELLS = 20_000_000


@dataclass(frozen=True, eq=False)
class ForeignScore(Score):
    """A scikit-learn classifier, fitted afresh, read through its decision function or its probabilities.

    Its error messages may quote rows, so only their type is shown.
    """

    classifier: Any
    title: str
    cheap: ClassVar[bool] = False

    @classmethod
    def fit(cls, classifier: Any, left: Features, right: Features) -> Self:
        """Fit a copy of a classifier."""
        name = type(classifier).__name__
        table, labels = training_rows(left, right, FOREIGN_CELLS, FOREIGN_ROWS)
        try:
            with quiet():
                fresh = clone(classifier).fit(table, labels)
        except Exception as error:
            raise InvalidParameter(
                f"score {name} could not be fitted ({type(error).__name__}); give another classifier"
            ) from None
        return cls(fresh, name)

    def values(self, features: Features) -> Floats:
        try:
            leans = leaning(self.classifier, features.table)
            return np.where(np.isnan(leans), LOWEST, leans)  # NaN is an answer, too, and the same for all
        except Exception as error:
            raise InvalidParameter(
                f"score {self.title} could not read outputs ({type(error).__name__}); give another classifier"
            ) from None


def is_classifier(thing: Any) -> bool:
    """Return whether something can be fitted and then gives a decision function or probabilities."""
    fits = hasattr(thing, "fit") and hasattr(thing, "get_params")
    return fits and (hasattr(thing, "predict_proba") or hasattr(thing, "decision_function"))
