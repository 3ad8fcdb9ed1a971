"""A task with every mechanism for it side by side, and the bound that none can beat."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from noisewright.design.task import Task
from noisewright.mechanisms import FiniteMechanism, Mechanism, NumericMechanism
from noisewright.mechanisms.plots import error_curve
from noisewright.report import Report, Reportable
from noisewright.report.plots import new_axes
from noisewright.report.svg import DASHES
from noisewright.text import at_least

if TYPE_CHECKING:
    from matplotlib.axes import Axes

OPTIMAL, WINDOW, RIVAL = "optimal", "window", "rival"

TIE = 1e-6
"""Values that differ by less than this share are equally good."""

MOST_NAMED = 24
"""Most labels that are written below the axes; otherwise their numbers are."""


@dataclass(frozen=True)
class Row:
    """One mechanism at a task. Errors are expected losses; ``value`` is the one that the objective uses.

    ``admitted`` says whether the mechanism keeps the conditions of the task (a limit on the worst case, no
    bias), and ``sentence`` what it gives away.
    """

    name: str
    role: str
    mechanism: Mechanism
    worst: float
    average: float
    value: float
    admitted: bool = True
    sentence: str = ""

    @property
    def bits(self) -> float:
        """Bits that identify one report among all possible ones."""
        return math.log2(self.mechanism.possible_reports)

    @property
    def unbiased(self) -> bool | None:
        """Whether the expected report is the true value; labels have no expected report."""
        return self.mechanism.is_unbiased if isinstance(self.mechanism, NumericMechanism) else None

    def to_dict(self) -> dict[str, Any]:
        """Return the row in strict JSON values."""
        return {
            "name": self.name,
            "role": self.role,
            "mechanism": type(self.mechanism).__name__,
            "worst_error": self.worst,
            "average_error": self.average,
            "objective_value": self.value,
            "admitted": self.admitted,
            "bits_per_report": self.bits,
            "epsilon_upper": self.mechanism.epsilon_upper,
            "unbiased": self.unbiased,
            "sentence": self.sentence,
        }


@dataclass(frozen=True)
class Bound:
    """A lower bound on the objective, and the mechanisms for which it is proved."""

    value: float
    whom: str

    @property
    def sentence(self) -> str:
        """The bound in words, rounded down so that it stays true."""
        return f"no {self.whom} can be below {at_least(self.value, 6)}"


@dataclass(frozen=True)
class DesignTable(Reportable):
    """A task with every mechanism for it, the best first.

    Attributes:
        task: What was asked for.
        rows: The mechanisms, the best first.
        bound: The bound that no mechanism can beat, if it is known.
        limit: The largest worst case that the task allows, if there is one.
        absent: Which mechanisms could not be built for the task, and why.
    """

    task: Task
    rows: tuple[Row, ...]
    bound: Bound | None = None
    limit: float | None = None
    absent: tuple[str, ...] = ()

    @property
    def best(self) -> Row:
        """The row to choose: the first one, which keeps all conditions and has the least value."""
        return self.rows[0]

    @property
    def optimal(self) -> Row:
        """The best law of all."""
        return next(row for row in self.rows if row.role == OPTIMAL)

    @property
    def window(self) -> Row | None:
        """The best window; labels have none."""
        return next((row for row in self.rows if row.role == WINDOW), None)

    @property
    def reference(self) -> Row | None:
        """The usual mechanism: OGPM, or k-RR for labels."""
        return next((row for row in self.rows if row.name in ("OGPM", "CircularOGPM", "k-RR")), None)

    @property
    def floor(self) -> float:
        """The least possible value of the objective, as far as is known: the bound, or the best row."""
        return self.best.value if self.bound is None else min(self.bound.value, self.best.value)

    def to_dict(self) -> dict[str, Any]:
        """Return the table in strict JSON values; the laws themselves go into files of their own."""
        task = self.task
        named = isinstance(task.loss, str | int | float)
        bound = self.bound and {"value": self.bound.value, "sentence": self.bound.sentence}
        return {
            "domain": task.domain.to_dict(),
            "epsilon": task.epsilon,
            "loss": task.loss if named else task.label_losses().tolist(),
            "objective": task.objective,
            "prior": None if task.prior is None else list(task.prior),
            "point": task.point,
            "worst_at_most": self.limit,
            "unbiased": task.unbiased,
            "bound": bound,
            "best": self.best.name,
            "rows": [row.to_dict() for row in self.rows],
            "absent": list(self.absent),
        }

    def plot(self, axes: Axes | None = None) -> Axes:
        """Draw the expected loss over the true values: the optimum, the best window and the usual mechanism.

        For labels all mechanisms are drawn, one marker a label.

        Args:
            axes: Matplotlib axes to draw on; by default, new ones.
        """
        axes = axes if axes is not None else new_axes()
        chosen = self.rows if self.task.finite else (self.optimal, self.window, self.reference)
        for place, row in enumerate(row for row in chosen if row is not None):
            if isinstance(row.mechanism, NumericMechanism):
                truth, errors = error_curve(row.mechanism, self.task.loss)
                axes.plot(truth, errors, linestyle=DASHES[place], linewidth=1.8, label=row.name)
            elif isinstance(row.mechanism, FiniteMechanism):
                errors = self.task.curve(row.mechanism)
                axes.plot(np.arange(errors.size), errors, "os^D"[place], label=row.name)
        if self.task.finite and self.task.domain.lattice <= MOST_NAMED:
            labels = [str(label) for label in self.task.domain.labels]
            axes.set_xticks(np.arange(len(labels)), labels, rotation=45 if len(labels) > 8 else 0)
        axes.set(xlabel="true label" if self.task.finite else "true value", ylabel="expected loss")
        axes.set_ylim(0, None)
        return axes

    def report(self) -> Report:
        """Describe the design as a document."""
        from noisewright.design.design_report import design_report  # noqa: PLC0415  (it needs this module)

        return design_report(self)
