"""Plots of predictions; behind ``Prediction.plot``.

Utility is drawn against ε, one line a mechanism. The line is the estimate and the shade around it everything
from ``low`` to ``high``; where the answer is exact there is no shade to be seen.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from noisewright.domains import Floats
from noisewright.report.plots import new_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from noisewright.utility.core.certificate import Band
    from noisewright.utility.prediction import Prediction, Scope

SHADE: Final = 0.22
FEW: Final = 12
"""Values of ε that are marked one by one; more make a line."""

TICKS: Final = (0.1, 0.2, 0.5, 1.0, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0, 16.0, 32.0)
SCOPES: Final = {"average": "utility, average over records", "worst": "utility at the worst record"}


def plot_prediction(prediction: Prediction, axes: Axes | None = None, scope: Scope = "average") -> Axes:
    """Draw utility against ε: on average, at the worst record, in a group, or at the record of a number."""
    axes = axes if axes is not None else new_axes()
    band, epsilons = prediction.band(scope), prediction.epsilons
    for row, name in enumerate(prediction.names):
        draw_band(axes, epsilons, band, row, name)
    axes.set_ylabel(scope_words(scope))
    finish_epsilon_axis(axes, epsilons)
    return axes


def scope_words(scope: Scope) -> str:
    """Return what is drawn.

    >>> scope_words("worst"), scope_words("group:sex = F"), scope_words(17)
    ('utility at the worst record', 'utility, average over sex = F', 'utility at record 17')
    """
    if isinstance(scope, str):
        return SCOPES.get(scope) or f"utility, average over {scope.removeprefix('group:')}"
    return f"utility at record {scope}"


def draw_band(axes: Axes, epsilons: Floats, band: Band, row: int, label: str) -> None:
    """Draw one mechanism: its estimate as a line and its interval as a shade."""
    marker = "o" if epsilons.size <= FEW else ""
    (line,) = axes.plot(epsilons, band.estimate[row], marker=marker, markersize=3.5, label=label)
    axes.fill_between(
        epsilons, band.low[row], band.high[row], color=line.get_color(), alpha=SHADE, linewidth=0
    )


def finish_epsilon_axis(axes: Axes, epsilons: Floats) -> None:
    """Equal ratios of ε are equally wide, and the ticks are numbers that people ask for."""
    axes.set_xlabel("ε of each sensitive feature")
    if epsilons.size > 1:
        axes.set_xscale("log")
        axes.set_xlim(float(epsilons[0]), float(epsilons[-1]))
    axes.set_xticks(ticks(epsilons), [f"{tick:g}" for tick in ticks(epsilons)])
    axes.set_xticks([], minor=True)


def ticks(epsilons: Floats) -> list[float]:
    """Return the round numbers in the range of a curve, or its own values where these are few.

    >>> import numpy as np
    >>> ticks(np.array([1.0, 3.3])), ticks(np.linspace(0.5, 4, 64))
    ([1.0, 3.3], [0.5, 1.0, 2.0, 3.0, 4.0])
    """
    if epsilons.size <= 6:
        return [float(epsilon) for epsilon in epsilons]
    inside = [tick for tick in TICKS if epsilons[0] <= tick <= epsilons[-1]]
    return inside if len(inside) > 1 else [float(epsilons[0]), float(epsilons[-1])]
