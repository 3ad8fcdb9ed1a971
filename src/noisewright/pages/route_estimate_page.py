"""The page of reconstructed routes: what it cost, what it gained, and where people probably were.

Everything on it comes from reports and public facts; true routes are never looked at.
"""

from __future__ import annotations

import numpy as np

from noisewright import __version__
from noisewright.mechanisms.drawing import new_figure
from noisewright.pages.figures import PALETTE, drawing_style, figure
from noisewright.pages.markup import Html, facts
from noisewright.pages.route_densities import densities
from noisewright.pages.route_estimate import FREE, RouteEstimate
from noisewright.pages.route_panels import Layer, route_panels
from noisewright.pages.route_words import space_words
from noisewright.pages.template import Section, page
from noisewright.trajectory.words import distance_words

BINS = 40


def estimate_page(result: RouteEstimate) -> str:
    """The whole document."""
    space = result.collection.mechanism.space
    before, after = (distance_words(error, space.units) for error in (result.before, result.after))
    known = facts([
        ("Expected error of a report", before),
        ("Expected error of an estimate", after),
        ("Mechanism of the reports", result.collection.mechanism.title),
        ("Space", space_words(space)),
    ])  # fmt: skip
    clouds = [("reports", result.collection.routes.points), ("estimates", result.found.routes.points)]
    caption = "Where reports and estimates fall, in the same shades: the darker the more."
    pair = figure("density", densities(space, clouds), title="Two density maps.", caption=caption)
    sections = [
        Section("What it cost", [FREE, f"Guarantee of the reports: {result.collection.guarantee}"]),
        Section("What it gained", [result.gain, known, _spread(result)]),
        Section("The routes", [_maps(result), pair]),
    ]
    lead = f"{len(result.found.routes):,} routes, estimated from their reports alone."
    footer = f"Written by noisewright routes reconstruct, version {__version__}."
    return page(f"Reconstructed routes in {result.path.name}", lead, sections, footer)


def _spread(result: RouteEstimate) -> Html:
    """How far off the estimates are likely to be."""
    metres = result.collection.mechanism.space.units == "metres"
    spread = result.found.spread / (1000 if metres else 1)
    with drawing_style():
        drawn = new_figure(10, 2.6)
        axes = drawn.subplots()
        counts, edges = np.histogram(spread, bins=BINS, range=(0, max(float(spread.max()), 1e-12)))
        axes.stairs(counts, edges, fill=True, color=PALETTE[2])
        axes.set(xlabel=f"expected error{', km' if metres else ''}", ylabel="points")
    caption = "How far each estimate is expected to be off, by its own posterior."
    return figure("spread", drawn, title="Histogram of expected errors.", caption=caption)


def _maps(result: RouteEstimate) -> Html:
    """Reports and estimates of a few routes."""
    layers = [
        Layer("reports", result.collection.routes, 1, scattered=True),
        Layer("estimate", result.found.routes, 2),
    ]
    drawn = route_panels(result.collection.mechanism.space, layers)
    caption = "Reports as dots and the estimated way as a line, for the routes with the most points."
    return figure("routes", drawn, title="Maps of reports and estimates of a few routes.", caption=caption)
