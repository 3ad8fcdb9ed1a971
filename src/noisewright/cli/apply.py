"""``noisewright apply``: use a released model on other rows, or print a released statistic."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from noisewright.cli.option_types import ForceOption, JsonOption
from noisewright.cli.output import TABLES, check_output, show, write_columns
from noisewright.cli.terminal import say, status_of
from noisewright.errors import BadTable, InvalidParameter, NoisewrightError
from noisewright.report import Report, Section, Table, number
from noisewright.text import plain

if TYPE_CHECKING:
    from noisewright.domains import Floats
    from noisewright.release.model_file import SavedRelease


def apply(
    model: Annotated[Path, typer.Argument(metavar="MODEL", help="A file from noisewright release -o.")],
    data: Annotated[
        Path | None,
        typer.Argument(metavar="[ROWS]", help="A CSV, Parquet or Arrow file; a statistic needs none."),
    ] = None,
    output: Annotated[
        str | None,
        typer.Option(
            "--output", "-o", metavar="FILE", help="File for predictions, components or the statistic."
        ),
    ] = None,
    replace: ForceOption = False,
    as_json: JsonOption = False,
) -> None:
    """Predict or transform rows with a release, or print a released statistic.

    Reads the columns of the release by their names. Nothing is randomized here: the output reveals something
    about the rows and is as confidential as they are.

    noisewright apply model.json rows.csv -o predictions.csv
    """
    from noisewright.cli.release import check_release  # noqa: PLC0415

    check_release()
    from noisewright.release.model_file import load  # noqa: PLC0415  (scikit-learn is slow to load)

    with _finite_only(model):
        saved = load(model)
    if saved.card.simulated:
        say("the release was made with --seed, which is NOT PRIVATE; use it for tests only")
    if not saved.takes_rows:
        if data is not None:
            raise InvalidParameter("the release is a statistic, which takes no rows: give its file alone")
        if output is not None:
            check_output(output, TABLES, "the statistic", [model], replace=replace)
        names, values, rounded = _statistic(saved)
        report = _numbers_report(names, values, rounded)
        if output is not None:
            columns: Mapping[str, Any] = {"name": names, "value": rounded.tolist()}
            write_columns(output, columns)
            report = _file_report(columns, output)
        show(report, inputs=[model], as_json=as_json)
        return
    if data is None or output is None:
        raise InvalidParameter(f"{model} is a model: give the ROWS to use it on, and -o for the output")
    check_output(output, TABLES, "the results", [data, model], replace=replace)
    rows = _rows(saved, data)
    with status_of("Applying", quiet=as_json), _finite_only(model):
        columns = saved.apply(rows)
    write_columns(output, {name: values.tolist() for name, values in columns.items()})
    # No digest of the rows: it would confirm a guess of them.
    show(_file_report(columns, output), inputs=[model], as_json=as_json)


@contextmanager
def _finite_only(model: Path) -> Iterator[None]:
    """Reject answers that are too large for a float, without the warnings of libraries, which show code."""
    import numpy as np  # noqa: PLC0415  (slow to load)

    try:
        with np.errstate(over="raise", invalid="ignore"):
            yield
    except (FloatingPointError, ValueError) as broken:
        if isinstance(broken, NoisewrightError):
            raise
        raise BadTable(
            f"{model} gives answers that are not finite; its numbers, or those of the rows, are too large"
        ) from None


def _rows(saved: SavedRelease, data: Path) -> Floats:
    """Read the features of the release in its own order."""
    from noisewright.release.basics.pool_file import read_pool_table  # noqa: PLC0415

    return read_pool_table(data, saved.facts.columns()).rows


def _statistic(saved: SavedRelease) -> tuple[list[str], Floats, Floats]:
    """Return names, numbers after free post-processing, and the numbers without rounding errors."""
    from noisewright.release.model_file import without_rounding  # noqa: PLC0415  (slow to load)

    names, values = saved.statistic()
    return list(map(plain, names)), values.ravel(), without_rounding(values).ravel()


def _numbers_report(names: Sequence[str], values: Floats, rounded: Floats) -> Report:
    """Describe a statistic: the released numbers, each with its name."""
    rows = [[name, number(f"{value:.6g}")] for name, value in zip(names, rounded.tolist(), strict=True)]
    table = Table("The released numbers", ["name", "value"], rows)
    pairs = zip(names, values.tolist(), strict=True)
    data = {"released": [{"name": name, "value": value} for name, value in pairs]}
    lead = f"{len(rows):,} numbers, with the noise of the release."
    return Report("A released statistic", lead, [Section("Numbers", [table])], verb="apply", data=data)


def _file_report(columns: Mapping[str, Any], output: str) -> Report:
    """Describe the file that was written."""
    rows, names = len(next(iter(columns.values()))), list(columns)
    return Report(
        f"Results in {Path(output).name}",
        f"{rows:,} rows in {output}: {', '.join(names)}",
        [],
        verb="apply",
        data={"output": output, "rows": rows, "columns": names},
        note="The output is as confidential as the rows.",
    )
