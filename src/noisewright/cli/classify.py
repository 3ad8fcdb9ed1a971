"""``noisewright classify``: the predictions of a learned classifier for other records."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from noisewright.cli.learn import OutOfDomainOption, check_learning
from noisewright.cli.option_types import ForceOption, JsonOption
from noisewright.cli.output import TABLES, check_output, show, write_columns
from noisewright.cli.terminal import say, status_of
from noisewright.report import Report, Section, Table, number

if TYPE_CHECKING:
    from noisewright.learn.models.learned_model import LearnedModel


def classify(
    data: Annotated[
        Path, typer.Argument(metavar="DATA", help="A CSV, Parquet or Arrow file of true records.")
    ],
    model: Annotated[str, typer.Option(metavar="FILE", help="The file that noisewright learn -o wrote.")],
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
    replace: ForceOption = False,
    as_json: JsonOption = False,
) -> None:
    """Classify records with a classifier that noisewright learn wrote.

    Reads the columns that the classifier knows, by their names. Nothing is randomized here: predictions
    reveal something about their records and are as confidential as these.

    noisewright classify new.csv --model model.json -o predictions.csv
    """
    check_learning()
    from noisewright.learn import load_model  # noqa: PLC0415  (scikit-learn is slow to load)
    from noisewright.learn.records import classify_file, predicted_name  # noqa: PLC0415  (Arrow is slow to load)

    check_output(output, TABLES, "the predictions", [data, Path(model)], replace=replace)
    learned = load_model(model)
    with status_of("Classifying", quiet=as_json):
        columns = classify_file(
            data, learned, keep=tuple(keep or ()), probabilities=probabilities, out_of_domain=out_of_domain
        )
    write_columns(output, columns)
    if learned.simulated:
        say("the classifier was learned with noise from --seed, which is NOT PRIVATE; use it for tests only")
    # No digest of the records: it would confirm a guess of them.
    show(_report(learned, columns[predicted_name(learned)], output), inputs=[model], as_json=as_json)


def _report(model: LearnedModel, predicted: Sequence[str], output: str) -> Report:
    """Describe predictions: how many records each class has."""
    counts = Counter(predicted)
    found = {str(name): counts[str(name)] for name in model.classes}
    rows = [[name, number(f"{count:,}")] for name, count in found.items()]
    return Report(
        f"Predictions of {model.label}",
        f"{len(predicted):,} rows classified by {model.label}, in {output}.",
        [Section("Rows of each class", [Table("Rows of each class", ["class", "rows"], rows)])],
        verb="classify",
        data={"output": output, "label": model.label, "rows": len(predicted), "predicted": found},
        note="Predictions are as confidential as the records.",
    )
