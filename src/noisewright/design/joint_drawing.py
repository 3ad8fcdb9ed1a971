"""Drawing a plan for shared coins; behind ``JointPlan.plot``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from noisewright.mechanisms.drawing import new_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from noisewright.design.joint_table import JointPlan

POINTS = 201


def plot_plan(plan: JointPlan, axes: Axes | None = None) -> Axes:
    """The standard error of the count against the true share, one line a choice; the range is shaded."""
    axes = axes if axes is not None else new_axes()
    shares = np.linspace(0.0, 1.0, POINTS)
    users = plan.task.users
    for row in plan.rows:
        variance = plan.task.noise(row.truth, row.correlation).count_variance(shares * users, users)
        axes.plot(shares, np.sqrt(np.maximum(variance, 0.0)), label=row.name)
    if plan.task.known:
        low, high = plan.task.shares
        axes.axvspan(low - 0.002, high + 0.002, alpha=0.15, label="expected share")
    what = '"yes"' if plan.task.labels == 2 else "the label"
    axes.set(
        xlabel=f"true share of {what}", ylabel="standard error of the count", ylim=(0, None), xlim=(0, 1)
    )
    axes.legend()
    return axes
