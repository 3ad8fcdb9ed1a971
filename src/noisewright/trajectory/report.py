"""Reports of routes that were made private, reconstructed, and measured against the truth."""

from __future__ import annotations

import numpy as np

from noisewright.report import (
    Block,
    Bullets,
    Caution,
    Facts,
    Figure,
    Report,
    Section,
    Table,
    number,
)
from noisewright.text import epsilon_words
from noisewright.trajectory.collection import Collection
from noisewright.trajectory.estimates import FREE, RouteEstimate
from noisewright.trajectory.evaluation import WARNING, RouteEvaluation
from noisewright.trajectory.mechanisms import CellOracle
from noisewright.trajectory.perturb import PerturbedRoutes
from noisewright.trajectory.plots import Layer, plot_densities, plot_errors, plot_spread, route_panels
from noisewright.trajectory.spaces import Space, distance_words

KINDS = {
    "rectangle": ("a rectangle", ""),
    "disk": ("a disk", ""),
    "polygon": ("a polygon", ""),
    "lonlat_polygon": ("a polygon on Earth", ", randomized in the box around it"),
    "lonlat": ("a box in degrees", ", randomized by longitude and latitude"),
    "localmap": ("a box in degrees", ", randomized on a local map in metres"),
    "sphere": ("the whole Earth", ""),
}
"""The name of each kind of space, and a remark on how it is randomized."""

MOST_MAPS = 4
"""Most density maps side by side."""

MEANINGS = (
    ("mean error", "The mean distance of a point from its true place, over all points or route by route."),
    ("points within … of the truth", "How often a search that far around a point finds its true place."),
    ("visits to hotspots lost", "Visits to the busiest fifth of 20 × 20 cells that now end outside them."),
    ("time warping, a step", "The mean distance of two points of the best walk along both routes."),
    ("Fréchet distance", "The shortest leash for a walk along both routes; averaged over routes."),
)


def space_words(space: Space, *, remark: bool = True) -> str:
    """Return a space in words, with its bounds and its size, and a remark on how it is randomized.

    >>> from noisewright.trajectory import Rectangle
    >>> space_words(Rectangle(0, 0, 3, 4))
    'a rectangle from 0, 0 to 3, 4, 5 across'
    """
    name, randomized = KINDS.get(space.kind, (f"a {space.kind}", ""))
    left, bottom, right, top = space.bounds
    across = distance_words(space.diameter, space.units)
    return f"{name} from {left:.10g}, {bottom:.10g} to {right:.10g}, {top:.10g}, {across} across" + (
        randomized if remark else ""
    )


# -- routes that were made private -----------------------------------------------------------------


def perturbed_report(found: PerturbedRoutes) -> Report:
    """Describe a file of private routes, or of cells, which have no map."""
    collection = found.collection
    made: list[Block] = [Facts(_facts(found)), Bullets(found.reasons)]
    sections = [Section("What is promised", _promise(found)), Section("How it was made", made)]
    if isinstance(collection, Collection):
        sections.append(Section("The reports", _reports(collection)))
    return Report(
        title=f"Private routes in {found.path.name}",
        lead=f"{found.counts}, randomness: {collection.randomness}.",
        sections=sections,
        verb="routes perturb",
        data=found.to_dict(),
    )


def _promise(found: PerturbedRoutes) -> list[Block]:
    collection = found.collection
    promised: Block = collection.guarantee
    if not collection.private:
        promised = Caution(f"The noise was {collection.guarantee}.")
    warned = [Caution(f"Warning: {warning}.") for warning in found.warnings]
    return [promised, *warned, f"NOT protected: {found.unprotected}."]


def _facts(found: PerturbedRoutes) -> list[tuple[str, object]]:
    mechanism, budget = found.collection.mechanism, found.collection.budget
    cells = isinstance(mechanism, CellOracle)
    plain = not cells and found.coordinates == "lonlat" and mechanism.space.units != "metres"
    remark = " (degrees are taken as units of a plane)" if plain else ""
    facts: list[tuple[str, object]] = [
        ("File", str(found.path)),
        ("Mechanism", mechanism.title),
        ("Space", space_words(mechanism.space, remark=not cells) + remark),
        ("Budget", f"ε = {epsilon_words(budget.epsilon)} for each {budget.unit}"),
        ("ε of one report", epsilon_words(mechanism.epsilon)),
    ]
    if isinstance(mechanism, CellOracle):
        columns, rows = mechanism.cells
        facts[1] = "Mechanism", f"the cell among {columns} × {rows}, through {mechanism.oracle.title}"
    else:
        error = distance_words(mechanism.expected_error(), mechanism.space.units)
        facts.append(("Expected error of a report", error))
    if found.collection.processed is not None:
        facts.append(("Then", f"{found.collection.processed}, which costs no privacy"))
    return [*facts, *(("Afterwards", hint) for hint in found.afterwards)]


def _reports(collection: Collection) -> list[Block]:
    """Return maps of the reports of a few routes, and of all."""
    routes, space = collection.routes, collection.mechanism.space
    few = [Layer("reports", routes, 1, scattered=True)]
    return [
        Figure(
            "reports",
            [("Maps of the reports of a few routes.", lambda: route_panels(space, few))],
            "Reports of the routes with the most points. Noise and all: these are not the true places.",
        ),
        Figure(
            "density",
            [
                (
                    "Density map of all reports.",
                    lambda: plot_densities(space, [("all reports", routes.points)]),
                )
            ],
            "Where all reports fall, the stronger the colour, the more. noisewright routes count estimates "
            "the true density.",
        ),
    ]


# -- routes that were reconstructed ----------------------------------------------------------------


