"""One question about a model and a file of records, and its answer, as ``noisewright predict`` uses it.

>>> import numpy as np, pyarrow as pa, pyarrow.parquet as pq, tempfile, os
>>> from noisewright import Interval
>>> path = os.path.join(tempfile.mkdtemp(), "people.parquet")
>>> pq.write_table(pa.table({"age": [20.0, 40.0, 60.0, 80.0]}), path)
>>> request = ForecastRequest({"age": Interval(0, 100)}, epsilons=(1.0, 4.0), mechanisms=("OGPM",), seed=1)
>>> found = forecast_file(lambda rows: rows[:, 0] > 50, path, request)
>>> found.prediction.average.low.shape, found.report().title
((1, 2), 'How often the answers of function <lambda> survive')
"""

from __future__ import annotations

import math
import os
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from noisewright.domains import Interval
from noisewright.errors import InvalidParameter
from noisewright.mechanisms.catalogue import DEFAULT_DELTA
from noisewright.parameters import as_float, is_number
from noisewright.progress import Progress
from noisewright.utility.answers import Asking
from noisewright.utility.core.certificate import read_confidence
from noisewright.utility.core.curve import DEFAULT_MECHANISMS, Wanted
from noisewright.utility.forecast import Comparison, Forecast, Inquiry
from noisewright.utility.models import Classifier, as_classifier, feature_names
from noisewright.utility.predict import DEFAULT_EPSILONS, DEFAULT_QUERIES, predict_utility
from noisewright.utility.prediction import Prediction, WidthNotReached
from noisewright.utility.record_table import (
    ColumnRoles,
    RecordTable,
    check_count,
    choose_records,
    read_table,
)

MOST_NUMBERS: Final = 20_000_000
"""Largest product of records, mechanisms and ε: three numbers are stored for each, half a gigabyte."""

Compare = Callable[[Classifier, RecordTable, Prediction], tuple[Comparison | None, int]]
"""Computes another framework's number for the same records, and how many rows that took."""


@dataclass(frozen=True)
class ForecastRequest:
    """A question about a model and its records, checked before any file is opened.

    Attributes:
        sensitive: The features that are randomized, each with its interval.
        epsilons: Budgets, ascending; 64 values from 0.5 to 8 by default.
        per: Whether ε is that of one "feature", or of the whole "record", where it is divided evenly.
        mechanisms: Names or classes of mechanisms.
        features: The columns that the model takes, in its order; by default those that it names, or all
            columns that have no other role.
        ignore: Columns that are not features.
        answers: The column of true labels, which then should survive; None means the model's own answers.
        groups: Columns whose combinations make groups of records.
        record_numbers: Records to predict, counted from 1; by default all.
        sample: Number of records to draw at random instead; None draws none.
        target: A share of answers, between 0 and 1, for which the least ε is found; None finds none.
        confidence: Probability with which all bounds hold together, from 0.5 to below 1.
        queries: Largest number of rows that a model without an exact solution is asked about.
        width: Width of intervals at which sampling stops early, between 0 and 1; None uses all queries.
        points: Points of mechanisms on a grid; None takes each mechanism's own default.
        delta: δ of mechanisms that have one.
        seed: Seed of queries and samples; None draws one from the operating system.

    >>> ForecastRequest({"age": Interval(0, 100)}, target=2)
    Traceback (most recent call last):
    ...
    noisewright.errors.InvalidParameter: target must be between 0 and 1, for example 0.9; got 2
    """

    sensitive: Mapping[str, Interval]
    epsilons: tuple[float, ...] = DEFAULT_EPSILONS
    per: str = "feature"
    mechanisms: tuple[Wanted, ...] = DEFAULT_MECHANISMS
    features: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    answers: str | None = None
    groups: tuple[str, ...] = ()
    record_numbers: tuple[int, ...] = ()
    sample: int | None = None
    target: float | None = None
    confidence: float = 0.99
    queries: int = DEFAULT_QUERIES
    width: float | None = None
    points: int | None = None
    delta: float = DEFAULT_DELTA
    seed: int | None = None

    def __post_init__(self) -> None:
        if self.per not in ("feature", "record"):
            raise InvalidParameter(f"must be feature or record, not {self.per!r}", field="per")
        _check_share("target", self.target, "0.9")
        read_confidence(self.confidence)
        _check_share("width", self.width, "0.01")
        _check_whole("queries", self.queries, 1)
        _check_whole("seed", self.seed, 0)
        _ = self.roles  # refuses contradictions between columns now

    @property
    def roles(self) -> ColumnRoles:
        """The roles of the columns of the table."""
        return ColumnRoles(tuple(self.sensitive), self.features, self.ignore, self.answers, self.groups)


