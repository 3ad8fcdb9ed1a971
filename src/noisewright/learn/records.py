"""Rows of a file that simulate clients, or are to be classified: declared columns only, refused by place.

A refusal names the column and the data row (row 1 is the first one below the header), never the value.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from noisewright.domains import Categories, Cells, Circle, Domain, Interval
from noisewright.domains.numeric import WHAT_TO_DO
from noisewright.errors import BadTable, InvalidParameter, OutOfDomain
from noisewright.io.labels import LabelList, text_of
from noisewright.io.numbers import floats, place
from noisewright.io.table_files import check_names, open_input
from noisewright.learn.models.learned_model import LearnedModel
from noisewright.learn.questions.choice import MOST_CLASSES

MOST_VALUES: Final = 1 << 28
"""Values of the largest table that is read."""


@dataclass(frozen=True, eq=False)
class Records:
    """Columns of a table by name: features, labels as ``texts``, and columns ``kept`` as they are."""

    values: Mapping[str, NDArray[Any]]
    texts: Mapping[str, list[str]]
    kept: Mapping[str, list[Any]]
    names: tuple[str, ...]
    rows: int


def read_records(
    path: Path,
    domains: Mapping[str, Domain | None],
    texts: Sequence[str],
    out_of_domain: str,
    keep: Sequence[str] = (),
) -> Records:
    """Read and check the declared columns of a file and some columns of labels, and columns to be kept."""
    file = open_input(path)
    check_names([*domains, *texts, *keep], file.names, where=str(path))
    pieces: dict[str, list[NDArray[Any]]] = {name: [] for name in domains}
    found: dict[str, list[str]] = {name: [] for name in texts}
    kept: dict[str, list[Any]] = {name: [] for name in keep}
    rows = 0
    labels = [name for name, domain in domains.items() if isinstance(domain, Categories)]
    numbers = [name for name in domains if name not in labels]
    others = [name for name in (*texts, *keep) if name not in domains]
    for batch in file.batches(numbers, [*labels, *others]):
        for name, domain in domains.items():
            pieces[name].append(_values(batch.column(name), name, domain, rows, out_of_domain))
        for name in texts:
            found[name] += _texts(batch.column(name), name, rows)
        for name in keep:
            kept[name] += batch.column(name).to_pylist()
        rows += batch.num_rows
        if rows * len(domains) > MOST_VALUES:
            raise BadTable(f"{path} has more than {MOST_VALUES:,} values; take fewer rows")
    if not rows:
        raise BadTable(f"{path} has columns but no rows")
    values = {name: np.concatenate(parts) for name, parts in pieces.items()}
    return Records(values, found, kept, tuple(file.names), rows)


def class_list(texts: Sequence[str], listed: Sequence[str], label: str) -> tuple[str, ...]:
    """Return the classes in order: those listed, or those that occur.

    >>> class_list(["yes", "no", "yes"], [], "ill"), class_list(["no"], ["yes", "no"], "ill")
    (('no', 'yes'), ('no', 'yes'))
    """
    classes = tuple(sorted(set(listed or texts)))
    if len(classes) < 2:
        where = "classes=... names" if listed else f"column {label!r} holds"
        raise InvalidParameter(
            f"{where} one class only; a classifier needs two or more, all named by classes=..."
        )
    if len(classes) > MOST_CLASSES:
        raise InvalidParameter(
            f"column {label!r} has more than {MOST_CLASSES} classes; a class is a label, not a measurement: "
            "put numbers into a few bands first"
        )
    return classes


def label_codes(texts: Sequence[str], classes: Sequence[str], label: str) -> Cells:
    """Return the place of each label in the list of classes."""
    places = {name: code for code, name in enumerate(classes)}
    codes = np.array([places.get(text, -1) for text in texts], dtype=np.int64)
    if (codes < 0).any():
        where = place(label, int(np.argmax(codes < 0)))
        raise OutOfDomain(f"{where} is not one of the classes; name all of them with classes=...")
    return codes


def classify_file(
    path: str | os.PathLike[str],
    model: LearnedModel,
    *,
    keep: Sequence[str] = (),
    probabilities: bool = False,
    out_of_domain: str = "refuse",
) -> dict[str, Any]:
    """Classify the records of a file; return the columns of the result by name.

    Nothing is randomized here: predictions reveal something about their records and are as confidential.

    Args:
        path: A CSV, Parquet or Arrow file with the columns that the classifier knows.
        model: The learned classifier.
        keep: Columns that are passed on as they are.
        probabilities: Whether there is a column for the probability of each class, too.
        out_of_domain: What to do with numbers outside their domain: "refuse" or "clip".
    """
    if out_of_domain not in WHAT_TO_DO:
        raise InvalidParameter(f"must be refuse or clip, not {out_of_domain!r}", field="out_of_domain")
    chances = [f"probability of {name}" for name in model.classes] if probabilities else []
    for name, times in Counter([*keep, predicted_name(model), *chances]).items():
        if times > 1:
            raise InvalidParameter(
                f"the output would have {times} columns named {name!r}; leave out a keep=... name"
            )
    domains = {block.name: block.domain for block in model.schema.blocks}
    records = read_records(Path(path), domains, [], out_of_domain, keep)
    said = [str(label) for label in model.predict(records.values).tolist()]
    shares = zip(chances, model.predict_proba(records.values).T, strict=True) if chances else ()
    return {**records.kept, predicted_name(model): said, **dict(shares)}


def predicted_name(model: LearnedModel) -> str:
    """Return the name of the predicted column, which differs from the true label's: both may be kept."""
    return f"predicted {model.label}"


def _values(column: Any, name: str, domain: Domain | None, first: int, out_of_domain: str) -> NDArray[Any]:
    if isinstance(domain, Categories):
        labels = np.empty(len(domain), dtype=object)
        labels[:] = domain.labels
        return np.asarray(labels[LabelList(domain).places(column, name, first)])
    values = floats(column, name, first)
    if not isinstance(domain, Interval | Circle):  # the whole real line, which only a program can declare
        return values
    if out_of_domain == "refuse" and not (inside := domain.contains(values)).all():
        row = int(np.argmin(inside))  # so that the refusal counts rows from the start of the table
        domain.admit(values[row], name=place(name, first + row))
    return domain.admit(values, name=name, out_of_domain=out_of_domain)


def _texts(column: Any, name: str, first: int) -> list[str]:
    found: list[Any] = column.to_pylist()
    for row, value in enumerate(found, first):
        if value is None or value == "":
            raise BadTable(f"{place(name, row)} is missing; drop such rows first")
    try:
        return [text_of(value) for value in found]
    except InvalidParameter:  # values of a column are of one type
        raise BadTable(
            f"{name} holds {type(found[0]).__name__} values where labels are needed; labels are texts or "
            "whole numbers"
        ) from None
