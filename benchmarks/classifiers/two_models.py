"""What the studies of tables share: logistic regression and a forest, asked about the same records."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from numpy.typing import ArrayLike

from benchmarks.classifiers.data import Table
from benchmarks.classifiers.findings import against_truth
from benchmarks.classifiers.measured import Measured
from benchmarks.classifiers.models import train_forest, train_regression
from benchmarks.classifiers.results import Figure, Panel
from benchmarks.classifiers.study import Settings, Subject, by_the_text, certify, measure
from noisewright.domains import Cells, Floats
from noisewright.text import percent

Both = tuple[Measured, Measured]


@dataclass(frozen=True, eq=False)
class TwoModels:
    """Both models of a table; ``indicator`` says whether the study uses the privacy indicator."""

    regression: Subject
    forest: Subject
    settings: Settings
    indicator: bool = False

    @classmethod
    def train(
        cls,
        table: Table,
        sensitive: tuple[str, ...],
        accepted: float,
        settings: Settings,
        *,
        indicator: bool = False,
    ) -> TwoModels:
        """Train both on a table."""
        regression, forest = (
            Subject(train(table), table, sensitive, accepted) for train in (train_regression, train_forest)
        )
        return cls(regression, forest, settings, indicator)

    @property
    def models(self) -> tuple[Subject, Subject]:
        """Both, logistic regression first."""
        return self.regression, self.forest

    def measure(self, values: Floats, names: Sequence[str]) -> Both:
        """Any rows under both models."""
        first, second = (measure(model, model.of(values), names, self.settings) for model in self.models)
        return first, second

    def sample(self, rows: Cells, names: Sequence[str]) -> Both:
        """A sample of the table's rows under both models."""
        some = self.settings.some(rows)
        first, second = (measure(model, model.records(some), names, self.settings) for model in self.models)
        return first, second

    def by_the_text(self, found: Both) -> Both:
        """The same with the search that the paper's text describes."""
        pairs = zip(self.models, found, strict=True)
        first, second = (by_the_text(model, one, self.settings) for model, one in pairs)
        return first, second

    def single(self, name: str, title: str, words: str, found: Both) -> Figure:
        """The figure of one record: a panel for each model."""
        panels = (one.record(0, model.trained.kind) for model, one in zip(self.models, found, strict=True))
        return Figure(name, title, words, tuple(map(self._shown, panels)))

    def cases(self, model: Subject, found: Measured, rows: ArrayLike, name: str) -> Figure:
        """The figure of the average and the worst record; ``rows`` are all whom we certify beside them."""
        records = model.records(rows)
        everyone = certify(model, records, found.names, self.settings)
        words = (
            f"A random sample of {len(found.published)} records; dotted: our lower bound for all "
            f"{len(records):,}, which takes the published framework too long."
        )
        panels = found.average("Average", everyone), found.worst("Worst record", everyone)
        return Figure(
            name, f"{model.trained.kind}: average and worst case", words, tuple(map(self._shown, panels))
        )

    def _shown(self, panel: Panel) -> Panel:
        return panel.behind_indicator() if self.indicator else panel

    def facts(self) -> list[tuple[str, str]]:
        """How good the models are."""
        return [
            (model.trained.kind, f"right on {percent(model.trained.accuracy)} of held-out records")
            for model in self.models
        ]

    def against_truth(self, table: str, found: Both, mechanism: str, epsilon: float) -> list[str]:
        """One published number of each model beside the truth."""
        return [
            f"{table}, {against_truth(model.trained.kind, one, mechanism, epsilon)}"
            for model, one in zip(self.models, found, strict=True)
        ]
