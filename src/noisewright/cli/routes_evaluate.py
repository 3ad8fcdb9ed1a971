"""``noisewright routes evaluate``: how far private and reconstructed routes are from the true ones."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from noisewright.cli.common import print_json, say, status_of
from noisewright.cli.html import HtmlOption, check_html, write_html
from noisewright.cli.numbers import read_number
from noisewright.cli.one_domain import JsonOption
from noisewright.cli.routes_files import read_collection, read_file
from noisewright.cli.routes_options import ColumnOption, OneRouteOption
from noisewright.cli.targets import ForceOption
from noisewright.errors import BadTable

if TYPE_CHECKING:
    from noisewright.trajectory.files import RouteFile
    from noisewright.trajectory.routes import Routes


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
    from noisewright.pages.route_evaluation import Entry, evaluate_all  # noqa: PLC0415  (slow to load)
    from noisewright.pages.route_evaluation_text import show  # noqa: PLC0415

    check_html(html, replace=force)
    radii = [read_number(text, text, "--radius wants a distance, for example 1000") for text in radius or []]
    file = read_file(trips, column, one_route=one_route)
    entries = []
    for path in private:
        other, collection = read_collection(path)
        _check_alike(trips, file, path, other)
        entries.append(Entry(path, collection))
    with status_of("Measuring", quiet=as_json) as progress:
        found = evaluate_all(trips.name, file.routes, entries, radii, progress)
    say(f"these numbers come from the true routes of {trips} and are NOT PRIVATE; keep them like {trips}")
    if html is not None:
        from noisewright.pages.route_evaluation_page import evaluation_page  # noqa: PLC0415  (slow to load)

        write_html(html, evaluation_page(found))
    if as_json:
        print_json(found.to_dict())
    else:
        show(found)


def _check_alike(trips: Path, true: RouteFile, path: Path, other: RouteFile) -> None:
    """Refuse files that do not hold the same routes, whose distances would mean nothing."""
    if true.coordinates != other.coordinates:
        raise BadTable(f"{trips} and {path} do not hold the same kind of coordinates")
    if not _same_names(true.routes, other.routes):
        raise BadTable(f"{trips} and {path} do not hold the same routes: their names differ")
    if true.routes.lengths.tolist() != other.routes.lengths.tolist():
        raise BadTable(f"{trips} and {path} do not hold the same routes: numbers of points differ")


def _same_names(true: Routes, other: Routes) -> bool:
    """Whether names agree; routes that were renamed by numbers are in the order of the file."""
    numbered = tuple(str(number) for number in range(1, len(true) + 1))
    return other.names in (true.names, numbered)
