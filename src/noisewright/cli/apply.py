"""``noisewright apply``: use a release on other rows, or print the statistic that it is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from noisewright.cli.common import print_json, print_text, say, status_of
from noisewright.cli.one_domain import JsonOption
from noisewright.cli.targets import TABLES, ForceOption, check_output, write_columns
from noisewright.errors import BadTable, InvalidParameter, NoisewrightError
from noisewright.text import plain

if TYPE_CHECKING:
    from noisewright.domains import Floats
    from noisewright.release.model_file import SavedRelease


def apply(
    model: Annotated[Path, typer.Argument(metavar="MODEL", help="What noisewright release -o wrote.")],
    data: Annotated[
        Path | None,
        typer.Argument(metavar="[ROWS]", help="A CSV, Parquet or Arrow file; a statistic needs none."),
    ] = None,
    output: Annotated[
        str | None,
        typer.Option(
            "--output", "-o", metavar="FILE", help="Where predictions, components or the statistic go."
        ),
    ] = None,
    force: ForceOption = False,
    as_json: JsonOption = False,
) -> None:
    """Predict or transform rows with a release, or print a released statistic.

    Reads the columns that the release knows, by their names. Nothing is randomized here: what comes out
    tells something about the rows that went in and is as confidential as these.

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
            check_output(output, TABLES, "the statistic", [model], replace=force)
        _tell_statistic(saved, output, as_json=as_json)
        return
    if data is None or output is None:
        raise InvalidParameter(f"{model} is a model: give the ROWS to use it on, and -o for what comes out")
    check_output(output, TABLES, "the results", [data, model], replace=force)
    rows = _rows(saved, data)
    with status_of("Applying", quiet=as_json), _finite_only(model):
        columns = saved.apply(rows)
    write_columns(output, {name: values.tolist() for name, values in columns.items()})
    _say_where(columns, output, as_json=as_json)


@contextmanager
def _finite_only(model: Path) -> Iterator[None]:
    """Reject answers that are too large for a float; warnings of libraries about them show paths and code."""
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
    """Read the features of the release in the order that it knows them."""
    from noisewright.cli.release import in_words  # noqa: PLC0415  (slow to load)
    from noisewright.release.basics.pool_file import read_pool_table  # noqa: PLC0415

    with in_words({"before they are randomized": "first"}):
        return read_pool_table(data, saved.facts.columns()).rows


def _say_where(columns: Mapping[str, Any], output: str, *, as_json: bool) -> None:
    rows = len(next(iter(columns.values())))
    if as_json:
        print_json({"output": output, "rows": rows, "columns": list(columns)})
        return
    print_text(f"{rows:,} rows in {plain(output)}: {', '.join(map(plain, columns))}")


def _tell_statistic(saved: SavedRelease, output: str | None, *, as_json: bool) -> None:
    """Write or print the numbers after free post-processing, under their names."""
    import numpy as np  # noqa: PLC0415

    from noisewright.release.model_file import without_rounding  # noqa: PLC0415

    names, values = saved.statistic()
    rounded = without_rounding(values).ravel()
    if output is not None:
        columns = {"name": np.array(names), "value": rounded}
        write_columns(output, {name: values.tolist() for name, values in columns.items()})
        _say_where(columns, output, as_json=as_json)
        return
    if as_json:
        named = zip(map(plain, names), values.ravel().tolist(), strict=True)
        print_json({"released": [{"name": name, "value": value} for name, value in named]})
        return
    for name, value in zip(map(plain, names), rounded.tolist(), strict=True):
        print_text(f"{value:>14.6g}  {name}")
