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
from noisewright.trajectory import Budget, CellGrid, Collection, LonLatBox, Routes, TraCSC
from noisewright.trajectory.aggregates import Count, count_inside
from noisewright.trajectory.files import write_routes
from noisewright.trajectory.reconstruction import reconstruct
from noisewright.trajectory.simulate import vehicle_traces
from noisewright.trajectory.words import distance_words

TOWN = LonLatBox(139.47, 35.51, 139.90, 35.86)
WEST = (139.47, 35.51, 139.685, 35.86)
"""The western half of the town, for a range query."""

EPSILON = 4.0
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
    drawn = Collection.draw(TraCSC(TOWN, EPSILON), Budget(EPSILON), true, trip.source)
    found = evaluate_all("the true ways", true, [Entry(Path("reports"), drawn), _estimates(drawn)])
    count = count_inside(drawn.routes, drawn.mechanism, WEST)
    inside = int((true.points[:, 0] <= WEST[2]).sum())
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
    found = reconstruct(drawn.routes, drawn.mechanism, max_speed=SPEED, grid=CELLS)
    return Entry(Path("estimates"), RouteEstimate(Path("estimates"), drawn, found).collection_of_estimates)


def _first(true: Routes) -> str:
    return (
        f"{len(true)} made-up vehicles drive through a town of {distance_words(TOWN.diameter, TOWN.units)} "
        f"across and report where they are every {SECONDS:g} seconds, each location through TraCS-C with "
        f"ε = {EPSILON:g}."
    )


def _second(found: RouteEvaluation) -> str:
    before, after = (judged.evaluation.average_error for judged in found.files)
    words = [distance_words(error, TOWN.units) for error in (before, after)]
    return (
        f"Reports are {words[0]} off on average. Reconstruction with the law of the noise and the speed "
        f"limit brings that to {words[1]}, {percent(1 - after / before)} less. {FREE}"
    )


def _third(count: Count, inside: int) -> str:
    return f"In the western half there are {count}, from reports alone; the truth is {inside:,}."


def _commands() -> Html:
    west, south, east, north = TOWN.bounds
    space = f"{west:g},{south:g},{east:g},{north:g} --method C"
    return paragraph(
        "The true ways are in ",
        tag("code", "trips.geojson"),
        " beside this page. To do it: ",
        tag(
            "code", f"noisewright routes perturb trips.geojson --epsilon 4 --space {space} -o private.geojson"
        ),
        ", then ",
        tag("code", f"noisewright routes reconstruct private.geojson --max-speed {SPEED:g}"),
    )
