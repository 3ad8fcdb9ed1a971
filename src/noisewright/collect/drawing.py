"""Drawing a status; behind ``Status.plot``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from noisewright.mechanisms.drawing import new_axes
from noisewright.randomness import SIMULATED

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from noisewright.collect.status import Status

BARS = 20


def plot_status(status: Status, axes: Axes | None = None) -> Axes:
    """Bars of people over the ε they spent, from nothing to the whole budget."""
    axes = axes if axes is not None else new_axes()
    axes.hist(status.spent, bins=np.linspace(0, status.terms.budget, BARS + 1).tolist())
    axes.axvline(status.terms.budget, linestyle="--", color="black", label="budget")
    axes.set(xlabel="ε spent", ylabel="people", title=SIMULATED if status.terms.simulated else None)
    axes.legend()
    return axes
