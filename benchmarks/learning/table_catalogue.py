"""The tables on which learners are set beside the constant answer: bundled, simulated, and from a folder.

Features come scaled to [−1, 1] by their ranges, which are taken as public. The first class of every table is
its most frequent one, so that the public default is right: without noise nothing beats naming it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from benchmarks.learning.diabetes_table import read_diabetes
from benchmarks.learning.functional_trial import People
from noisewright.domains import Floats
from noisewright.errors import BadTable
from noisewright.io.file_access import existing_file, reading

TEST_SHARE: Final = 0.2
SIMULATED: Final = 20_260
"""The seed of the simulated tables; splits have seeds of their own."""


@dataclass(frozen=True, eq=False)
class BenchTable:
    """People with their labels, and how many of them are clients in a split.

    ``tested`` are the people of each split who are looked at; None takes a fifth of the table.
    """

    name: str
    people: People
    tested: int | None = None

    @property
    def classes(self) -> int:
        """How many classes there are."""
        return int(self.people.codes.max()) + 1

    @property
    def clients(self) -> int:
        """How many people are asked in each split."""
        return len(self.people) - self._tests

    @property
    def _tests(self) -> int:
        return round(TEST_SHARE * len(self.people)) if self.tested is None else self.tested

    def split(self, seed: int) -> tuple[People, People]:
        """Clients and test people of a random split."""
        order = np.random.default_rng(seed).permutation(len(self.people))
        parts = (order[self._tests :], order[: self._tests])
        clients, testing = (People(self.people.units[rows], self.people.codes[rows]) for rows in parts)
        return clients, testing


def bundled() -> list[BenchTable]:
    """scikit-learn's own tables: small, with strong features."""
    from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine

    digits, numerals = load_digits(return_X_y=True)
    pooled = digits.reshape(-1, 4, 2, 4, 2).sum(axis=(2, 4)).reshape(-1, 16)
    return [
        made("breast cancer", *load_breast_cancer(return_X_y=True)),
        made("wine, 3 classes", *load_wine(return_X_y=True)),
        made("iris, 3 classes", *load_iris(return_X_y=True)),
        made("digits, odd or even", pooled, numerals % 2),
        made("digits, 10 classes", pooled, numerals),
    ]


def simulated() -> list[BenchTable]:
    """Few and many useful features, none at all, correlated ones, skewed classes, large tables."""
    generator = np.random.default_rng(SIMULATED)
    return [
        _census(36_000, generator),
        _bodies(4_600, generator),
        _logistic("2 useful of 20", 6_000, np.r_[2.0, 2.0, np.zeros(18)], -0.4, generator),
        _logistic("20 weak features", 6_000, np.full(20, 0.5), -0.4, generator),
        _logistic("8 features, 85/15", 10_000, np.full(8, 0.5), -2.4, generator),
        _logistic("pure noise, 60/40", 6_000, np.zeros(8), -0.4, generator),
        _logistic("pure noise, 76/24", 36_000, np.zeros(5), -1.15, generator),
        _logistic("10 weak features, large", 40_000, np.full(10, 0.25), -0.4, generator),
        _logistic("pure noise, large, 60/40", 40_000, np.zeros(10), -0.4, generator),
    ]


def from_folder(folder: Path) -> list[BenchTable]:
    """Diabetes, also with its labels shuffled, churn, stroke, beans and phonemes."""
    diabetes = read_diabetes(folder)
    mixed = np.random.default_rng(SIMULATED).permutation(diabetes.codes)
    return [
        made("diabetes", diabetes.values, diabetes.codes, tested=554),
        made("diabetes, shuffled", diabetes.values, mixed, tested=554),
        _churn(folder),
        _stroke(folder),
        _beans(folder),
        _phonemes(folder),
    ]


def made(name: str, values: Any, labels: Any, tested: int | None = None) -> BenchTable:
    """A table scaled to [−1, 1], its classes in the order of how frequent they are."""
    numbers = np.asarray(values, dtype=np.float64)
    low, high = numbers.min(axis=0), numbers.max(axis=0)
    units = 2 * (numbers - low) / np.where(high > low, high - low, 1) - 1
    _, found, counts = np.unique(labels, return_inverse=True, return_counts=True)
    rank = np.argsort(np.argsort(-counts, kind="stable"))
    return BenchTable(name, People(units.clip(-1, 1), rank[found.reshape(-1)].astype(np.int64)), tested)


def _logistic(
    name: str, rows: int, weights: Floats, intercept: float, generator: np.random.Generator
) -> BenchTable:
    """Independent normal features with a logistic label; the domain holds three standard deviations."""
    values = generator.normal(size=(rows, len(weights))).clip(-3, 3)
    return made(name, values, _drawn(values @ weights + intercept, generator))


