"""How fast predictions are: 384 channels of one record once a model has answered, and a whole data set."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression

from benchmarks.timing import Row
from noisewright.utility import Curve, Records, make_curve
from noisewright.utility.answers import find_solver
from noisewright.utility.core.certificate import Certificate
from noisewright.utility.core.records import read_records
from noisewright.utility.models import BlackBox
from noisewright.utility.sampling import certify_by_queries

EPSILONS = np.linspace(0.5, 8.0, 64)
PEOPLE, TREES, QUERIES = 5000, 100, 100_000
SENSITIVE = {0: (0.0, 1.0), 1: (0.0, 1.0)}


def rows() -> list[Row]:
    """One record by three kinds of model, and 5,000 records of a forest."""
    curve, table, labels = make_curve(epsilons=EPSILONS), *people()
    forest = RandomForestClassifier(TREES, random_state=0, n_jobs=2).fit(table[:4000], labels[:4000])
    linear = LogisticRegression().fit(table[:4000], labels[:4000])
    few, many = (read_records(table[:count], SENSITIVE) for count in (1, PEOPLE))
    return [
        soon("forest of 100 trees", lambda: solved(forest, few, curve)),
        soon("linear model", lambda: solved(linear, few, curve)),
        soon("any model, after 10⁵ queries", lambda: asked(few, curve)),
        all_of("forest of 100 trees", lambda: solved(forest, many, curve)),
        all_of("linear model", lambda: solved(linear, many, curve)),
    ]


def people() -> tuple[np.ndarray, np.ndarray]:
    """Rows of six features, and a label that no straight line tells."""
    dice = np.random.default_rng(7)
    table = dice.random((PEOPLE, 6))
    score = table[:, 0] + 0.5 * table[:, 1] + 0.4 * np.sin(6 * table[:, 2]) + dice.normal(0, 0.2, PEOPLE)
    return table, (score > 1).astype(np.int64)


def solved(model: Any, records: Records, curve: Curve) -> float:
    """Seconds for an exact certificate of all records, the model read and its answers known."""
    box = BlackBox(model)
    references = box.ask(records.values, records.numbers)
    found = find_solver(box, records, references)
    assert found is not None
    solver, read = found
    start = time.perf_counter()
    certificate: Certificate | None = solver(read, records, references, curve, None)
    assert certificate is not None
    return time.perf_counter() - start


def asked(records: Records, curve: Curve) -> float:
    """Seconds from the model's last answer to the certificate."""
    model = Timed()
    box = BlackBox(model, classes=(0, 1), timeout=None)
    references = box.ask(records.values, records.numbers)
    certify_by_queries(box, records, references, curve, alpha=1e-2 / 384, queries=QUERIES, source=1)
    return time.perf_counter() - model.answered


class Timed:
    """A black box that remembers when it answered last."""

    def __init__(self) -> None:
        self.answered = 0.0

    def __call__(self, table: np.ndarray) -> np.ndarray:
        answers: np.ndarray = (np.sin(5 * table[:, 0]) + table[:, 1] ** 2 > 0.9).astype(np.int64)
        self.answered = time.perf_counter()
        return answers


def soon(what: str, work: Callable[[], float]) -> Row:
    """One record, the best of a few runs."""
    work()
    best = min(work() for _ in range(5))
    return Row(f"384 channels, {what}", None, note=f"{1000 * best:.1f} ms", asked="< 50 ms", kept=best < 0.05)


def all_of(what: str, work: Callable[[], float]) -> Row:
    """All records, one run."""
    seconds = work()
    said = f"{seconds:.1f} s for {PEOPLE:,} records × 384"
    return Row(f"a data set, {what}", None, note=said, asked="< 60 s", kept=seconds < 60)
