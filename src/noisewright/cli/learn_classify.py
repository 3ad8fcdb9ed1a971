"""``noisewright classify``: what a learned classifier says of other records."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from noisewright.cli.common import print_json, print_text, say, status_of
from noisewright.cli.learn import OutOfDomainOption
from noisewright.cli.learn_files import check_learning, check_output
from noisewright.cli.one_domain import JsonOption
from noisewright.cli.targets import ForceOption
from noisewright.errors import InvalidParameter

if TYPE_CHECKING:
    from noisewright.cli.learn_records import Records
    from noisewright.learn.learned_model import LearnedModel

TABLES: Final = (".csv", ".parquet", ".pq", ".arrow", ".feather")


def classify(
    data: Annotated[
        Path, typer.Argument(metavar="DATA", help="A CSV, Parquet or Arrow file of true records.")
    ],
    model: Annotated[str, typer.Option(metavar="FILE", help="What noisewright learn -o wrote.")],
    output: Annotated[
        str, typer.Option("--output", "-o", metavar="FILE", help="Where the predictions go, row by row.")
    ],
    probabilities: Annotated[
        bool, typer.Option("--probabilities", help="Write the probability of each class, too.")
    ] = False,
    keep: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="Pass a column on as it is; may be repeated.")
    ] = None,
    out_of_domain: OutOfDomainOption = "refuse",
    force: ForceOption = False,
    as_json: JsonOption = False,
) -> None:
    """Classify records with a classifier that noisewright learn wrote.

    Reads the columns that the classifier knows, by their names. Nothing is randomized here: predictions
    tell something about their records and are as confidential as these.

    noisewright classify new.csv --model model.json -o predictions.csv
    """
    check_learning()
    from noisewright.cli.learn_records import read_records  # noqa: PLC0415  (Arrow is slow to load)
    from noisewright.domains.numeric import WHAT_TO_DO  # noqa: PLC0415
    from noisewright.learn.model_file import load_model  # noqa: PLC0415  (scikit-learn is slow to load)

    if out_of_domain not in WHAT_TO_DO:
        raise InvalidParameter(f"--out-of-domain must be refuse or clip, not {out_of_domain!r}")
    check_output(output, TABLES, "the predictions", [data, Path(model)], replace=force)
    learned = load_model(model)
    kept = tuple(keep or ())
    _check_names(learned, kept, probabilities=probabilities)
    with status_of("Classifying", quiet=as_json):
        domains = {block.name: block.domain for block in learned.schema.blocks}
        records = read_records(data, domains, [], out_of_domain, kept)
        columns = _columns(learned, records, probabilities=probabilities)
    _write(output, columns)
    _show(learned, columns[_predicted(learned)], output, as_json=as_json)


def _columns(model: LearnedModel, records: Records, *, probabilities: bool) -> dict[str, Any]:
    """Kept columns, the predicted label, and the probability of each class."""
    said = [str(label) for label in model.predict(records).tolist()]
    columns: dict[str, Any] = {**records.kept, _predicted(model): said}
    if probabilities:
        names = _probability_names(model)
        columns |= dict(zip(names, model.predict_proba(records).T, strict=True))
    return columns


def _predicted(model: LearnedModel) -> str:
    """The name of the predicted column: another than that of the true label, which may stand beside it."""
    return f"predicted {model.label}"


def _probability_names(model: LearnedModel) -> list[str]:
    return [f"probability of {name}" for name in model.classes]


def _check_names(model: LearnedModel, kept: Sequence[str], *, probabilities: bool) -> None:
    """Refuse two columns of one name in the output."""
    names = [*kept, _predicted(model), *(_probability_names(model) if probabilities else [])]
    for name, times in Counter(names).items():
        if times > 1:
            raise InvalidParameter(
                f"the output would have {times} columns named {name!r}; leave out a --keep"
            )


def _write(output: str, columns: Mapping[str, Any]) -> None:
    """Write the predictions, whole or not at all."""
    import pyarrow as pa  # noqa: PLC0415  (slow to load)

    from noisewright.engine.outputs import published, report_writer  # noqa: PLC0415
    from noisewright.engine.reading import kind_of  # noqa: PLC0415
    from noisewright.engine.sentences import writing  # noqa: PLC0415

    target = Path(output).resolve()
    table = pa.table({name: pa.array(values) for name, values in columns.items()})
    with (
        writing(target),
        published(target) as (draft,),
        report_writer(kind_of(target), draft, table.schema) as to,
    ):
        to.write_table(table)


def _show(model: LearnedModel, said: Sequence[str], output: str, *, as_json: bool) -> None:
    from noisewright.text import plain  # noqa: PLC0415

    if model.simulated:
        say("the classifier was learned with noise from --seed, which is NOT PRIVATE; use it for tests only")
    counts = Counter(said)
    found = {str(name): counts[str(name)] for name in model.classes}
    if as_json:
        print_json({"output": output, "label": model.label, "rows": len(said), "predicted": found})
        return
    print_text(f"{len(said):,} rows classified by {plain(model.label)}, in {plain(output)}")
    for name, count in found.items():
        print_text(f"  {count:>9,}  {plain(name)}")
