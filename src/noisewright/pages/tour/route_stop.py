"""The stop about routes: simulated vehicles whose ways are made private, reconstructed, measured, counted."""

from __future__ import annotations

from pathlib import Path

from noisewright.pages.markup import Html, paragraph, tag
from noisewright.pages.publish import write_text
from noisewright.pages.route_estimate import FREE, RouteEstimate
from noisewright.pages.route_evaluation import Entry, RouteEvaluation, evaluate_all
from noisewright.pages.route_evaluation_page import metrics_table, routes_figure
from noisewright.pages.tour.trip import Stop, Trip
from noisewright.pages.wording import percent
from noisewright.trajectory import (
    Budget,
    CellGrid,
    CellOracle,
    CellReports,
    Collection,
    LonLatBox,
    Routes,
    TraCSC,
)
from noisewright.trajectory.aggregates import Count, count_inside
from noisewright.trajectory.files import write_routes
from noisewright.trajectory.reconstruction import reconstruct
from noisewright.trajectory.simulate import vehicle_traces
from noisewright.trajectory.words import distance_words

TOWN = LonLatBox(139.47, 35.51, 139.90, 35.86)
WEST = (139.47, 35.51, 139.685, 35.86)
"""The western half of the town, for a range query."""

EPSILON, REPORTS = 8.0, 3
"""The budget of a whole route, and how many of its points are reported."""

VEHICLES, POINTS, SECONDS = 30, 60, 20.0
SPEED = 20.0
"""Metres a second that no vehicle exceeds."""

PLACES = (8, 6)
"""Columns and rows of the public places."""

CELLS = 32
"""Cells of the reconstruction along each axis: enough for a town, and quick."""


def following_routes(trip: Trip) -> Stop:
    """From true ways to private ones, back to estimates, and to a count with an interval."""
    true = vehicle_traces(TOWN, VEHICLES, POINTS, SPEED, seed=1, seconds=SECONDS)
    _leave(trip.folder, true)
    budget = Budget(EPSILON, "route", REPORTS)
    drawn = Collection.draw(TraCSC(TOWN, budget.of_location), budget, true, trip.source)
    found = evaluate_all("the true ways", true, [Entry(Path("reports"), drawn), _estimates(drawn)])
    halves = CellOracle(TOWN, EPSILON, (2, 1))
    cells = CellReports.draw(halves, Budget(EPSILON, "route", 1), true, trip.source)
    count = count_inside(cells, halves, WEST)
    middles = true.points[true.starts[:-1] + true.lengths // 2]
    inside = int((halves.cell_of(middles) == 0).sum())
    told = [_first(true), _second(found), _third(count, inside)]
    facts = {"evaluation": found.to_dict(), "count": count.to_dict(), "true_count": inside}
    content = [
        *told[:1], drawn.guarantee, routes_figure(found), told[1], metrics_table(found), told[2], _commands()
    ]  # fmt: skip
    return Stop("Routes", told, facts, content)


def _leave(folder: Path, true: Routes) -> None:
    """The true ways, and a few public places of the town, for whoever wants to go on."""
    write_routes(folder / "trips.geojson", true, replace=True)
    places = CellGrid(TOWN, *PLACES).middles(range(PLACES[0] * PLACES[1]))
    lines = [f"{longitude:.4f},{latitude:.4f}" for longitude, latitude in places]
    write_text(folder / "places.csv", "\n".join(["longitude,latitude", *lines, ""]))


def _estimates(drawn: Collection) -> Entry:
    found = reconstruct(drawn.routes, drawn.mechanism, max_speed=SPEED, reported=drawn.reported, grid=CELLS)
    return Entry(Path("estimates"), RouteEstimate(Path("estimates"), drawn, found).collection_of_estimates)


def _first(true: Routes) -> str:
    return (
        f"{len(true)} made-up vehicles drive through a town of {distance_words(TOWN.diameter, TOWN.units)} "
        f"across for {POINTS * SECONDS / 60:g} minutes. Each route as a whole has the budget "
        f"ε = {EPSILON:g}, so {REPORTS} of its points are reported through TraCS-C and those between them "
        "filled in."
    )


def _second(found: RouteEvaluation) -> str:
    before, after = (judged.evaluation.average_error for judged in found.files)
    words = [distance_words(error, TOWN.units) for error in (before, after)]
    return (
        f"Reports are {words[0]} off on average. Reconstruction with the law of the noise and the speed "
        f"limit brings that to {words[1]}, {percent(1 - after / before)} less. {FREE}"
    )


def _third(count: Count, inside: int) -> str:
    return (
        "Where counts are wanted instead of routes, each vehicle spends its budget on one report: in which "
        "half of the town it was midway, through randomized response. In the western half there are "
        f"{count}; the truth is {inside:,}."
    )


def _commands() -> Html:
    west, south, east, north = TOWN.bounds
    space = f"--space {west:g},{south:g},{east:g},{north:g}"
    budget = f"--epsilon {EPSILON:g} --per route --reports {REPORTS}"
    return paragraph(
        "The true ways are in ",
        tag("code", "trips.geojson"),
        " beside this page. To do it: ",
        tag("code", f"noisewright routes perturb trips.geojson {budget} {space} -o private.geojson"),
        ", then ",
        tag("code", f"noisewright routes reconstruct private.geojson --max-speed {SPEED:g}"),
    )
