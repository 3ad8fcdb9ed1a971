"""``noisewright joint run``: joint randomized response between processes on this machine."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from noisewright.cli.common import print_json, print_text, say, status_of
from noisewright.cli.targets import ForceOption
from noisewright.errors import InvalidParameter

if TYPE_CHECKING:
    from noisewright.protocol.run.config import RunConfig


def run(
    config: Annotated[
        Path | None, typer.Option("--config", "-c", metavar="FILE", help="What to run, as a TOML file.")
    ] = None,
    example: Annotated[bool, typer.Option("--example", help="Print an example of such a file.")] = False,
    force: ForceOption = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON and nothing else.")] = False,
) -> None:
    """Run joint randomized response between processes: grouping, two-party coins, reports, counts.

    Starts worker processes that hold the users' values, groups users by a commit-and-reveal beacon or by a
    committee that computes on secret shares, lets every pair draw its coins through a relay over TLS, and
    counts the reports. Values never leave their worker other than as reports.

    noisewright joint run --example > pairs.toml && noisewright joint run --config pairs.toml
    """
    from noisewright.engine import write_reports  # noqa: PLC0415  (Arrow takes a moment to load)
    from noisewright.protocol.run.choice import chooser  # noqa: PLC0415
    from noisewright.protocol.run.config import EXAMPLE, RunConfig  # noqa: PLC0415
    from noisewright.protocol.run.joint import run_joint  # noqa: PLC0415
    from noisewright.protocol.run.words import told  # noqa: PLC0415

    if example:
        print_text(EXAMPLE.rstrip("\n"))
        return
    if config is None:
        raise InvalidParameter("give --config FILE, or --example to see what such a file says")
    wanted = RunConfig.read(config)
    _check_output(wanted, force=force)
    with status_of("Starting processes", quiet=as_json) as status:
        result = run_joint(
            wanted, chooser(wanted), lambda what, done, total: status(f"· {what}: {done:,} of {total:,}")
        )
    if wanted.output is not None:
        column = wanted.column or "value"
        write_reports(wanted.output, {column: result.reports}, {column: result.mechanism}, replace=force)
        say(f"the reports are in {wanted.output}")
    if as_json:
        print_json(result.to_dict())
    else:
        print_text(told(result))


def _check_output(config: RunConfig, *, force: bool) -> None:
    """Refuse, before any work is done, an output that could not be written in the end."""
    from noisewright.engine.collected import report_targets  # noqa: PLC0415  (Arrow takes a moment to load)

    if config.output is not None:
        original = config.file if config.file is not None and config.file.exists() else None
        report_targets(config.output, original, replace=force)
