"""Mechanisms for finite domains: how labels become cells, and the law of the reports as a table."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from noisewright.domains import Bins, Cells, FiniteDomain, Floats
from noisewright.errors import InvalidParameter
from noisewright.mechanisms.basics.base import Mechanism
from noisewright.mechanisms.basics.losses import Loss, power
from noisewright.randomness import Source

ZERO_ONE = "zero-one"


def loss_matrix(domain: FiniteDomain, loss: Loss | ArrayLike, reports: FiniteDomain | None = None) -> Floats:
    """Return the loss of every report (column) for every true label (row).

    "zero-one" counts wrong answers; "absolute", "squared" or a power p take the distance of the labels to
    that power; a matrix is taken as it is.

    >>> from noisewright import Categories
    >>> loss_matrix(Categories("ab"), "zero-one").tolist()
    [[0.0, 1.0], [1.0, 0.0]]
    """
    shape = (domain.lattice, (reports or domain).lattice)
    if isinstance(loss, str | int | float):
        if shape[0] != shape[1]:
            raise InvalidParameter("reports that are not labels of the domain need a loss matrix")
        if loss == ZERO_ONE:
            return 1.0 - np.eye(shape[0])
        return np.asarray(domain.distances ** power(loss))
    try:
        matrix = np.asarray(loss, dtype=np.float64)
    except (TypeError, ValueError):
        raise InvalidParameter("a loss matrix must be a table of numbers") from None
    if matrix.shape != shape:
        raise InvalidParameter(f"the loss matrix must be {shape[0]} × {shape[1]}, got shape {matrix.shape}")
    if not np.isfinite(matrix).all() or (matrix < 0).any():
        raise InvalidParameter("a loss matrix must hold finite numbers that are not negative")
    return matrix


@dataclass(frozen=True, eq=False)
class FiniteLaw:
    """The law of the reports of given labels: one row of probabilities each.

    Attributes:
        truth: Places of the true labels in the list of the domain.
        domain: The labels of true values.
        reports: The labels that reports have.
        probabilities: The probability of each report, one row for each true label.
    """

    truth: Cells
    domain: FiniteDomain
    reports: FiniteDomain
    probabilities: Floats

    def mass(self, labels: Iterable[Hashable]) -> Any:
        """Return the probability of a report among some labels."""
        chosen = np.unique(self.reports.snap(labels))
        return _result(self.probabilities[..., chosen].sum(axis=-1))

    def expected(self, loss: Loss | ArrayLike = ZERO_ONE) -> Any:
        """Return the expected loss of a report against the true label."""
        losses = loss_matrix(self.domain, loss, self.reports)
        return _result((self.probabilities * losses[self.truth]).sum(axis=-1))


@dataclass(frozen=True)
class FiniteMechanism(Mechanism):
    """A channel between the labels of a finite domain and the labels of its reports."""

    domain: FiniteDomain
    domains: ClassVar[tuple[type[FiniteDomain], ...]]

    @property
    @abstractmethod
    def reports(self) -> FiniteDomain:
        """The labels that reports have."""

    @abstractmethod
    def _probabilities(self, cells: Cells) -> Floats:
        """Return the law of the reports of input cells, one row each."""

    def perturb(
        self,
        values: Any,
        source: Source | None = None,
        *,
        out_of_domain: str = "refuse",
        name: str = "value",
    ) -> NDArray[Any]:
        """Draw one report for each true label.

        Args:
            values: A list of labels; one outside the domain's list is refused.
            source: Randomness; by default a :class:`~noisewright.randomness.SecureSource`.
            out_of_domain: "refuse"; or, for numbers that become bins, "clip" them into the domain.
            name: What the values are called in a refusal.
        """
        cells = label_cells(self.domain, values, out_of_domain, name)
        return self.reports.centres(self.perturb_cells(cells, source))

    def law(self, values: Any) -> FiniteLaw:
        """Return the exact law of the reports for given true labels."""
        cells = self.domain.snap(label_list(values))
        return FiniteLaw(cells, self.domain, self.reports, self._probabilities(cells))

    def worst_error(self, loss: Loss | ArrayLike = ZERO_ONE) -> float:
        """Return the largest expected loss over all labels."""
        return float(np.max(self._errors(loss)))

    def average_error(self, loss: Loss | ArrayLike = ZERO_ONE) -> float:
        """Return the expected loss if all labels are equally frequent."""
        return float(np.mean(self._errors(loss)))

    def _errors(self, loss: Loss | ArrayLike) -> Floats:
        cells = np.arange(self.domain.lattice)
        law = FiniteLaw(cells, self.domain, self.reports, self._probabilities(cells))
        return np.asarray(law.expected(loss))


def label_cells(domain: FiniteDomain, values: Any, out_of_domain: str, name: str) -> Cells:
    """Return the places of labels that are about to be randomized; a label outside the list is refused."""
    if isinstance(domain, Bins):  # true values are numbers, which have a nearest one inside
        return domain.snap(label_list(values), name=name, out_of_domain=out_of_domain)
    if out_of_domain != "refuse":
        raise InvalidParameter("a label outside the list has no nearest one; it can only be refused")
    return domain.snap(label_list(values), name=name)


def label_list(values: Any) -> Iterable[Hashable]:
    """Return a list of labels; a single text, which would be read letter by letter, is refused."""
    if isinstance(values, str | bytes) or not isinstance(values, Iterable):
        raise InvalidParameter("give a list of labels, even for one label")
    return values


def _result(array: Any) -> Any:
    return float(array) if np.ndim(array) == 0 else array
