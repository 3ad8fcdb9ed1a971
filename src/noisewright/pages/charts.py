"""The figures of the pages. Each function returns a matplotlib figure and knows nothing of HTML."""

from __future__ import annotations

import math
from collections import defaultdict
from typing import TYPE_CHECKING

from noisewright.domains import Circle, NumericDomain
from noisewright.guarantees.words import epsilon_words
from noisewright.mechanisms import Mechanism, NumericMechanism
from noisewright.mechanisms.catalogue import reference
from noisewright.mechanisms.drawing import error_curve, new_figure, plot_law
from noisewright.pages.comparison import Comparison
from noisewright.pages.figures import DASHES, PALETTE, drawing_style
from noisewright.pages.wording import loss_words, short

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_LINES = 7
"""Lines that can be told apart in one panel."""


def shown(comparison: Comparison) -> list[type[NumericMechanism]]:
    """The mechanisms worth a line: the ones whose worst errors are smallest over all ε, and the reference."""
    ratios: dict[type[NumericMechanism], list[float]] = defaultdict(list)
    for entry in comparison.entries:
        ratios[type(entry.mechanism)].append(math.log(entry.ratio))
    ranked = sorted(ratios, key=lambda kind: sum(ratios[kind]) / len(ratios[kind]))
    base = reference(comparison.domain)
    chosen = ranked[:MOST_LINES]
    if base in ranked and base not in chosen:
        chosen[-1] = base
    return sorted(chosen, key=list(Mechanism.registry.values()).index)


def over_domain(comparison: Comparison) -> Figure:
    """Expected loss over the true values: one panel for each ε, the same line styles in all."""
    columns = min(2, len(comparison.epsilons))
    rows = math.ceil(len(comparison.epsilons) / columns)
    chosen = shown(comparison)
    with drawing_style():
        drawn = new_figure(10, 3.1 * rows + 0.5)
        panels = drawn.subplots(rows, columns, squeeze=False).reshape(-1)
        for axes, epsilon in zip(panels, comparison.epsilons, strict=False):
            _errors(axes, comparison, epsilon, chosen)
        for axes in panels[len(comparison.epsilons) :]:
            axes.set_axis_off()
        handles, labels = panels[0].get_legend_handles_labels()
        drawn.legend(handles, labels, loc="outside lower center", ncols=min(4, len(labels)))
    return drawn


def _errors(axes: Axes, comparison: Comparison, epsilon: float, chosen: list[type[NumericMechanism]]) -> None:
    top = 0.0
    present = {type(entry.mechanism): entry.mechanism for entry in comparison.at(epsilon)}
    for place, kind in enumerate(chosen):
        (line,) = axes.plot([], [], color=PALETTE[place], linestyle=DASHES[place], label=kind.title)
        if kind in present:
            truth, errors = error_curve(present[kind], comparison.loss)
            line.set_data(truth, errors)
            top = max(top, float(errors.max()))
    axes.set(title=f"ε = {epsilon_words(epsilon)}", xlabel="true value", ylabel=loss_words(comparison.loss))
    axes.set_ylim(0, 1.06 * top)
    fit_domain(axes, comparison.domain)
    axes.grid(alpha=0.2)


def fit_domain(axes: Axes, domain: NumericDomain) -> None:
    """Let the true values fill the axes from end to end; a circle is marked at its quarters."""
    axes.set_xlim(domain.start, domain.start + domain.length)
    if isinstance(domain, Circle):
        axes.set_xticks([domain.period * quarter / 4 for quarter in range(5)])


def worst_by_epsilon(comparison: Comparison) -> Figure:
    """The worst error against ε, on a logarithmic scale, with each line named at its end."""
    chosen = shown(comparison)
    with drawing_style():
        drawn = new_figure(10, 4.4)
        axes = drawn.add_subplot()
        for place, kind in enumerate(chosen):
            entries = [entry for entry in comparison.entries if isinstance(entry.mechanism, kind)]
            epsilons = [entry.mechanism.epsilon for entry in entries]
            worst = [entry.worst for entry in entries]
            style = {"color": PALETTE[place], "linestyle": DASHES[place], "marker": "o", "markersize": 4}
            axes.plot(epsilons, worst, label=kind.title, **style)  # type: ignore[arg-type]
        axes.set(xlabel="ε", ylabel=f"worst {loss_words(comparison.loss)}", yscale="log")
        axes.set_xticks(comparison.epsilons, [epsilon_words(epsilon) for epsilon in comparison.epsilons])
        axes.set_ylim(0.85 * min(entry.worst for entry in comparison.entries), None)
        axes.yaxis.set_major_formatter(lambda value, _: short(value))
        axes.yaxis.set_minor_formatter(lambda value, _: short(value))
        axes.grid(alpha=0.2, which="both")
        axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
    return drawn


def laws(mechanism: NumericMechanism, values: list[float]) -> Figure:
    """The law of the reports for a few true values."""
    with drawing_style():
        drawn = new_figure(10, 4)
        axes = drawn.add_subplot()
        plot_law(mechanism.law(values), axes)
        axes.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0))
    return drawn


def dial(mechanism: NumericMechanism, values: list[float]) -> Figure:
    """The law of the reports round the circle."""
    with drawing_style():
        drawn = new_figure(10, 4.6)
        axes = drawn.add_subplot(projection="polar")
        plot_law(mechanism.law(values), axes)
        axes.legend(loc="center left", bbox_to_anchor=(1.15, 0.5))
    return drawn


def error(mechanism: NumericMechanism, loss: str = "absolute") -> Figure:
    """The expected loss of one mechanism over its domain."""
    with drawing_style():
        drawn = new_figure(10, 3)
        axes = drawn.add_subplot()
        truth, errors = error_curve(mechanism, loss)
        axes.plot(truth, errors, color=PALETTE[0])
        axes.set(xlabel="true value", ylabel=loss_words(loss))
        axes.set_ylim(0, 1.06 * max(errors))
        fit_domain(axes, mechanism.domain)
        axes.grid(alpha=0.2)
    return drawn
