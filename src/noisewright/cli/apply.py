"""``noisewright apply``: use a release on other rows, or print the statistic that it is."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from noisewright.cli.common import print_json, print_text, say, status_of
from noisewright.cli.learn_files import check_output
from noisewright.cli.one_domain import JsonOption
from noisewright.cli.targets import ForceOption
from noisewright.errors import BadTable, InvalidParameter, NoisewrightError
from noisewright.text import plain

if TYPE_CHECKING:
    from noisewright.domains import Floats
    from noisewright.release.model_file import SavedRelease

TABLES: Final = (".csv", ".parquet", ".pq", ".arrow", ".feather")
DIGITS: Final = 12
"""Digits of a statistic, counted from its largest number: the rest is rounding of the computer."""

MOST_PLACES: Final = 300
"""Decimal places that a float can be rounded to."""


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
    if not _takes_rows(saved):
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
        columns = _results(saved, rows)
    _write(output, columns)
    _told(columns, output, as_json=as_json)


def _takes_rows(saved: SavedRelease) -> bool:
    return not saved.from_function and any(hasattr(saved.model, name) for name in ("predict", "transform"))


@contextmanager
def _finite_only(model: Path) -> Iterator[None]:
    """Refuse answers that are too large for a float; warnings of libraries about them show paths and code."""
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
    """The features of the release in the order that it knows them."""
    from noisewright.cli.release_showing import in_words  # noqa: PLC0415  (slow to load)
    from noisewright.cli.release_table import read_pool_table  # noqa: PLC0415

    with in_words({"before they are randomized": "first"}):
        return read_pool_table(data, saved.facts.columns()).rows


def _results(saved: SavedRelease, rows: Floats) -> dict[str, Any]:
    """The predicted label, cluster or number of each row, or its components."""
    model = _without_names(saved.model)
    if hasattr(model, "predict"):
        name = "cluster" if saved.label is None else f"predicted {saved.label}"
        return {name: _checked(model.predict(rows))}
    found = _checked(model.transform(rows))
    return {f"component {place}": found[:, place] for place in range(found.shape[1])}


def _checked(answers: Any) -> Any:
    """Answers as they are; numbers among them must be finite."""
    import numpy as np  # noqa: PLC0415

    if answers.dtype.kind == "f" and not np.isfinite(answers).all():
        raise FloatingPointError
    return answers


def _without_names(model: Any) -> Any:
    """The model for bare arrays: scikit-learn warns where a model knows names and rows have none."""
    for part in [model, *(step for _, step in getattr(model, "steps", []))]:
        if "feature_names_in_" in vars(part):
            del part.feature_names_in_
    return model


def _write(output: str, columns: Mapping[str, Any]) -> None:
    """Write the results, whole or not at all."""
    import pyarrow as pa  # noqa: PLC0415  (slow to load)

    from noisewright.engine.outputs import published, report_writer  # noqa: PLC0415
    from noisewright.engine.reading import kind_of  # noqa: PLC0415
    from noisewright.engine.sentences import writing  # noqa: PLC0415

    target = Path(output).resolve()
    table = pa.table({name: pa.array(values.tolist()) for name, values in columns.items()})
    with (
        writing(target),
        published(target) as (draft,),
        report_writer(kind_of(target), draft, table.schema) as to,
    ):
        to.write_table(table)


def _told(columns: Mapping[str, Any], output: str, *, as_json: bool) -> None:
    rows = len(next(iter(columns.values())))
    if as_json:
        print_json({"output": output, "rows": rows, "columns": list(columns)})
        return
    print_text(f"{rows:,} rows in {plain(output)}: {', '.join(map(plain, columns))}")


def _tell_statistic(saved: SavedRelease, output: str | None, *, as_json: bool) -> None:
    """Write or print the numbers after free post-processing, under their names."""
    import numpy as np  # noqa: PLC0415

    names, values = saved.coordinates, saved.vector
    if not saved.from_function:
        names, values = saved.model.names, saved.model.value
    rounded = _rounded(values).ravel()
    if output is not None:
        columns = {"name": np.array(names), "value": rounded}
        _write(output, columns)
        _told(columns, output, as_json=as_json)
        return
    if as_json:
        named = zip(map(plain, names), values.ravel().tolist(), strict=True)
        print_json({"released": [{"name": name, "value": value} for name, value in named]})
        return
    for name, value in zip(map(plain, names), rounded.tolist(), strict=True):
        print_text(f"{value:>14.6g}  {name}")


def _rounded(values: Floats) -> Floats:
    """Numbers of one column, such as the shares of its cells, to ``DIGITS`` of the largest among them.

    A column of one number is left as it is: what is small beside another column may be no rounding.

    >>> import numpy as np
    >>> _rounded(np.array([[0.25, 0.75, 9.99e-17]])).tolist()
    [[0.25, 0.75, 0.0]]
    """
    if values.ndim < 2:
        return values
    rounded = values.copy()
    for column in rounded:
        largest = abs(column).max()
        if largest > 0:
            column[:] = column.round(min(DIGITS - 1 - math.floor(math.log10(largest)), MOST_PLACES))
    return rounded
