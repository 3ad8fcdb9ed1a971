"""Designed laws as heat maps, in bars that a page can hold as vectors."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from noisewright.domains import Circle, Floats
from noisewright.mechanisms import DesignedLaw, DesignedTable
from noisewright.mechanisms.cell_losses import part_edges
from noisewright.mechanisms.drawing import new_figure
from noisewright.pages.charts import fit_domain
from noisewright.pages.figures import PALETTE, drawing_style

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SHADES = 12
"""Shades of a heat map; equal neighbours are drawn as one bar, so that a picture stays small."""

STRETCHES = 32
"""Stretches, at most, into which the reports of a law are pooled for a picture."""


MOST_NAMED = 24
"""Labels that can be written along an axis."""

POOLED = (
    "Above each true value, the darker the likelier: reports are pooled into stretches of equal length, at "
    f"most {STRETCHES}."
)
"""What a reader of the map of a law for numbers must know."""


def map_of_numbers(law: DesignedLaw) -> Figure:
    """How likely each stretch of the reports is for each true value."""
    edges = _knot_edges(law) if law.dithered else part_edges(law.domain, len(law.weights))
    masses, places, height = _pooled(law)
    with drawing_style():
        drawn = new_figure(10, 4.6)
        axes = drawn.add_subplot()
        shade(axes, masses, edges, places, height)
        fit_domain(axes, law.domain)
        axes.set(xlabel="true value", ylabel="report", ylim=(places[0] - height / 2, places[-1] + height / 2))
        if isinstance(law.domain, Circle):
            axes.set_yticks(axes.get_xticks())
    return drawn


def _pooled(law: DesignedLaw) -> tuple[Floats, Floats, float]:
    """Probabilities of equal stretches of the reports, wide enough to be seen; their middles and height."""
    places = law.reports.centres(np.array(law.outputs))
    half = law.reports.pitch / 2
    low, high = float(places[0]) - half, float(places[-1]) + half
    if isinstance(law.domain, Circle):
        low, high = 0.0, law.domain.length
    count = min(STRETCHES, places.size)
    height = (high - low) / count
    stretch = np.minimum(((places - low) / height).astype(np.int64), count - 1)
    masses: Floats = law.table.masses @ np.eye(count)[stretch]
    return masses, np.asarray(low + height * (np.arange(count) + 0.5)), height


def _knot_edges(law: DesignedLaw) -> Floats:
    """Stretches with a knot in the middle of each."""
    half = law.domain.length / (len(law.weights) - 1) / 2
    return np.linspace(law.domain.start - half, law.domain.start + law.domain.length + half,
                       len(law.weights) + 1)  # fmt: skip


def map_of_labels(law: DesignedTable) -> Figure:
    """How likely each report is for each label."""
    size = law.domain.lattice
    with drawing_style():
        drawn = new_figure(10, 4.6)
        axes = drawn.add_subplot()
        shade(
            axes, law.table.masses, np.arange(size + 1.0) - 0.5, np.array(law.outputs, dtype=np.float64), 1.0
        )
        if size <= MOST_NAMED:
            names = [str(label) for label in law.domain.labels]
            axes.set_xticks(np.arange(size), names, rotation=45 if size > 8 else 0)
            axes.set_yticks(np.arange(law.reports.lattice), [str(label) for label in law.reports.labels])
        axes.set(xlabel="true label", ylabel="report", xlim=(-0.5, size - 0.5))
    return drawn


def shade(axes: Axes, masses: Floats, edges: Floats, places: Floats, height: float) -> None:
    """A bar at every place (columns of ``masses``) over the inputs (rows), darker where it is likelier."""
    # the root brings out what is rare beside what is common
    levels = np.ceil(np.sqrt(masses / masses.max()) * SHADES).astype(int)
    for level in range(1, SHADES + 1):
        for column, place in enumerate(places.tolist()):
            runs = _runs(levels[:, column] == level)
            bars = [(edges[first], edges[end] - edges[first]) for first, end in runs]
            if bars:
                strip = (place - height / 2, height)
                axes.broken_barh(bars, strip, facecolor=PALETTE[0], alpha=level / SHADES, linewidth=0)


def _runs(chosen: Floats) -> list[tuple[int, int]]:
    """Where runs of true begin and end."""
    steps = np.flatnonzero(np.diff(np.concatenate([[0], chosen.astype(int), [0]])))
    return list(zip(steps[::2].tolist(), steps[1::2].tolist(), strict=True))
