"""``noisewright routes evaluate``: how far private and reconstructed routes are from the true ones."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from noisewright.cli.common import say, status_of
from noisewright.cli.numbers import read_number
from noisewright.cli.one_domain import JsonOption
from noisewright.cli.output import HtmlOption, check_html, show
from noisewright.cli.routes_options import ColumnOption, OneRouteOption, in_words_of_options, read_file
from noisewright.cli.targets import ForceOption


def evaluate(
    trips: Annotated[
        Path, typer.Argument(metavar="TRIPS", help="True routes: .csv, .parquet, .geojson or .gpx.")
    ],
    private: Annotated[
        list[Path],
        typer.Argument(metavar="PRIVATE...", help="Private routes, and others made of them, side by side."),
    ],
    radius: Annotated[
        list[str] | None,
        typer.Option(
            metavar="METRES",
            help="Radii of the range queries; 1, 2, 5 and 10 % of the width of the space if not given.",
        ),
    ] = None,
    column: ColumnOption = None,
    one_route: OneRouteOption = False,
    html: HtmlOption = None,
    force: ForceOption = False,
    as_json: JsonOption = False,
) -> None:
    """Measure how useful private routes still are, against the true ones. The numbers are NOT private.

    noisewright routes evaluate trips.geojson private.geojson private.reconstructed.geojson --html report.html
    """
    from noisewright.trajectory.collection import read_collection  # noqa: PLC0415  (slow to load)
    from noisewright.trajectory.evaluation import Entry, check_alike, evaluate_all  # noqa: PLC0415

    check_html(html, replace=force)
    radii = [read_number(text, text, "--radius wants a distance, for example 1000") for text in radius or []]
    file = read_file(trips, column, one_route=one_route)
    entries = []
    for path in private:
        with in_words_of_options():
            other, collection = read_collection(path)
        check_alike(trips, file, path, other)
        entries.append(Entry(path, collection))
    with status_of("Measuring", quiet=as_json) as status:
        found = evaluate_all(trips.name, file.routes, entries, radii, status)
    say(f"these numbers come from the true routes of {trips} and are NOT PRIVATE; keep them like {trips}")
    show(found.report(), inputs=private, html=html, as_json=as_json)
