"""Classifiers of the published method: nearest neighbours, a small network, or any of scikit-learn.

The theory of neighbours wants densities, so equal outputs are moved a little apart. A shift by less than half
of the smallest gap between outputs can be undone by whoever sees it, so it changes no δ; it only picks at
random which of equal outputs vote. (The paper says that a law on few points is *close* to a density. It is
not: the two have distance 1.)
"""

from __future__ import annotations

import math
import warnings
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.neighbors import KNeighborsClassifier
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from noisewright.audit.scores.classifiers import state_of
from noisewright.domains import Cells, Floats
from noisewright.errors import BadModel, InvalidParameter
from noisewright.parameters import shown

CLASSIFIERS: Final = ("neighbours", "network")

WIDEST: Final = 8
"""Numbers in an output up to which neighbours are near."""

BLOCK: Final = 1 << 16
AT_ONCE: Final = 1 << 23
"""Neighbours held in memory at one time."""


def chosen_title(wanted: Any, width: int) -> str:
    """The name of the classifier that will be trained; "auto" takes neighbours up to :data:`WIDEST` numbers.

    >>> chosen_title("auto", 1), chosen_title("auto", 50), chosen_title(KNeighborsClassifier(), 1)
    ('neighbours', 'network', 'KNeighborsClassifier')
    """
    if wanted == "auto":
        return CLASSIFIERS[0] if width <= WIDEST else CLASSIFIERS[1]
    if isinstance(wanted, str) and wanted in CLASSIFIERS:
        return wanted
    if hasattr(wanted, "fit") and hasattr(wanted, "predict"):
        return type(wanted).__name__
    raise InvalidParameter(
        f'must be "auto", "neighbours", "network" or one of scikit-learn, got {shown(wanted)}',
        field="classifier",
    )


def predict_labels(
    wanted: Any, table: Floats, labels: Cells, asked: Floats, *, tosses: int, seed: int
) -> NDArray[Any]:
    """Labels for the rows of ``asked`` by a classifier trained on ``table``; ``tosses`` count ⊥ as well.

    Args:
        wanted: Which classifier.
        table: Rows to learn from.
        labels: Their labels.
        asked: Rows to predict.
        tosses: How many tosses there are, hidden ones included.
        seed: The chance of the classifier.

    >>> table = np.arange(8.0)[:, None]
    >>> predict_labels("neighbours", table, np.repeat([0, 1], 4), table[[0, 7]], tosses=9, seed=0).tolist()
    [0, 1]
    """
    if not len(labels) or labels.min() == labels.max():  # a large ε hides every output of the left
        return np.full(len(asked), labels[0] if len(labels) else 1)
    model = _build(chosen_title(wanted, table.shape[1]), wanted, min(odd_root(tosses), len(labels)), seed)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            model.fit(table, labels)
            return _in_blocks(model, asked)
    except Exception as failure:
        # whose text may quote outputs
        raise BadModel(f"the classifier could not be trained: it raised {type(failure).__name__}") from None


def odd_root(tosses: int) -> int:
    """Return how many neighbours vote: the odd number nearest to √n, so that no vote is a tie.

    >>> odd_root(10_000), odd_root(9), odd_root(1)
    (101, 3, 1)
    """
    return 2 * (math.isqrt(tosses) // 2) + 1


def _build(title: str, wanted: Any, neighbours: int, seed: int) -> Any:
    if title == "neighbours":
        # on bits the Euclidean order of distances is Hamming's, so one metric serves both uses of the paper
        return KNeighborsClassifier(neighbours, algorithm="kd_tree")
    if title == "network":
        layers = MLPClassifier(
            (64, 32), early_stopping=True, max_iter=60, batch_size=256, random_state=state_of(seed)
        )
        return make_pipeline(StandardScaler(), layers)
    return clone(wanted)


def _in_blocks(model: Any, asked: Floats) -> NDArray[Any]:
    """Predictions a block at a time: √n neighbours of every row at once would not fit in memory."""
    rows = min(BLOCK, max(1, AT_ONCE // getattr(model, "n_neighbors", 1)))
    parts = [model.predict(asked[start : start + rows]) for start in range(0, len(asked), rows)]
    return np.concatenate(parts) if parts else np.empty(0, dtype=np.int64)


# -- ties ----------------------------------------------------------------------------------------------


SHARE = 0.2
"""Of the smallest gap: two equal outputs end up nearer to each other than to any other."""


def separate_ties(known: Floats, asked: Floats, random: np.random.Generator) -> tuple[Floats, Floats]:
    """Return both tables as they are if few rows repeat; otherwise with a small shift of every number.

    >>> table = np.repeat([[0.0], [1.0]], 3, axis=0)
    >>> known, asked = separate_ties(table, table, np.random.default_rng(1))
    >>> len(np.unique(known)), bool(np.all(np.round(known) == table))
    (6, True)
    """
    if 2 * len(np.unique(known, axis=0)) > len(known):
        return known, asked
    gaps = [np.diff(np.unique(column)) for column in np.concatenate([known, asked]).T]
    smallest = float(min((gap.min() for gap in gaps if gap.size), default=1.0))  # within a column
    reach = SHARE * smallest / np.sqrt(known.shape[1])
    shifts = (random.uniform(-reach, reach, table.shape) for table in (known, asked))
    return known + next(shifts), asked + next(shifts)
