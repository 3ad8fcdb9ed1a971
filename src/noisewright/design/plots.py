"""Figures of comparisons, explanations and designs; designed laws are heat maps of bars, which stay small."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import numpy as np

from noisewright.design.comparison import Comparison, OracleComparison
from noisewright.design.design_table import MOST_NAMED, DesignTable
from noisewright.design.explanation import OracleExplanation, usual_values
from noisewright.design.task import error_words
from noisewright.domains import Categories, Circle, Floats
from noisewright.mechanisms import DesignedLaw, DesignedTable, Mechanism, NumericMechanism
from noisewright.mechanisms.basics.losses import loss_words, part_edges
from noisewright.mechanisms.catalogue import reference
from noisewright.mechanisms.categorical.choice import ORACLES
from noisewright.mechanisms.plots import error_curve, fit_domain, plot_law
from noisewright.report.plots import PAGE_WIDTH, legend_below, new_figure
from noisewright.report.svg import DASHES, INK, PALETTE, drawing_style
from noisewright.text import epsilon_words, percent, short

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_LINES = 7
"""Most lines that a reader can tell apart in one panel."""


@contextmanager
def _panel(height: float, projection: str | None = None) -> Iterator[tuple[Figure, Axes]]:
    """Within this, the one panel of a new figure is drawn in the style of our pages."""
    with drawing_style():
        drawn = new_figure(PAGE_WIDTH, height)
        yield drawn, drawn.add_subplot(projection=projection)


@contextmanager
def _panels(count: int, height: float) -> Iterator[tuple[Figure, list[Axes]]]:
    """Do the same for several panels below each other, with one legend below all of them."""
    with drawing_style():
        drawn = new_figure(PAGE_WIDTH, height * count)
        panels = drawn.subplots(count, 1, squeeze=False).reshape(-1)
        yield drawn, panels.tolist()
        legend_below(drawn, panels[0])


def drawn_kinds(comparison: Comparison) -> list[type[NumericMechanism]]:
    """Return the mechanisms to draw: those with the smallest worst errors over all ε, and the reference."""
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
    """Draw the expected loss over the true values: one panel for each ε, the same line styles in all."""
    chosen = drawn_kinds(comparison)
    with _panels(len(comparison.epsilons), 2.6) as (drawn, panels):
        for axes, epsilon in zip(panels, comparison.epsilons, strict=True):
            _errors(axes, comparison, epsilon, chosen)
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


def worst_by_epsilon(comparison: Comparison) -> Figure:
    """Draw the worst error against ε, on a logarithmic scale, with each line named at its end."""
    chosen = drawn_kinds(comparison)
    with _panel(3.4) as (drawn, axes):
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
        legend_below(drawn, axes)
    return drawn


def laws(mechanism: NumericMechanism, values: list[float]) -> Figure:
    """Draw the law of the reports for a few true values."""
    with _panel(3) as (drawn, axes):
        plot_law(mechanism.law(values), axes)
        legend_below(drawn, axes)
    return drawn


def dial(mechanism: NumericMechanism, values: list[float]) -> Figure:
    """Draw the law of the reports round the circle."""
    with _panel(4.4, "polar") as (drawn, axes):
        plot_law(mechanism.law(values), axes)
        legend_below(drawn, axes)
    return drawn


def error(mechanism: NumericMechanism, loss: str = "absolute") -> Figure:
    """Draw the expected loss of one mechanism over its domain."""
    with _panel(2.8) as (drawn, axes):
        truth, errors = error_curve(mechanism, loss)
        axes.plot(truth, errors, color=PALETTE[0])
        axes.set(xlabel="true value", ylabel=loss_words(loss))
        axes.set_ylim(0, 1.06 * max(errors))
        fit_domain(axes, mechanism.domain)
        axes.grid(alpha=0.2)
    return drawn


SIZES = (2, 3, 4, 6, 8, 12, 16, 32, 64, 128, 256, 512, 1024)
"""Lengths of lists for which the variances are drawn."""


def errors_by_people(explanation: OracleExplanation) -> Figure:
    """Draw the standard error of a share against the number of people, with noise and without."""
    people = np.geomspace(100, 1e7, 40)
    with _panel(3.2) as (drawn, axes):
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
    """Draw the variance of every protocol against the number of labels: a panel for each of up to four ε."""
    epsilons = comparison.epsilons[:4]
    with _panels(len(epsilons), 2.8) as (drawn, panels):
        for axes, epsilon in zip(panels, epsilons, strict=True):
            _variances(axes, epsilon, len(comparison.domain))
    return drawn


def _variances(axes: Axes, epsilon: float, labels: int) -> None:
    for place, kind in enumerate(ORACLES):
        spreads = [kind(Categories(range(size)), epsilon).spread() for size in SIZES]
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


SHADES = 12
"""Shades of a heat map; equal neighbours are drawn as one bar, so that a picture stays small."""

STRETCHES = 32
"""Most stretches into which the reports of a law are pooled for a picture."""


POOLED = (
    "Above each true value, the darker the likelier: reports are pooled into stretches of equal length, at "
    f"most {STRETCHES}."
)
"""How to read the map of a law for numbers."""


def map_of_numbers(law: DesignedLaw) -> Figure:
    """Draw how likely each stretch of the reports is for each true value."""
    edges = part_edges(law.domain, len(law.weights))
    if law.dithered:  # stretches with a knot in the middle of each
        half, end = law.domain.length / (len(law.weights) - 1) / 2, law.domain.start + law.domain.length
        edges = np.linspace(law.domain.start - half, end + half, len(law.weights) + 1)
    masses, places, height = _pool(law)
    with _panel(4.2) as (drawn, axes):
        shade(axes, masses, edges, places, height)
        fit_domain(axes, law.domain)
        axes.set(xlabel="true value", ylabel="report", ylim=(places[0] - height / 2, places[-1] + height / 2))
        if isinstance(law.domain, Circle):
            axes.set_yticks(axes.get_xticks())
    return drawn


def _pool(law: DesignedLaw) -> tuple[Floats, Floats, float]:
    """Return probabilities of equal, visibly wide stretches of the reports; their middles and height."""
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


def map_of_labels(law: DesignedTable) -> Figure:
    """Draw how likely each report is for each label."""
    size = law.domain.lattice
    with _panel(4.2) as (drawn, axes):
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
    """Draw a bar at every place (columns of ``masses``) over the inputs (rows), darker where likelier."""
    # the square root brings out rare reports beside common ones
    levels = np.ceil(np.sqrt(masses / masses.max()) * SHADES).astype(int)
    for level in range(1, SHADES + 1):
        for column, place in enumerate(places.tolist()):
            runs = _runs(levels[:, column] == level)
            bars = [(edges[first], edges[end] - edges[first]) for first, end in runs]
            if bars:
                strip = (place - height / 2, height)
                axes.broken_barh(bars, strip, facecolor=PALETTE[0], alpha=level / SHADES, linewidth=0)


def _runs(chosen: Floats) -> list[tuple[int, int]]:
    """Return where runs of true begin and end."""
    steps = np.flatnonzero(np.diff(np.concatenate([[0], chosen.astype(int), [0]])))
    return list(zip(steps[::2].tolist(), steps[1::2].tolist(), strict=True))


def error_curves(table: DesignTable) -> Figure:
    """Draw the expected loss over the true values, and the bound if it is on the worst case."""
    with _panel(3) as (drawn, axes):
        table.plot(axes)
        if table.task.looks_at_worst and table.bound is not None:
            axes.axhline(table.bound.value, color=PALETTE[7], linewidth=1, label="no worst case is below")
        if not table.task.finite:
            fit_domain(axes, table.task.domain)
        axes.set_ylabel(error_words(table.task))
        axes.grid(alpha=0.2)
        legend_below(drawn, axes)
    return drawn


def law_picture(table: DesignTable) -> Figure:
    """Draw the optimal law: how likely every report is for every true value."""
    law = table.optimal.mechanism
    if isinstance(law, DesignedLaw):
        return map_of_numbers(law)
    if isinstance(law, DesignedTable):
        return map_of_labels(law)
    assert isinstance(law, NumericMechanism)
    return dial(law, usual_values(law.domain))