def _census(rows: int, generator: np.random.Generator) -> BenchTable:
    """Age, schooling, hours, gains (mostly none, in a far too wide domain), sex; one in four earns much."""
    age = generator.gamma(8.0, 4.8, rows).clip(17, 90)
    school = generator.normal(10, 2.6, rows).clip(1, 16).round()
    hours = np.where(generator.random(rows) < 0.47, 40, generator.normal(39, 13, rows)).clip(1, 99).round()
    gains = np.where(generator.random(rows) < 0.08, generator.lognormal(8.3, 1.2, rows), 0).clip(0, 99_999)
    man = generator.random(rows) < 0.67
    score = 0.03 * (age - 38) - 0.0016 * (age - 48) ** 2 + 0.33 * (school - 10) + 0.03 * (hours - 40)
    score += 0.00025 * gains + 1.1 * man - 2.25
    return made("census, 76/24", np.column_stack([age, school, hours, gains, man]), _drawn(score, generator))


def _bodies(rows: int, generator: np.random.Generator) -> BenchTable:
    """Eight measures of bodies that all tell their size, and a label that depends on size, 64/36."""
    size = generator.normal(size=rows)
    loads = np.array([1.0, 1.0, 0.9, 0.95, 0.9, 0.85, 0.9, 0.0])
    noise = np.array([0.2, 0.25, 0.6, 0.3, 0.4, 0.35, 0.3, 1.0])
    values = size[:, None] * loads + noise * generator.normal(size=(rows, 8))
    skewed = np.where(np.arange(8) % 2, np.exp(0.5 * values), values)
    return made("bodies, correlated", skewed, _drawn(0.9 * size - 0.65, generator))


def _drawn(score: Floats, generator: np.random.Generator) -> Floats:
    return np.asarray(generator.random(len(score)) < 1 / (1 + np.exp(-score)), dtype=np.float64)


def _churn(folder: Path) -> BenchTable:
    names = ("CreditScore", "Age", "Tenure", "Balance", "NumOfProducts", "IsActiveMember", "EstimatedSalary")
    return made("churn", *_csv(folder / "bank_churn" / "Churn_Modelling.csv", names, "Exited"))


def _stroke(folder: Path) -> BenchTable:
    names = ("age", "hypertension", "heart_disease", "avg_glucose_level")
    found = folder / "stroke" / "healthcare-dataset-stroke-data.csv"
    return made("stroke", *_csv(found, names, "stroke"))


def _beans(folder: Path) -> BenchTable:
    table = _parquet(folder / "dry_bean" / "dry_bean.parquet", ["Class"])
    names = [name for name in table.column_names if name != "Class"]
    values = np.column_stack([table[name].to_numpy() for name in names])
    return made("beans, 7 classes", values, np.array(table["Class"].to_pylist()))


def _phonemes(folder: Path) -> BenchTable:
    """The vowels "aa" and "ao", from the mean log-periodogram in 16 bands of frequencies."""
    names = [f"x.{place}" for place in range(1, 257)]
    table = _parquet(folder / "phoneme" / "phoneme.parquet", [*names, "g"])
    spoken = np.array(table["g"].to_pylist())
    chosen = np.isin(spoken, ("aa", "ao"))
    curves = np.column_stack([table[name].to_numpy()[chosen] for name in names])
    return made("phonemes aa and ao", curves.reshape(len(curves), 16, 16).mean(axis=2), spoken[chosen])


def _csv(path: Path, names: Sequence[str], label: str) -> tuple[Floats, Floats]:
    import pyarrow as pa
    from pyarrow import csv

    found, wanted = existing_file(path), [*names, label]
    options = csv.ConvertOptions(
        column_types=dict.fromkeys(wanted, pa.float64()), include_columns=wanted, include_missing_columns=True
    )
    with reading(found):
        table = csv.read_csv(found, convert_options=options)
    columns = np.column_stack([table[name].to_numpy() for name in wanted])
    if not np.isfinite(columns).all():
        raise BadTable(f"{found} lacks a number in one of the columns {', '.join(wanted)}")
    return columns[:, :-1], columns[:, -1]


def _parquet(path: Path, wanted: Sequence[str]) -> Any:
    import pyarrow.parquet as pq

    found = existing_file(path)
    with reading(found):
        table = pq.read_table(found)
    missing = [name for name in wanted if name not in table.column_names]
    if missing:
        raise BadTable(f"{found} has no column {missing[0]!r}")
    return table


SOURCES: Final[tuple[Callable[[], list[BenchTable]], ...]] = (bundled, simulated)
