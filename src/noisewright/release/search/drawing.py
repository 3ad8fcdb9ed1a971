"""Drawing a search; behind ``SearchResult.plot``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from noisewright.mechanisms.drawing import new_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from noisewright.release.search.result import SearchResult


def plot_search(result: SearchResult, axes: Axes | None = None) -> Axes:
    """One line a candidate, the best on top: a dot with its error bar after the noise, a circle without."""
    axes = axes if axes is not None else new_axes()
    table, places = result.table, np.arange(len(result.table))
    axes.errorbar(
        [row.private_utility for row in table],
        places,
        xerr=[2 * row.stderr for row in table],
        fmt="o",
        capsize=3,
        label="after the noise (± 2 standard errors)",
    )
    axes.plot(
        [row.unnoised_utility for row in table],
        places,
        "o",
        color="grey",
        markerfacecolor="none",
        label="without noise",
    )
    axes.set_yticks(places, [repr(row.algorithm) for row in table])
    axes.invert_yaxis()
    axes.set_xlabel("utility on the records that were left out")
    axes.legend()
    return axes
