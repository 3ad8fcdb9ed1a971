"""The page of a comparison of methods for routes."""

from __future__ import annotations

import numpy as np

from noisewright import __version__
from noisewright.mechanisms.drawing import new_figure
from noisewright.pages.figures import PALETTE, drawing_style, figure
from noisewright.pages.markup import Html, bullets, tag
from noisewright.pages.route_comparison import RouteComparison
from noisewright.pages.route_comparison_text import HEADER, cells
from noisewright.pages.route_words import space_words
from noisewright.pages.tables import number, table
from noisewright.pages.template import Section, page

WARNING = "The errors were measured on the true routes, so this page is NOT private: keep it like the data."


def comparison_page(found: RouteComparison) -> str:
    """The whole document."""
    warning = tag("p", WARNING, class_="warning")
    reasons = bullets(f"{row.name}: {row.why}." for row in found.rows)
    sections = [
        Section("Side by side", [warning, _table(found), bullets(found.notes)]),
        Section("Error", [_errors(found)]),
        Section("Why the real ε is what it is", [reasons]),
    ]
    lead = f"{found.title}; {space_words(found.space)}."
    footer = f"Written by noisewright routes compare, version {__version__}."
    return page("Methods for routes", lead, sections, footer)


def _table(found: RouteComparison) -> Html:
    rows = []
    for row in found.rows:
        nominal, real, error, kept = cells(found, row)
        best = number(error, best=row is found.best)
        rows.append([row.name, number(nominal), number(real), best, kept])
    return table("Methods that keep their ε first, by their mean error", ["Method", *HEADER], rows)


def _errors(found: RouteComparison) -> Html:
    metres = found.space.units == "metres"
    places = np.arange(len(found.rows))
    with drawing_style():
        drawn = new_figure(10, 1.0 + 0.32 * len(found.rows))
        axes = drawn.subplots()
        errors = [row.error / (1000 if metres else 1) for row in found.rows]
        colours = [PALETTE[0] if row.honest else PALETTE[1] for row in found.rows]
        axes.barh(places, errors, height=0.7, color=colours)
        names = [row.name if row.honest else f"{row.name} (real ε {row.real_words})" for row in found.rows]
        axes.set_yticks(places, names)
        axes.set_ylim(len(names) - 0.4, -0.6)
        axes.set_xlabel(f"mean error{', km' if metres else ''}")
    caption = "Mean distance of report and truth. Methods that spend more than they say name their real ε."
    return figure("errors", drawn, title="Bars of the mean error of each method.", caption=caption)