def _check_share(name: str, value: float | None, example: str) -> None:
    if value is not None and not (is_number(value) and 0 < as_float(value) < 1):
        raise InvalidParameter(f"must be between 0 and 1, for example {example}; got {value:g}", field=name)


def _check_whole(name: str, value: int | None, least: int) -> None:
    if value is not None and not (math.isfinite(value) and value >= least):
        raise InvalidParameter(f"must be a whole number of {least} or more; got {value:g}", field=name)


def forecast_file(
    model: Any,
    data: str | os.PathLike[str],
    request: ForecastRequest,
    *,
    place: str | None = None,
    asking: Asking = Asking(),  # noqa: B008  (frozen)
    compare: Compare | None = None,
    progress: Progress | None = None,
) -> Forecast:
    """Predict how often a model's answers about the records of a file survive, and what follows from it.

    Args:
        model: A callable from rows to labels, a fitted scikit-learn classifier, or what ``open_model`` opens.
        data: A CSV, Parquet or Arrow file of true records.
        request: The question.
        place: File or address of the model, for the report; None uses the model's own name.
        asking: Batches, time and budget of questions to the model.
        compare: Computes another framework's number beside the prediction; None computes none.
        progress: Called with the number of finished records and the number of all.
    """
    from noisewright.io.table_files import open_input  # noqa: PLC0415  (Arrow is slow to load)

    path, file = Path(data), open_input(data)
    classifier = as_classifier(model, classes=asking.classes)
    features = request.roles.columns(file.names, feature_names(classifier), str(data))
    check_count(features, classifier.features, str(data))
    table = read_table(file, str(data), features, request.roles.labels)
    numbers = choose_records(len(table.values), request.record_numbers, request.sample, request.seed)
    _refuse_too_many(request, len(table.values) if numbers is None else len(numbers))
    prediction = _predict(classifier, table, request, numbers, asking, progress)
    inquiry = Inquiry(
        model=_model_words(place, classifier),
        data=path.name,
        answers=request.answers,
        target=request.target,
        records=tuple(sorted(request.record_numbers)),
        per=request.per,
        budget=asking.budget,
        onnx=place is not None and Path(place).suffix.lower() == ".onnx",
        published=compare is not None,
    )
    if compare is None:
        return Forecast(prediction, inquiry)
    return Forecast(prediction, inquiry, *compare(classifier, table, prediction))


def _predict(
    classifier: Classifier,
    table: RecordTable,
    request: ForecastRequest,
    numbers: list[int] | None,
    asking: Asking,
    progress: Progress | None,
) -> Prediction:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", WidthNotReached)  # the report shows it
        return predict_utility(
            classifier,
            table.values,
            sensitive=dict(request.sensitive),
            epsilons=request.epsilons,
            mechanisms=request.mechanisms,
            per=request.per,
            confidence=request.confidence,
            queries=request.queries,
            width=request.width,
            answers=None if request.answers is None else table.labels[request.answers],
            groups=table.groups(request.groups),
            features=table.names,
            records=numbers,
            points=request.points,
            delta=request.delta,
            asking=asking,
            seed=request.seed,
            progress=progress,
        )


def _refuse_too_many(request: ForecastRequest, records: int) -> None:
    mechanisms, epsilons = len(request.mechanisms), len(request.epsilons)
    each = mechanisms * epsilons
    if records * each > MOST_NUMBERS:
        raise InvalidParameter(
            f"{records:,} records × {mechanisms} mechanisms × {epsilons} epsilons are too many numbers; look "
            f"at a sample with sample={MOST_NUMBERS // each}"
        )


def _model_words(place: str | None, classifier: Classifier) -> str:
    """Return the name of the model in the report: the name of its file, and its kind."""
    file = Path(place or "").name
    named = place is None or "://" in place or file in classifier.name
    return classifier.name if named else f"{file} ({classifier.name})"
