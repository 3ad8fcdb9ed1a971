"""What can be released: an algorithm turns rows into a vector, and a noised vector back into a model.

The two steps are separate because all the noise goes between them. Whatever is published (intercepts, means,
labels of leaves, scalers) is an entry of the vector; whatever happens after the noise is free. Checks of
public parameters that algorithms share are at the end.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from noisewright.domains import Floats
from noisewright.errors import InvalidParameter
from noisewright.parameters import is_number, real, shown
from noisewright.release.basics.pool import Pool

Labels = NDArray[Any]

Limit = float | tuple[float, ...]
"""A public limit of columns: one number for all of them, or one for each."""

FEWEST = 5
"""Records that a class needs to be published."""


@dataclass(frozen=True, eq=False)
class Facts:
    """The public facts about a pool of records: its shape, its classes, a reference to align with.

    All of it is a function of the pool and never of the world that was used, so it reveals nothing about the
    secret. It does reveal something about the pool.

    Attributes:
        records: Number of records in the pool.
        features: Number of columns.
        classes: Classes of the labels in their public order; None if the labels are not classes.
        reference: What all worlds align their outputs with; exact, and not to be published. None for none.
        names: Names of the columns; None if they have none.
    """

    records: int
    features: int
    classes: tuple[Any, ...] | None = None
    reference: Floats | None = field(default=None, repr=False)
    names: tuple[str, ...] | None = None

    def columns(self) -> tuple[str, ...]:
        """Return the names of the features, numbered if there are none.

        >>> Facts(records=10, features=2).columns()
        ('x0', 'x1')
        """
        return self.names or tuple(f"x{place}" for place in range(self.features))


class Algorithm(ABC):
    """Rows → vector → model. Subclasses are frozen dataclasses of public parameters.

    :meth:`fit` must be a function of its arguments: all its randomness comes from ``seed``.
    """

    title: ClassVar[str]
    needs_labels: ClassVar[bool] = False

    def facts(self, rows: Floats, labels: Labels | None, names: Sequence[str] | None = None) -> Facts:
        """Return what is public about the pool; labels are not, unless a subclass lists them as its classes.

        Args:
            rows: Records of the pool, (records, features).
            labels: One label for each record; None if there are none.
            names: Names of the columns; None if they have none.
        """
        return Facts(len(rows), rows.shape[1], names=None if names is None else tuple(names))

    def reference(self, facts: Facts) -> Floats:
        """Return what all worlds align their outputs with; facts of another algorithm have none.

        Args:
            facts: What is public about the pool, as :meth:`facts` returned it.
        """
        if facts.reference is None:
            raise InvalidParameter(
                f"{self.title} needs the facts of its own pool; take them from its facts()"
            )
        return facts.reference

    @abstractmethod
    def fit(self, rows: Floats, labels: Labels | None, seed: int, facts: Facts) -> Floats:
        """Return the vector of one world, in canonical form; of the same length in every world.

        Args:
            rows: Records of the world, (records, features).
            labels: One label for each record; None if there are none.
            seed: Public seed of the world, from which all randomness must come.
            facts: What is public about the pool.
        """

    @abstractmethod
    def model(self, vector: Floats, facts: Facts) -> Any:
        """Return the model that a noised vector describes, after free post-processing.

        Args:
            vector: Noised vector.
            facts: What is public about the pool; without its reference.
        """

    @abstractmethod
    def coordinates(self, facts: Facts) -> tuple[str, ...]:
        """Return a name for each entry of the vector.

        Args:
            facts: What is public about the pool.
        """

    def confidence(self, vectors: Floats, rows: Floats, labels: Labels | None, facts: Facts) -> Floats | None:
        """Return how much each row looks like a member to each vector, (vectors, rows); None without a score.

        Args:
            vectors: Released vectors, one a row.
            rows: Records to score, (records, features).
            labels: Their labels; None if there are none.
            facts: What is public about the pool.
        """
        return None

    def utility(self, vectors: Floats, rows: Floats, labels: Labels | None, facts: Facts) -> Floats | None:
        """Return how good the model of each vector is on some rows, (vectors,); None without a measure.

        Args:
            vectors: Released vectors, one a row.
            rows: Records to judge by, (records, features).
            labels: Their labels; None if there are none.
            facts: What is public about the pool.
        """
        return None


def published_facts(algorithm: Algorithm, pool: Pool) -> Facts:
    """Return what an algorithm takes as public about a pool; reject it where that would name people.

    Classes are published as they are. A label that few records have, such as an identity, is not a class.
    """
    facts = algorithm.facts(pool.rows, pool.labels, pool.names)
    if facts.classes is None or pool.labels is None:
        return facts
    if pool.labels.dtype.kind == "f" and (pool.labels != np.rint(pool.labels)).any():
        raise InvalidParameter("labels with fractions are measurements, not classes; take a regression")
    if np.unique(pool.labels, return_counts=True)[1].min() < FEWEST:
        raise InvalidParameter(
            f"the classes are published by name, and one of them has fewer than {FEWEST} records; merge rare "
            "classes, leave such records out, or take a regression if the labels are measurements"
        )
    return facts


def name_columns(estimator: Any, facts: Facts) -> Any:
    """Return the estimator with the public facts that scikit-learn checks new rows against."""
    estimator.n_features_in_ = facts.features
    if facts.names is not None:
        estimator.feature_names_in_ = np.asarray(facts.names, dtype=object)
    return estimator


def positive(what: str, value: object) -> float:
    """Return a finite number above 0, or reject it.

    >>> positive("C", 0)
    Traceback (most recent call last):
    ...
    noisewright.errors.InvalidParameter: C must be above 0, got 0
    """
    if real(what, value) <= 0:
        raise InvalidParameter(f"must be above 0, got {shown(value)}", field=what)
    return real(what, value)


def between(what: str, value: object, low: float, high: float) -> float:
    """Return a number from ``low`` to ``high``, or reject it."""
    if not low <= real(what, value) <= high:
        raise InvalidParameter(f"must lie between {low:g} and {high:g}, got {shown(value)}", field=what)
    return real(what, value)


def read_limits(low: Any, high: Any) -> tuple[Limit, Limit]:
    """Return a lower and an upper limit, each a number or one for each column, with the lower one below.

    >>> read_limits(0, [1, 2])
    (0.0, (1.0, 2.0))
    >>> read_limits(0, [1, 0])
    Traceback (most recent call last):
    ...
    noisewright.errors.InvalidParameter: low must be below high in every column; swap or widen them
    """
    read = read_limit("low", low), read_limit("high", high)
    if isinstance(read[0], tuple) and isinstance(read[1], tuple) and len(read[0]) != len(read[1]):
        raise InvalidParameter("low and high must have the same length; give one number for each column")
    if not np.less(*read).all():
        raise InvalidParameter("must be below high in every column; swap or widen them", field="low")
    return read


def read_limit(what: str, limit: Any) -> Limit:
    """Return one limit: a number, or a non-empty list of them."""
    if is_number(limit):
        return real(what, limit)
    if not isinstance(limit, Sequence | np.ndarray) or isinstance(limit, str) or len(limit) == 0:
        raise InvalidParameter(f"must be a number or one for each column, got {shown(limit)}", field=what)
    return tuple(real(what, number) for number in limit)


def check_widths(features: int, **limits: Limit | None) -> None:
    """Reject lists of limits that are not as long as the rows are wide.

    >>> check_widths(3, low=(0.0, 1.0))
    Traceback (most recent call last):
    ...
    noisewright.errors.InvalidParameter: low has 2 numbers and X has 3 columns; ...
    """
    for name, limit in limits.items():
        if isinstance(limit, tuple) and len(limit) != features:
            raise InvalidParameter(
                f"has {len(limit)} numbers and X has {features} columns; give one for each, or one for all",
                field=name,
            )


def set_fields(algorithm: Algorithm, **values: Any) -> None:
    """Replace parameters of a frozen dataclass by their checked values, in its ``__post_init__``."""
    for name, value in values.items():
        object.__setattr__(algorithm, name, value)


def number_array(output: Any) -> NDArray[Any] | None:
    """Return a function's output as an array of real numbers; None if it is not one, or is empty."""
    try:
        found = np.asarray(output)
    except ValueError:  # a ragged list
        return None
    return found if found.dtype.kind in "fiub" and found.size else None
