"""One prediction as it was asked for: checked, then run on a model and a file."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from noisewright.cli.model_options import ModelRequest
from noisewright.cli.one_domain import read_delta
from noisewright.cli.predict_columns import Roles, check_count
from noisewright.cli.predict_options import read_at_least, read_curve, read_list, read_sensitive, read_share
from noisewright.cli.predict_records import RecordTable, chosen, read_table
from noisewright.domains import Interval
from noisewright.engine.reading import open_input
from noisewright.errors import InvalidParameter
from noisewright.mechanisms import NumericMechanism
from noisewright.mechanisms.catalogue import check_fit, find
from noisewright.pages.predict_forecast import Asked, Forecast
from noisewright.utility.curve import DEFAULT_MECHANISMS
from noisewright.utility.models import Classifier, feature_names
from noisewright.utility.predict import predict_utility, read_confidence
from noisewright.utility.prediction import Prediction, WidthNotReached
from noisewright.utility.progress import Progress

MOST_NUMBERS: Final = 20_000_000
"""Records × mechanisms × ε: three numbers are kept of each, half a gigabyte in all."""


@dataclass(frozen=True)
class PredictRequest:
    """What is asked about a model and its records."""

    sensitive: dict[str, Interval]
    epsilons: tuple[float, ...]
    per: str
    kinds: tuple[type[NumericMechanism], ...]
    roles: Roles
    target: float | None
    confidence: float
    queries: int
    width: float | None
    points: int | None
    delta: float
    seed: int | None

    @classmethod
    def of(
        cls,
        *,
        sensitive: Sequence[str],
        integers: Sequence[str],
        epsilon: str,
        per: str,
        mechanisms: Sequence[str],
        features: str | None,
        ignored: Sequence[str],
        answers: str | None,
        groups: Sequence[str],
        target: float | None,
        confidence: float,
        queries: int,
        width: float | None,
        points: int | None,
        delta: float | None,
        seed: int | None,
    ) -> PredictRequest:
        """Read the options and refuse what has no meaning, before any file is opened."""
        intervals = read_sensitive(sensitive, integers)
        if per not in ("feature", "record"):
            raise InvalidParameter(f"--per must be feature or record, not {per!r}")
        kinds = _kinds(mechanisms)
        read_share("--target", target, "0.9")
        read_confidence(confidence)
        read_share("--width", width, "0.01")
        read_at_least("--queries", queries, 1, "a whole number of 1 or more")
        read_at_least("--seed", seed, 0, "a whole number of 0 or more")
        roles = Roles(
            tuple(intervals), read_list("--features", features), tuple(ignored), answers, tuple(groups)
        )
        return cls(
            intervals, read_curve(epsilon), per, kinds, roles, target, confidence, queries, width, points,
            read_delta(delta, kinds), seed,
        )  # fmt: skip

    def run(
        self,
        model: ModelRequest,
        data: Path,
        records: Sequence[int],
        count: int | None,
        progress: Progress | None,
        *,
        published: bool = False,
    ) -> Forecast:
        """Open the file and the model, and predict."""
        file = open_input(data)
        classifier = model.open()
        features = self.roles.columns(file.names, feature_names(classifier), str(data))
        check_count(features, classifier.features, str(data))
        table = read_table(file, str(data), features, self.roles.labels)
        numbers = chosen(len(table.values), records, count, self.seed)
        self._refuse_too_many(len(table.values) if numbers is None else len(numbers))
        prediction = self._predict(model, classifier, table, numbers, progress)
        asked = Asked(
            model=_model_words(model.where, classifier),
            data=data.name,
            answers=self.roles.answers,
            target=self.target,
            records=tuple(sorted(records)),
            per=self.per,
            budget=model.budget,
            onnx=Path(model.where).suffix.lower() == ".onnx",
            published=published,
        )
        if not published:
            return Forecast(prediction, asked)
        from noisewright.cli.predict_published import publish  # noqa: PLC0415  (scipy is slow to load)

        beside, rows = publish(model, classifier, table, prediction, self.roles.answers, self.seed)
        return Forecast(prediction, asked, beside, rows)

    def _predict(
        self,
        model: ModelRequest,
        classifier: Classifier,
        table: RecordTable,
        numbers: list[int] | None,
        progress: Progress | None,
    ) -> Prediction:
        answers = self.roles.answers
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", WidthNotReached)  # the command line says it in its own words
            return predict_utility(
                classifier,
                table.values,
                sensitive=dict(self.sensitive.items()),
                epsilons=self.epsilons,
                mechanisms=self.kinds,
                per=self.per,
                confidence=self.confidence,
                queries=self.queries,
                width=self.width,
                answers=None if answers is None else table.labels[answers],
                groups=table.groups(self.roles.groups),
                features=table.names,
                records=numbers,
                points=self.points,
                delta=self.delta,
                asking=model.asking(model.budget),
                seed=self.seed,
                progress=progress,
            )

    def _refuse_too_many(self, records: int) -> None:
        each = len(self.kinds) * len(self.epsilons)
        if records * each > MOST_NUMBERS:
            raise InvalidParameter(
                f"{records:,} records × {len(self.kinds)} mechanisms × {len(self.epsilons)} epsilons are too "
                f"many numbers; look at a sample with --records {MOST_NUMBERS // each}"
            )


def _kinds(names: Sequence[str]) -> tuple[type[NumericMechanism], ...]:
    """The mechanisms of a request, each once; the usual ones if none is named."""
    split = [part.strip() for name in names for part in name.split(",")]
    kinds = tuple(find(name) for name in split or DEFAULT_MECHANISMS)
    for kind in kinds:
        check_fit(kind, Interval(0, 1))
        if kinds.count(kind) > 1:
            raise InvalidParameter(f"--mechanism names {kind.__name__} twice")
    return kinds


def _model_words(where: str, classifier: Classifier) -> str:
    """What the report calls the model: the name of its file, and what it is; some name themselves."""
    file = Path(where).name
    return classifier.name if "://" in where or file in classifier.name else f"{file} ({classifier.name})"
