"""``noisewright routes reconstruct``: where private routes probably went, from their reports alone."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from noisewright.cli.common import print_json, print_text, status_of
from noisewright.cli.html import HtmlOption, check_html, write_html
from noisewright.cli.one_domain import JsonOption
from noisewright.cli.routes_files import read_evidence, read_points
from noisewright.cli.routes_options import PointsOption, QuietOption
from noisewright.cli.targets import ForceOption
from noisewright.errors import BadTable

if TYPE_CHECKING:
    from noisewright.trajectory.routes import Routes


def reconstruct(
    private: Annotated[
        Path, typer.Argument(metavar="PRIVATE", help="Reports that noisewright routes perturb wrote.")
    ],
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Where the estimates go; NAME.reconstructed.* if not given."),
    ] = None,
    max_speed: Annotated[
        float | None,
        typer.Option(
            metavar="V", help="A speed that nobody exceeds, in metres (or units of the plane) a second."
        ),
    ] = None,
    points: PointsOption = None,
    person: Annotated[
        str | None,
        typer.Option(
            metavar="MARK",
            help="Routes whose names agree up to this mark are of one person: / for ada/monday and "
            "ada/tuesday. Repeated places of a person then help all their routes.",
        ),
    ] = None,
    force: ForceOption = False,
    html: HtmlOption = None,
    as_json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Estimate where routes went, from reports, the known noise and public facts. It costs no privacy.

    The population's density is learned from all reports; repeated places of a person and a speed limit
    narrow each route further. The estimates are no reports: they cannot be counted or reconstructed again.

    noisewright routes reconstruct private.geojson --max-speed 30
    """
    # Arrow and the mechanisms take a moment to load, which --help need not wait for.
    from noisewright.pages.route_estimate import RouteEstimate  # noqa: PLC0415
    from noisewright.trajectory.files import write_routes  # noqa: PLC0415
    from noisewright.trajectory.reconstruction import reconstruct as estimate  # noqa: PLC0415

    check_html(html, replace=force)
    target = _target(private, output, force=force)
    file, collection = read_evidence(private)
    people = _people(collection.routes, person)
    with status_of("Reconstructing", quiet=quiet or as_json):
        found = estimate(
            collection.routes,
            collection.mechanism,
            max_speed=max_speed,
            points=read_points(points, file.coordinates),
            reported=collection.reported,
            people=people,
        )
    result = RouteEstimate(target, collection, found)
    write_routes(
        target,
        found.routes,
        coordinates=file.coordinates,
        about=result.collection_of_estimates.to_dict(),
        reported=collection.reported,
        replace=force,
        original=private,
    )
    if html is not None:
        from noisewright.pages.route_estimate_page import estimate_page  # noqa: PLC0415  (matplotlib is slow)

        write_html(html, estimate_page(result))
    if as_json:
        print_json({"input": str(private), **result.to_dict()})
    elif not quiet:
        print_text("\n".join(result.lines()))


def _target(private: Path, output: Path | None, *, force: bool) -> Path:
    """Where the estimates go; refused before any work is done where they could not."""
    from noisewright.engine.outputs import check_target  # noqa: PLC0415  (Arrow is slow to load)
    from noisewright.trajectory.files.kinds import kind_of  # noqa: PLC0415

    target = output or private.with_suffix(f".reconstructed{private.suffix}")
    kind_of(target)
    check_target(target, private if private.exists() else None, replace=True)
    if target.exists() and not force:
        raise BadTable(f"{target} exists already; choose another name, or pass --force to replace it")
    return target


def _people(routes: Routes, mark: str | None) -> list[str] | None:
    """Who each route belongs to, if names tell."""
    return None if not mark else [name.split(mark)[0] for name in routes.names]
