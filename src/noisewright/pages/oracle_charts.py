"""The figures about protocols for labels. Each function returns a matplotlib figure."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from noisewright.domains import Categories
from noisewright.guarantees.words import epsilon_words
from noisewright.mechanisms import FrequencyOracle
from noisewright.mechanisms.categorical.choice import ORACLES
from noisewright.mechanisms.drawing import new_figure
from noisewright.pages.figures import DASHES, INK, PALETTE, drawing_style
from noisewright.pages.oracle_comparison import OracleComparison
from noisewright.pages.oracle_explanation import OracleExplanation
from noisewright.pages.wording import percent, short

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SIZES = (2, 3, 4, 6, 8, 12, 16, 32, 64, 128, 256, 512, 1024)
"""Lengths of lists for which the variances are drawn."""


def errors_by_people(explanation: OracleExplanation) -> Figure:
    """The standard error of a share against the number of people, with noise and without."""
    people = np.geomspace(100, 1e7, 40)
    with drawing_style():
        drawn = new_figure(10, 3.6)
        axes = drawn.add_subplot()
        noisy = [explanation.standard_error(int(n)) for n in people]
        plain = [explanation.without_noise(int(n)) for n in people]
        axes.plot(people, noisy, color=PALETTE[0], label=type(explanation.mechanism).title)
        axes.plot(people, plain, color=PALETTE[1], linestyle=DASHES[1], label="without any noise")
        axes.set(xlabel="people", ylabel="standard error of a share", xscale="log", yscale="log")
        axes.xaxis.set_major_formatter(lambda n, _: short(n))
        axes.yaxis.set_major_formatter(lambda share, _: percent(share))
        axes.grid(alpha=0.2)
        axes.legend()
    return drawn


def by_labels(comparison: OracleComparison) -> Figure:
    """The variance of every protocol against the number of labels: one panel for each of up to four ε."""
    epsilons = comparison.epsilons[:4]
    rows, columns = -(-len(epsilons) // 2), min(2, len(epsilons))
    with drawing_style():
        drawn = new_figure(10, 3.4 * rows + 0.5)
        panels = drawn.subplots(rows, columns, squeeze=False).reshape(-1)
        for axes, epsilon in zip(panels, epsilons, strict=False):
            _panel(axes, epsilon, len(comparison.domain))
        for axes in panels[len(epsilons) :]:
            axes.set_axis_off()
        handles, labels = panels[0].get_legend_handles_labels()
        drawn.legend(handles, labels, loc="outside lower center", ncols=3)
    return drawn


def _panel(axes: Axes, epsilon: float, labels: int) -> None:
    for place, kind in enumerate(ORACLES):
        spreads = [_spread(kind, size, epsilon) for size in SIZES]
        axes.plot(SIZES, spreads, color=PALETTE[place], linestyle=DASHES[place], label=kind.title)
    if SIZES[0] <= labels <= SIZES[-1]:
        axes.axvline(labels, color=INK, linewidth=0.8, alpha=0.6)
    axes.set(
        title=f"ε = {epsilon_words(epsilon)}", xlabel="labels", ylabel="variance", xscale="log", yscale="log"
    )
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter(lambda value, _: short(value))
        axis.set_minor_formatter(lambda value, _: "")
    axes.grid(alpha=0.2)


def _spread(kind: type[FrequencyOracle], size: int, epsilon: float) -> float:
    return kind(Categories(range(size)), epsilon).spread()
