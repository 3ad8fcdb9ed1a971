"""``noisewright classify``: what a learned classifier says of other records."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from noisewright.cli.common import print_json, print_text, say, status_of
from noisewright.cli.learn import OutOfDomainOption, check_learning
from noisewright.cli.one_domain import JsonOption
from noisewright.cli.targets import TABLES, ForceOption, check_output, write_columns

if TYPE_CHECKING:
    from noisewright.learn.models.learned_model import LearnedModel


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
    from noisewright.learn import load_model  # noqa: PLC0415  (scikit-learn is slow to load)
    from noisewright.learn.records import classify_file, predicted_name  # noqa: PLC0415  (Arrow is slow to load)

    check_output(output, TABLES, "the predictions", [data, Path(model)], replace=force)
    learned = load_model(model)
    with status_of("Classifying", quiet=as_json):
        columns = classify_file(
            data, learned, keep=tuple(keep or ()), probabilities=probabilities, out_of_domain=out_of_domain
        )
    write_columns(output, columns)
    _show(learned, columns[predicted_name(learned)], output, as_json=as_json)


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
