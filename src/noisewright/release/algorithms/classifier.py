"""Base of all classifiers: labels as codes in a public order, and answers for many vectors at once."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from noisewright.domains import Cells, Floats
from noisewright.errors import InvalidParameter, OutOfDomain
from noisewright.release.algorithms.base import Algorithm, Facts, Labels
from noisewright.release.basics.pool import blocks


class Classifier(Algorithm):
    """An algorithm whose vector says which class a row belongs to.

    A subclass gives :meth:`scores`; the class with the largest score is the answer. The classes and their
    order are those of the pool, so a class that is missing in a world does not change the length of the
    vector.
    """

    needs_labels: ClassVar[bool] = True

    @abstractmethod
    def scores(self, vectors: Floats, rows: Floats, facts: Facts) -> Floats:
        """Return the score of every class, (vectors, rows, classes)."""

    def facts(self, rows: Floats, labels: Labels | None, names: Sequence[str] | None = None) -> Facts:
        classes = tuple(np.unique(require_labels(labels, self.title)).tolist())
        facts = replace(super().facts(rows, labels, names), classes=classes)
        known_classes(facts)
        return facts

    def utility(self, vectors: Floats, rows: Floats, labels: Labels | None, facts: Facts) -> Floats | None:
        """Return the share of rows that each vector labels right; None without labels."""
        if labels is None:
            return None
        codes = class_codes(labels, facts)
        return np.concatenate(
            [(scores.argmax(axis=2) == codes).mean(axis=1) for scores in self._blocks(vectors, rows, facts)]
        )

    def confidence(self, vectors: Floats, rows: Floats, labels: Labels | None, facts: Facts) -> Floats | None:
        """Return how sure each vector is of each row's true label, or of its own answer without labels."""
        codes = None if labels is None else known_codes(labels, facts)
        return np.concatenate([self.sureness(scores, codes) for scores in self._blocks(vectors, rows, facts)])

    def sureness(self, scores: Floats, codes: Cells | None) -> Floats:
        """Return by how much the true class leads the others; without labels, the largest score."""
        if codes is None:
            return np.asarray(scores.max(axis=2))
        true, others = true_and_others(scores, codes)
        return np.asarray(true - others.max(axis=2))

    def _blocks(self, vectors: Floats, rows: Floats, facts: Facts) -> Iterator[Floats]:
        for part in blocks(len(vectors), rows.size * len(known_classes(facts))):
            yield self.scores(vectors[part], rows, facts)


def known_classes(facts: Facts) -> NDArray[np.generic]:
    """Return the public list of classes; fewer than two of them are rejected."""
    if facts.classes is None or len(facts.classes) < 2:
        raise InvalidParameter("the labels hold fewer than two classes; a classifier needs two or more")
    return np.asarray(facts.classes)


def require_labels(labels: Labels | None, title: str) -> Labels:
    """Return the labels, or raise an error that says which algorithm needs them."""
    if labels is None:
        raise InvalidParameter(f"{title} learns from labels; pass them as y")
    return labels


def class_codes(labels: Labels, facts: Facts) -> Cells:
    """Return labels as 0, 1, … in the public order of the classes; −1 for a label the pool does not have.

    >>> class_codes(np.array(["no", "yes", "perhaps"]), Facts(10, 1, classes=("no", "yes"))).tolist()
    [0, 1, -1]
    """
    classes = known_classes(facts)
    places = np.searchsorted(classes, labels).clip(max=len(classes) - 1)
    return np.where(classes[places] == labels, places, -1).astype(np.int64)


def known_codes(labels: Labels | None, facts: Facts) -> Cells:
    """Return labels as codes; reject a label that is not a class of the pool."""
    codes = class_codes(require_labels(labels, "a classifier"), facts)
    if (codes < 0).any():
        raise OutOfDomain("y holds a label that is not among the classes of the pool; drop such rows")
    return codes


def true_and_others(scores: Floats, codes: Cells) -> tuple[Floats, Floats]:
    """Return the score of the true class, (vectors, rows), and all scores with that one at −∞."""
    at = np.broadcast_to(codes[None, :, None], (len(scores), len(codes), 1))
    others = scores.copy()
    np.put_along_axis(others, at, -np.inf, axis=2)
    return np.take_along_axis(scores, at, axis=2)[..., 0], others
