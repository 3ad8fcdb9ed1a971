"""The plot of a scorecard, behind ``Scorecard.plot``.

On the left the rates that must be read together, on the right the calibration of the probabilities.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from noisewright.learn.scorecard.calibration import Calibration
from noisewright.learn.scorecard.report import source_words
from noisewright.report.plots import new_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from noisewright.learn.scorecard.card import Scorecard


BLUE: Final = "tab:blue"
GREY: Final = "dimgray"

FEW: Final = 0.02
"""A share of the people so small that its interval is drawn faintly: it is long, and matters little."""


def plot_scorecard(card: Scorecard, figure: Figure | None = None) -> Figure:
    """Draw rates with intervals, and the calibration, if there is one, beside or, if narrow, below them."""
    panels = 1 if card.calibration is None else 2
    drawn = figure if figure is not None else new_figure(6.4 if panels == 1 else 10.0, 3.8)
    narrow = drawn.get_figwidth() < 8
    axes = drawn.subplots(*((panels, 1) if narrow else (1, panels)), squeeze=False).reshape(-1)
    draw_rates(axes[0], card)
    if card.calibration is not None:
        draw_calibration(axes[1], card.calibration, card.classes[1])
    return drawn


def draw_rates(axes: Axes, card: Scorecard) -> None:
    """Draw accuracy, majority class and balanced accuracy under each other, with their intervals."""
    rates = [
        ("accuracy", card.accuracy, BLUE),
        (f"always answering\n{card.majority_class!r}", card.majority, GREY),
        ("balanced accuracy", card.balanced_accuracy, "tab:orange"),
    ]
    axes.axvspan(card.majority.low, card.majority.high, color=GREY, alpha=0.12, linewidth=0)
    for row, (_, rate, colour) in enumerate(rates):
        axes.plot([rate.low, rate.high], [row, row], color=colour, linewidth=2, marker="|", markersize=11)
        if np.isfinite(rate.value):  # no point where the rate is unknown
            axes.plot([rate.value], [row], "o", color=colour, markersize=7)
            axes.annotate(
                f"{100 * rate.value:.1f} %", (rate.value, row), xytext=(0, 9), textcoords="offset points",
                horizontalalignment="center", color=colour,
            )  # fmt: skip
    axes.set_yticks(range(len(rates)), [name for name, _, _ in rates])
    axes.set(ylim=(len(rates) - 0.5, -0.6))
    axes.set_xlabel(f"share of people ({100 * card.accuracy.level:g} % intervals)\n{source_words(card)}")
    _percent(axes, "x", *_view([end for _, rate, _ in rates for end in (rate.low, rate.high)]))
    question = f"better than always answering {card.majority_class!r}"
    axes.set_title(f"{question}: {card.beats_majority}", fontsize=10)


def draw_calibration(axes: Axes, calibration: Calibration, name: Any) -> None:
    """Draw observed against predicted shares; larger points stand for more people.

    Where only the bin of a prediction is known, a line as wide as the bin stands for it.
    """
    axes.plot([0, 1], [0, 1], color=GREY, linewidth=1, linestyle="--")
    places, found, people = calibration.places, calibration.observed, calibration.people.value
    for row, share in enumerate(people):
        strength = 1.0 if share >= FEW else 0.35
        axes.plot([places[row]] * 2, [found.low[row], found.high[row]], color=BLUE, alpha=strength)
    if np.isnan(calibration.predicted).any():
        axes.hlines(found.value, calibration.low, calibration.high, color=BLUE, alpha=0.5)
    axes.scatter(places, found.value, s=25 + 150 * people, color=BLUE, zorder=3)
    axes.set(xlabel=f"predicted probability of {name!r}", ylabel=f"people who are {name!r}", aspect="equal")
    _percent(axes, "x", -0.03, 1.03)
    _percent(axes, "y", -0.03, 1.03)
    axes.set_title("calibration", fontsize=10)


def _view(ends: list[float]) -> tuple[float, float]:
    """Leave room around the intervals, without a scale that makes small differences look large."""
    low, high = min(ends), max(ends)
    room = max(0.3 - (high - low), 0.2 * (high - low)) / 2
    return max(low - room, -0.02), min(high + room, 1.02)


def _percent(axes: Axes, which: str, low: float, high: float) -> None:
    axis = axes.xaxis if which == "x" else axes.yaxis
    axis.set_major_formatter(lambda share, _: f"{100 * share:.0f} %")
    axes.set(**{f"{which}lim": (low, high)})
