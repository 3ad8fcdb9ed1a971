"""The page of an evaluation: maps, densities, errors and a table, all against the true routes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from noisewright import __version__
from noisewright.mechanisms.drawing import new_figure
from noisewright.pages.figures import DASHES, PALETTE, drawing_style, figure
from noisewright.pages.markup import Html, facts, tag
from noisewright.pages.route_densities import densities
from noisewright.pages.route_evaluation import WARNING, Judged, RouteEvaluation
from noisewright.pages.route_evaluation_text import best_places, title
from noisewright.pages.route_panels import Layer, route_panels
from noisewright.pages.route_words import space_words
from noisewright.pages.tables import number, table
from noisewright.pages.template import Section, page
from noisewright.trajectory.words import epsilon_words

if TYPE_CHECKING:
    from matplotlib.figure import Figure

STEPS = 200
"""Points of a line in the chart of errors."""

MOST_MAPS = 4
"""Density maps that stand side by side."""

MEANINGS = (
    ("mean error", "The mean distance of a point from its true place, over all points or route by route."),
    ("points within … of the truth", "How often a search that far around a point finds its true place."),
    ("visits to hotspots lost", "Visits to the busiest fifth of 20 × 20 cells that now end outside them."),
    ("time warping, a step", "The mean distance of two points of the best walk along both routes."),
    ("Fréchet distance", "The shortest leash for a walk along both routes; averaged over routes."),
)


def evaluation_page(found: RouteEvaluation) -> str:
    """The whole document."""
    warning = tag("p", WARNING, class_="warning")
    sections = [
        Section("In numbers", [warning, metrics_table(found)]),
        Section("A few routes", [routes_figure(found)]),
        Section("Where people are", [_densities(found)]),
        Section("How far points are off", [errors_figure(found)]),
        Section("What was compared", [_compared(found), facts(MEANINGS)]),
    ]
    lead = f"{title(found)}: what is left of the truth."
    footer = f"Written by noisewright routes evaluate, version {__version__}."
    return page("How useful private routes still are", lead, sections, footer)


def metrics_table(found: RouteEvaluation) -> Html:
    """All metrics of all files; the best of each is marked where there are several."""
    rows = []
    for name, words, numbers in found.rows():
        marked = best_places(numbers)
        rows.append([name, *(number(word, best=place in marked) for place, word in enumerate(words))])
    return table(title(found), ["Metric", *(judged.entry.title for judged in found.files)], rows)


def routes_figure(found: RouteEvaluation) -> Html:
    """True, private and reconstructed ways of a few routes."""
    layers = [
        _layer(judged, place, name)
        for place, (name, judged) in enumerate(zip(found.titles, found.files, strict=True), 1)
    ]
    layers = sorted(layers, key=lambda layer: not layer.scattered)  # dots lie below lines
    drawn = route_panels(found.space, [*layers, Layer("true", found.true, 0)])
    caption = (
        "The routes with the most points, to scale: true ways as solid lines, reports as dots, and estimates "
        "as broken lines. Ways that go to and fro too often for a line are shown by marks."
    )
    return figure("routes", drawn, title="Maps of true, private and estimated routes.", caption=caption)


def _layer(judged: Judged, style: int, name: str) -> Layer:
    return Layer(name, judged.entry.collection.routes, style, scattered=judged.entry.kind != "estimates")


def _densities(found: RouteEvaluation) -> Html:
    clouds = [("true", found.true.points)]
    named = zip(found.titles, found.files, strict=True)
    clouds += [(name, judged.entry.collection.routes.points) for name, judged in named]
    drawn = densities(found.space, clouds[:MOST_MAPS])
    caption = "The share of all points in each cell, in the same shades on every map: the darker the more."
    return figure("densities", drawn, title="Density maps side by side.", caption=caption)


def errors_figure(found: RouteEvaluation) -> Html:
    """The share of points within each distance of the truth."""
    caption = "The share of points that lie within a distance of their true place; higher is better."
    return figure("errors", _errors(found), title="Lines of the distribution of errors.", caption=caption)


def _errors(found: RouteEvaluation) -> Figure:
    metres = found.space.units == "metres"
    shares = np.linspace(0, 1, STEPS + 1)
    with drawing_style():
        drawn = new_figure(10, 3.4)
        axes = drawn.subplots()
        for place, (name, judged) in enumerate(zip(found.titles, found.files, strict=True), 1):
            errors = np.quantile(judged.errors, shares) / (1000 if metres else 1)
            style = place % len(PALETTE)
            axes.plot(errors, 100 * shares, color=PALETTE[style], linestyle=DASHES[style], label=name)
        axes.set(xlabel=f"error{', km' if metres else ''}", ylabel="points, %", ylim=(0, 100))
        axes.set_xlim(left=0)
        axes.grid(alpha=0.2)
        axes.legend(loc="lower right")
    return drawn


def _compared(found: RouteEvaluation) -> Html:
    known = [("Space", space_words(found.space))]
    for name, judged in zip(found.titles, found.files, strict=True):
        collection = judged.entry.collection
        made = collection.processed or "reports as they were drawn"
        known.append(
            (name, f"{collection.mechanism.title}, ε = {epsilon_words(collection.mechanism.epsilon)}; {made}")
        )
    return facts(known)
