"""Measuring records three ways: as published, by simulated reports, and with a certificate."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from benchmarks.classifiers.channels import EPSILONS, chosen
from benchmarks.classifiers.data import Table
from benchmarks.classifiers.measured import Measured
from benchmarks.classifiers.models import Trained
from noisewright.domains import Cells, Floats
from noisewright.parameters import Parameter, whole
from noisewright.published.classifier_utility import Published, empirical_utility, published_utility
from noisewright.randomness import SeededSource
from noisewright.utility import Curve, Records, predict_utility
from noisewright.utility.core.records import read_records
from noisewright.utility.models import BlackBox
from noisewright.utility.prediction import Prediction

CONFIDENCE = 0.99
TEXT_TAU = 0.01
"""The share of a box that may fail according to the text (section 4.3)."""

EFFORT = Parameter("effort", "factor for the queries of a network", above=0, at_most=100, usual=(0.1, 1))


@dataclass(frozen=True)
class Settings:
    """How much is computed: records of each average, a factor for the queries of a network, and the seed.

    ``precision`` is how finely the published search places the sides of a box.
    """

    records: int = 100
    effort: float = 1.0
    seed: int = 7
    precision: float = 0.01

    def __post_init__(self) -> None:
        whole("records", self.records, 1, 1 << 20)
        whole("seed", self.seed, 0, 1 << 32)
        EFFORT.check(self.effort)

    def some(self, rows: Cells) -> Cells:
        """As many of the rows as an average takes, picked once with the seed, in their order."""
        generator = np.random.default_rng(self.seed)
        return np.sort(generator.choice(rows, min(self.records, rows.size), replace=False))


@dataclass(frozen=True, eq=False)
class Subject:
    """A trained model, the table it is asked about, and which features are randomized.

    ``accepted`` is the share of changed answers at which the published search still takes a box.
    """

    trained: Trained
    table: Table
    sensitive: tuple[str, ...]
    accepted: float

    def records(self, rows: ArrayLike) -> Records:
        """Rows of the table as records, numbered as in the table."""
        places = np.atleast_1d(np.asarray(rows, dtype=np.int64))
        return replace(self.of(self.table.values[places]), numbers=places + 1)

    def of(self, values: Floats) -> Records:
        """Any rows as records."""
        return read_records(values, dict.fromkeys(self.sensitive, (0.0, 1.0)), self.table.names)

    def published(self, records: Records, curve: Curve, seed: int, **rule: Any) -> Published:
        """What the published framework says of records."""
        box = BlackBox(self.trained.model)
        answers = box.ask(records.values, records.numbers)
        return published_utility(box, records, answers, curve, source=SeededSource(seed), **rule)

    def drawn(self, records: Records, curve: Curve, seed: int) -> Floats:
        """The share of simulated reports that keep each record's answer."""
        box = BlackBox(self.trained.model)
        answers = box.ask(records.values, records.numbers)
        return empirical_utility(box, records, answers, curve, source=SeededSource(seed))


def certify(
    subject: Subject, records: Records, names: Sequence[str], settings: Settings, queries: int = 1
) -> Prediction:
    """Our certificates of some records; ``queries`` matters only where the model cannot be solved."""
    return predict_utility(
        subject.trained.model,
        records.values,
        sensitive=dict.fromkeys(subject.sensitive, (0.0, 1.0)),
        features=subject.table.names,
        mechanisms=chosen(names, len(subject.sensitive)),
        epsilons=EPSILONS,
        confidence=CONFIDENCE,
        queries=queries,
        seed=settings.seed,
    )


def measure(
    subject: Subject, records: Records, names: Sequence[str], settings: Settings, queries: int = 1
) -> Measured:
    """Some records three ways; the search for boxes is that of the authors' program."""
    prediction = certify(subject, records, names, settings, queries)
    asked = records, prediction.curve, settings.seed
    rule: dict[str, Any] = {"test": "as coded", "tau": subject.accepted, "precision": settings.precision}
    found = subject.published(*asked, **rule)
    return Measured(records, prediction, found.rho, subject.drawn(*asked), (found.low, found.high))


def by_the_text(subject: Subject, measured: Measured, settings: Settings) -> Measured:
    """The same records with the search of the text: the answer may change on 1 % of a box.

    The exact binomial test makes the text's statement, and needs a fraction of Hoeffding's points.
    """
    rule: dict[str, Any] = {"test": "clopper-pearson", "tau": TEXT_TAU, "precision": settings.precision}
    found = subject.published(measured.records, measured.prediction.curve, settings.seed, **rule)
    return replace(measured, published=found.rho, corners=(found.low, found.high))
