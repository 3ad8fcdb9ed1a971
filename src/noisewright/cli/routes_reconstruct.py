"""``noisewright routes reconstruct``: where private routes probably went, from their reports alone."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from noisewright.cli.common import status_of
from noisewright.cli.one_domain import JsonOption
from noisewright.cli.output import HtmlOption, check_html, show
from noisewright.cli.routes_options import PointsOption, QuietOption, in_words_of_options
from noisewright.cli.targets import ForceOption
from noisewright.errors import BadTable


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
    from noisewright.trajectory.collection import read_evidence  # noqa: PLC0415
    from noisewright.trajectory.estimates import estimate_routes  # noqa: PLC0415
    from noisewright.trajectory.files.route_file import read_points  # noqa: PLC0415

    check_html(html, replace=force)
    target = _target(private, output, force=force)
    with in_words_of_options(), status_of("Reconstructing", quiet=quiet or as_json):
        file, collection = read_evidence(private)
        public = None if points is None else read_points(points, file.coordinates)
        found = estimate_routes(collection, target, person=person, max_speed=max_speed, points=public)
        found.write(file.coordinates, replace=force, original=private)
    report = found.report()
    report = replace(report, data={"input": str(private), **report.data})
    inputs = [private] if points is None else [private, Path(points)]
    show(report, inputs=inputs, html=html, as_json=as_json, quiet=quiet)


def _target(private: Path, output: Path | None, *, force: bool) -> Path:
    """Where the estimates go; refused before any work is done where they could not."""
    from noisewright.io.outputs import check_target  # noqa: PLC0415  (Arrow is slow to load)
    from noisewright.trajectory.files.route_file import kind_of  # noqa: PLC0415

    target = output or private.with_suffix(f".reconstructed{private.suffix}")
    kind_of(target)
    check_target(target, private if private.exists() else None, replace=True)
    if target.exists() and not force:
        raise BadTable(f"{target} exists already; choose another name, or pass --force to replace it")
    return target
