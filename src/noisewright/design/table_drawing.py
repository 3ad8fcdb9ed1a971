"""Drawing a design table: how the expected loss runs over the true values."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from noisewright.design.design_table import DesignTable, Row
from noisewright.mechanisms import FiniteMechanism, NumericMechanism
from noisewright.mechanisms.drawing import error_curve, new_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_NAMED = 24
"""Labels that can be written below the axes; of more, only their numbers are."""

DASHES = ("-", "--", "-.", ":")


def drawn_rows(table: DesignTable) -> list[Row]:
    """The optimum, the best window and the usual mechanism; for labels all rows."""
    if table.task.finite:
        return list(table.rows)
    chosen = (table.optimal, table.window, table.reference)
    return [row for row in chosen if row is not None]


def plot_table(table: DesignTable, axes: Axes | None = None) -> Axes:
    """One line a mechanism; for labels one mark a label."""
    axes = axes if axes is not None else new_axes()
    for place, row in enumerate(drawn_rows(table)):
        if isinstance(row.mechanism, NumericMechanism):
            truth, errors = error_curve(row.mechanism, table.task.loss)
            axes.plot(truth, errors, linestyle=DASHES[place], linewidth=1.8, label=row.name)
        elif isinstance(row.mechanism, FiniteMechanism):
            errors = table.task.curve(row.mechanism)
            axes.plot(np.arange(errors.size), errors, "os^D"[place], label=row.name)
    if table.task.finite:
        _name_labels(axes, table)
    axes.set(xlabel="true label" if table.task.finite else "true value", ylabel="expected loss")
    axes.set_ylim(0, None)
    return axes


def _name_labels(axes: Axes, table: DesignTable) -> None:
    labels = [str(label) for label in table.task.domain.labels]
    if len(labels) <= MOST_NAMED:
        axes.set_xticks(np.arange(len(labels)), labels, rotation=45 if len(labels) > 8 else 0)
