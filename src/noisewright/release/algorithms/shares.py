"""A released histogram: the shares of cells, and where the cells begin and end."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from noisewright.domains import Floats
from noisewright.mechanisms.drawing import new_axes
from noisewright.release.algorithms.statistic import Statistic

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True, eq=False)
class Shares(Statistic):
    """Noised shares of every cell, (columns, cells), which sum to 1 in each column.

    >>> import numpy as np
    >>> value, edges = np.array([[0.4, 0.6]]), np.array([[0.0, 50.0, 99.0]])
    >>> Shares(value, names=("young", "old"), columns=("age",), edges=edges).to_dict()
    {'value': [[0.4, 0.6]], 'names': ['young', 'old'], 'columns': ['age'], 'edges': [[0.0, 50.0, 99.0]]}
    """

    columns: tuple[str, ...]
    edges: Floats

    def to_dict(self) -> dict[str, Any]:
        return {**super().to_dict(), "columns": list(self.columns), "edges": self.edges.tolist()}

    def plot(self, axes: Axes | None = None) -> Axes:
        """Draw the shares as steps, one line a column; returns the axes."""
        axes = axes if axes is not None else new_axes()
        for name, values, edges in zip(self.columns, self.value, self.edges, strict=True):
            axes.stairs(values, edges, label=name, linewidth=1.8)
        axes.set(xlabel=self.columns[0] if len(self.columns) == 1 else "value", ylabel="share of records")
        axes.set_ylim(0, None)
        if len(self.columns) > 1:
            axes.legend()
        return axes
