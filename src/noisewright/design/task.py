"""The task of a designer, and the errors of any mechanism at it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from noisewright.design.aims import Aim
from noisewright.design.charges import read_label_prior
from noisewright.design.optimal_law import optimal_law
from noisewright.design.request import AVERAGE, LEXICOGRAPHIC, POINT, WORST
from noisewright.design.window import best_window
from noisewright.domains import Domain, FiniteDomain, Floats, NumericDomain
from noisewright.mechanisms import FiniteMechanism, Mechanism, NumericMechanism
from noisewright.mechanisms.basics.finite import ZERO_ONE, loss_matrix
from noisewright.mechanisms.basics.losses import loss_words


@dataclass(frozen=True)
class Errors:
    """Expected losses of one mechanism; ``value`` is the one that the task's objective uses."""

    worst: float
    average: float
    value: float


@dataclass(frozen=True)
class Task:
    """A domain, a budget, a loss and an objective: what :func:`optimal_law` takes, by the same names.

    >>> from noisewright import Interval
    >>> from noisewright.mechanisms import OGPM
    >>> task = Task(Interval(0, 1), 2.0)
    >>> round(task.errors(OGPM(Interval(0, 1), 2.0)).value, 4)
    0.2689
    """

    domain: Any
    epsilon: float
    loss: Any = "absolute"
    objective: str = WORST
    prior: tuple[float, ...] | None = None
    point: Any = None
    cap_worst: float | None = None
    worst_at_most: float | None = None
    unbiased: bool = False
    inputs: int | None = None

    @property
    def finite(self) -> bool:
        """Whether true values are labels and not numbers."""
        return isinstance(self.domain, FiniteDomain)

    @property
    def looks_at_worst(self) -> bool:
        """Whether mechanisms are ranked by their worst case (and only then, if at all, by the average)."""
        return self.objective in (WORST, LEXICOGRAPHIC)

    def optimum(self) -> Any:
        """Return the best law of all; it checks the task on the way."""
        return optimal_law(**vars(self))

    def window(self) -> Mechanism | None:
        """Return the best window, which only numbers have."""
        if self.finite:
            return None
        objective = WORST if self.looks_at_worst else self.objective
        prior = self.prior if objective == AVERAGE else None
        return best_window(self.domain, self.epsilon, self.loss, objective, prior=prior, point=self.point)

    # -- measuring ---------------------------------------------------------------------------------

    def errors(self, mechanism: Mechanism) -> Errors:
        """Return the errors of a mechanism, from its exact law."""
        if isinstance(mechanism, FiniteMechanism):
            return self._label_errors(self.curve(mechanism))
        assert isinstance(mechanism, NumericMechanism)
        worst, average = mechanism.worst_error(self.loss), mechanism.average_error(self.loss)
        if self.prior is not None:
            average = Aim.read(self.domain, AVERAGE, prior=self.prior).error(mechanism, self.loss)
        if self.objective != POINT:
            return Errors(worst, average, worst if self.looks_at_worst else average)
        aim = Aim.read(self.domain, POINT, point=self.point)
        return Errors(worst, average, aim.error(mechanism, self.loss))

    def curve(self, mechanism: FiniteMechanism) -> Floats:
        """Return the expected loss of every label."""
        return np.asarray(mechanism.law(self.domain.labels).expected(self.loss))

    def _label_errors(self, errors: Floats) -> Errors:
        even = np.full(errors.size, 1 / errors.size)
        weights = even if self.prior is None else read_label_prior(self.prior, self.domain)
        worst, average = float(errors.max()), float(weights @ errors)
        if self.objective == POINT:
            return Errors(worst, average, float(errors[self.domain.snap([self.point])[0]]))
        return Errors(worst, average, worst if self.looks_at_worst else average)

    def label_losses(self) -> Floats:
        """Return the loss of every report for every label."""
        return loss_matrix(self.domain, self.loss)


# -- in words -------------------------------------------------------------------------------------------


def where(domain: Domain) -> str:
    """Return a domain of numbers or labels in words."""
    if isinstance(domain, FiniteDomain):
        return f"{domain.lattice} labels"
    assert isinstance(domain, NumericDomain)
    return domain.words


def error_words(task: Task) -> str:
    """Return the unit of an error."""
    if not task.finite:
        return loss_words(task.loss)
    if not isinstance(task.loss, str | int | float):
        return "expected loss"
    if task.loss == ZERO_ONE:
        return "share of wrong reports"
    return loss_words(task.loss).replace("|error|", "distance")


def objective_words(task: Task) -> str:
    """Return the objective of the design in words."""
    over = "over all true values alike" if task.prior is None else "over the prior"
    return {
        "worst": "the worst true value",
        "average": f"the average {over}",
        "point": f"the true value {task.point}",
        "lexicographic": f"the worst true value, and then the average {over}",
    }[task.objective]
