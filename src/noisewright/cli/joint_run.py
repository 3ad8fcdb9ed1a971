"""``noisewright joint run``: joint randomized response between processes on this machine."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from noisewright.cli.common import print_json, say, status_of
from noisewright.errors import BadTable, InvalidParameter

if TYPE_CHECKING:
    from noisewright.protocol.run import Choose, RunResult
    from noisewright.protocol.run_config import RunConfig


def run(
    config: Annotated[
        Path | None, typer.Option("--config", "-c", metavar="FILE", help="What to run, as a TOML file.")
    ] = None,
    example: Annotated[bool, typer.Option("--example", help="Print an example of such a file.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace an output that exists already.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON and nothing else.")] = False,
) -> None:
    """Run joint randomized response between processes: grouping, two-party coins, reports, counts.

    Starts worker processes that hold the users' values, groups users by a commit-and-reveal beacon or by a
    committee that computes on secret shares, lets every pair draw its coins through a relay over TLS, and
    counts the reports. Values never leave their worker other than as reports.

    noisewright joint run --example > pairs.toml && noisewright joint run --config pairs.toml
    """
    from noisewright.protocol.run import run_joint  # noqa: PLC0415  (the mechanisms take a moment to load)
    from noisewright.protocol.run_config import EXAMPLE, RunConfig  # noqa: PLC0415
    from noisewright.protocol.run_words import told  # noqa: PLC0415

    if example:
        typer.echo(EXAMPLE, nl=False)
        return
    if config is None:
        raise InvalidParameter("give --config FILE, or --example to see what such a file says")
    wanted = RunConfig.read(config)
    _check_output(wanted.output, force=force)
    with status_of("Starting processes", quiet=as_json) as status:
        result = run_joint(
            wanted, _chooser(wanted), lambda what, done, total: status(f"· {what}: {done:,} of {total:,}")
        )
    if wanted.output is not None:
        _write(wanted.output, wanted.column or "value", result)
        say(f"the reports are in {wanted.output}")
    if as_json:
        print_json(result.to_dict())
    else:
        typer.echo(told(result))


def _chooser(config: RunConfig) -> Choose:
    """How the mechanism follows from the configuration, once the number of users is known."""
    from noisewright.design.joint_plan import joint_plan  # noqa: PLC0415
    from noisewright.mechanisms.joint import JointRandomizedResponse  # noqa: PLC0415

    def choose(users: int) -> JointRandomizedResponse:
        if config.correlation is not None:
            return JointRandomizedResponse(
                config.categories,
                config.epsilon,
                users=users,
                colluders=config.colluders,
                correlation=config.correlation,
                colluding_cap=config.cap_colluding,
            )
        plan = joint_plan(
            users,
            config.epsilon,
            config.colluders,
            share=config.expected_share,
            cap_colluding=config.cap_colluding,
            domain=config.categories,
        )
        return plan.mechanism

    if config.correlation is None and len(config.categories) > 2:
        raise InvalidParameter("more than two categories need a correlation in [privacy]; 0 is always safe")
    return choose


def _check_output(output: Path | None, *, force: bool) -> None:
    """Refuse, before any work is done, an output that could not be written in the end."""
    if output is None:
        return
    if output.suffix.lower() != ".parquet":
        raise BadTable(f"output in [run] must end in .parquet, got {output.name!r}")
    if not output.parent.is_dir():
        raise BadTable(f"cannot write {output}: the folder {output.parent} does not exist")
    if output.exists() and not force:
        raise BadTable(
            f"{output} exists already, and a second run spends the users' budget a second time; choose "
            "another name, or pass --force to replace it"
        )


def _write(output: Path, column: str, result: RunResult) -> None:
    """The reports with their description, as ``noisewright estimate`` reads them."""
    import pyarrow as pa  # noqa: PLC0415  (Arrow takes a moment to load)
    from pyarrow import parquet  # noqa: PLC0415

    from noisewright.engine import Description  # noqa: PLC0415
    from noisewright.engine.outputs import published  # noqa: PLC0415
    from noisewright.engine.sentences import writing  # noqa: PLC0415

    reports = pa.array([str(report) for report in result.reports]).dictionary_encode()
    field = pa.field(column, reports.type, nullable=False)
    schema = pa.schema([field], metadata=Description({column: result.mechanism}).metadata())
    with writing(output), published(output.absolute()) as (draft,):
        parquet.write_table(pa.Table.from_arrays([reports], schema=schema), draft)