def estimate_report(found: RouteEstimate) -> Report:
    """Describe reconstructed routes: the cost, the gain, and where people probably were."""
    space = found.collection.mechanism.space
    before, after = (distance_words(error, space.units) for error in (found.before, found.after))
    routes = found.found.routes
    counted = f"{len(routes):,} {'route' if len(routes) == 1 else 'routes'} of {len(routes.points):,} points"
    facts = [
        ("File", str(found.path)),
        ("Expected error of a report", before),
        ("Expected error of an estimate", after),
        ("Mechanism of the reports", found.collection.mechanism.title),
        ("Space", space_words(space)),
    ]
    cost = [FREE, f"Guarantee of the reports: {found.collection.guarantee}"]
    return Report(
        title=f"Reconstructed routes in {found.path.name}",
        lead=f"{counted}, estimated from their reports alone.",
        sections=[
            Section("What it cost", cost),
            Section("What it gained", [found.gain, Facts(facts), _spread(found)]),
            Section("The routes", _estimated_maps(found, space)),
        ],
        verb="routes reconstruct",
        data=found.to_dict(),
    )


def _spread(found: RouteEstimate) -> Figure:
    spread, units = found.found.spread, found.collection.mechanism.space.units
    panels = [("Histogram of expected errors.", lambda: plot_spread(spread, units))]
    return Figure("spread", panels, "How far each estimate is expected to be off, by its own posterior.")


def _estimated_maps(found: RouteEstimate, space: Space) -> list[Block]:
    layers = [
        Layer("reports", found.collection.routes, 1, scattered=True),
        Layer("estimate", found.found.routes, 2),
    ]
    clouds = [("reports", found.collection.routes.points), ("estimates", found.found.routes.points)]
    return [
        Figure(
            "routes",
            [("Maps of reports and estimates of a few routes.", lambda: route_panels(space, layers))],
            "Reports as dots and the estimated way as a line, for the routes with the most points.",
        ),
        Figure(
            "density",
            [("Two density maps.", lambda: plot_densities(space, clouds))],
            "Where reports and estimates fall, in the same shades: the stronger the colour, the more.",
        ),
    ]


# -- routes measured against the truth -------------------------------------------------------------


def evaluation_report(found: RouteEvaluation) -> Report:
    """Describe an evaluation: a table, maps, densities and errors. It is not private."""
    against = f"{len(found.true):,} routes of {len(found.true.points):,} points against {found.name}"
    return Report(
        title="How useful private routes still are",
        lead=f"{against}: what is left of the truth.",
        sections=[
            Section("In numbers", [Caution(WARNING), metrics_table(found, against)]),
            Section("A few routes", [routes_figure(found)]),
            Section("Where people are", [_densities(found)]),
            Section("How far points are off", [_errors(found)]),
            Section("What was compared", [Facts(_comparison_facts(found)), Facts(MEANINGS)]),
        ],
        verb="routes evaluate",
        data=found.to_dict(),
    )


def metrics_table(found: RouteEvaluation, caption: str) -> Table:
    """Return all metrics of all files; the best of each is marked where there are several."""
    rows = []
    for name, words, numbers in found.rows():
        marked = best_places(numbers)
        rows.append([name, *(number(word, best=place in marked) for place, word in enumerate(words))])
    return Table(caption, ["Metric", *(judged.entry.title for judged in found.files)], rows)


def best_places(numbers: list[float]) -> set[int]:
    """Return the places of the least numbers, where several files differ.

    >>> best_places([3.0, 1.0]), best_places([3.0]), best_places([2.0, 2.0])
    ({1}, set(), set())
    """
    known = [number for number in numbers if not np.isnan(number)]
    if len(known) < 2 or min(known) == max(known):
        return set()
    return {place for place, number in enumerate(numbers) if number == min(known)}


def routes_figure(found: RouteEvaluation) -> Figure:
    """Return maps of true, private and reconstructed ways of a few routes."""
    layers = [
        Layer(
            judged.entry.path.name,
            judged.entry.collection.routes,
            place,
            scattered=judged.entry.kind != "estimates",
        )
        for place, judged in enumerate(found.files, 1)
    ]
    layers = sorted(layers, key=lambda layer: not layer.scattered)  # dots lie below lines
    caption = (
        "The routes with the most points, to scale: true ways as solid lines, reports as dots, and estimates "
        "as broken lines. Ways that go to and fro too often for a line are shown by marks."
    )
    title, ways = "Maps of true, private and estimated routes.", [*layers, Layer("true", found.true, 0)]
    return Figure("routes", [(title, lambda: route_panels(found.space, ways))], caption)


def _densities(found: RouteEvaluation) -> Figure:
    clouds = [("true", found.true.points)]
    named = zip(found.titles, found.files, strict=True)
    clouds += [(name, judged.entry.collection.routes.points) for name, judged in named]
    caption = "The share of points in each cell, in the same shades on every map: the stronger, the more."
    panels = [("Density maps side by side.", lambda: plot_densities(found.space, clouds[:MOST_MAPS]))]
    return Figure("densities", panels, caption)


def _errors(found: RouteEvaluation) -> Figure:
    errors = [(name, judged.errors) for name, judged in zip(found.titles, found.files, strict=True)]
    caption = "The share of points that lie within a distance of their true place; higher is better."
    panels = [("Lines of the distribution of errors.", lambda: plot_errors(errors, found.space.units))]
    return Figure("errors", panels, caption)


def _comparison_facts(found: RouteEvaluation) -> list[tuple[str, object]]:
    known: list[tuple[str, object]] = [("Space", space_words(found.space))]
    for name, judged in zip(found.titles, found.files, strict=True):
        collection = judged.entry.collection
        made = collection.processed or "reports as they were drawn"
        known.append(
            (name, f"{collection.mechanism.title}, ε = {epsilon_words(collection.mechanism.epsilon)}; {made}")
        )
    return known
