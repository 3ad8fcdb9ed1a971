r"""Learning from the rows of a table: every row simulates one client, who is asked once.

>>> import tempfile
>>> import numpy as np
>>> from noisewright import Interval
>>> draw = np.random.default_rng(1)
>>> ages = draw.uniform(0, 100, 2000).round(1)
>>> rows = "".join(f"{age},{'yes' if age > 60 else 'no'}\n" for age in ages)
>>> path = Path(tempfile.mkdtemp(), "people.csv")
>>> _ = path.write_text(f"age,ill\n{rows}")
>>> request = LearnRequest("ill", 2.0, {"age": Interval(0, 100)}, seed=1)
>>> found = learn_file(path, request)
>>> found.clients, found.scorecard.beats_majority, found.model.predict([[80.0]]).tolist()
(2000, 'yes', ['yes'])
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from noisewright.domains import Cells, Domain, Floats
from noisewright.domains.numeric import WHAT_TO_DO
from noisewright.errors import BadTable, InvalidParameter
from noisewright.learn.local import LEAST_CLIENTS, LocalClassifier
from noisewright.learn.mrma import MRMA
from noisewright.learn.questions import Question
from noisewright.learn.questions.rounds import (
    Chance,
    Population,
    Procedure,
    Round,
    read_chance,
    relay,
    simulate,
)
from noisewright.learn.result import AskedClients, ClientTable, LearningResult, Method
from noisewright.learn.rules import Rule
from noisewright.learn.rules.schema import Schema, read_schema
from noisewright.learn.scorecard import Scorecard
from noisewright.parameters import EPSILON

if TYPE_CHECKING:
    from noisewright.learn.records import Records

CHECK: Final = 0.1
"""The share of the clients who check the result, in either method."""


@dataclass(frozen=True)
class LearnRequest:
    """A request to learn from a table, checked before the table is read.

    Attributes:
        label: The column that is to be predicted.
        epsilon: What every client spends in all, for features and label together.
        domains: The public domain of each feature, by the name of its column; other columns are left out.
        classes: The public list of classes; empty reads them off the table.
        method: How to learn.
        out_of_domain: What to do with numbers outside their domain: "refuse" or "clip".
        seed: Repeats the noise, which then hides nothing; None draws secure noise.
    """

    label: str
    epsilon: float
    domains: Mapping[str, Domain]
    classes: tuple[str, ...] = ()
    method: Method = field(default_factory=Method)
    out_of_domain: str = "refuse"
    seed: int | None = None

    def __post_init__(self) -> None:
        EPSILON.check(self.epsilon)
        if not self.domains:
            raise InvalidParameter("name at least one feature and its domain")
        if self.label in self.domains:
            raise InvalidParameter(f"column {self.label!r} cannot be both label=... and a feature")
        if len(self.classes) == 1:
            raise InvalidParameter(
                "classes=... names one class only; a classifier needs two or more, all named by classes=..."
            )
        if self.method.default is not None and self.classes and self.method.default not in self.classes:
            raise InvalidParameter(
                f"must be one of classes=..., not {self.method.default!r}", field="default"
            )
        if self.out_of_domain not in WHAT_TO_DO:
            raise InvalidParameter(
                f"must be refuse or clip, not {self.out_of_domain!r}", field="out_of_domain"
            )
        self.method.check()


def learn_file(
    path: str | os.PathLike[str], request: LearnRequest, test: str | os.PathLike[str] | None = None
) -> LearningResult:
    """Learn from the rows of a file, each of which simulates a client.

    Args:
        path: A CSV, Parquet or Arrow file.
        request: The request.
        test: A file of other records to measure the result on; that measurement is not private.
    """
    from noisewright.learn.records import class_list, label_codes, read_records  # noqa: PLC0415  (Arrow)

    def read(name: str | os.PathLike[str]) -> Records:
        return read_records(Path(name), request.domains, [request.label], request.out_of_domain)

    def people(records: Records) -> tuple[Floats, Cells]:
        codes = label_codes(records.texts[request.label], classes, request.label)
        return schema.encode(records.values), codes

    records = read(path)
    if records.rows < LEAST_CLIENTS:
        raise BadTable(f"{path} has {records.rows} rows; learning needs {LEAST_CLIENTS} clients or more")
    classes = class_list(records.texts[request.label], request.classes, request.label)
    if request.method.default not in (None, *classes):
        raise InvalidParameter(f"must be one of the classes, not {request.method.default!r}", field="default")
    request.method.check(len(classes))
    schema = read_schema(request.domains, list(request.domains))
    clients = people(records)
    others = None if test is None else people(read(test))
    left_out = tuple(name for name in records.names if name not in (request.label, *request.domains))
    table = ClientTable(Path(path).name, request.label, left_out, listed=bool(request.classes))
    return learn_rows(
        table, schema, classes, *clients, request.epsilon, request.method, read_chance(request.seed),
        others=others, tested=None if test is None else Path(test).name,
    )  # fmt: skip


def learn_rows(
    table: ClientTable,
    schema: Schema,
    classes: tuple[str, ...],
    units: Floats,
    codes: Cells,
    epsilon: float,
    method: Method,
    chance: Chance,
    *,
    others: tuple[Floats, Cells] | None = None,
    tested: str | None = None,
) -> LearningResult:
    """Ask every row as a client, once; only randomized answers are learned from.

    Args:
        table: The table's name in reports.
        schema: The features of a row.
        classes: The classes in the order of their codes.
        units: Rows as unit columns, encoded by the schema.
        codes: The place of each row's class.
        epsilon: What every client spends in all.
        method: How to learn.
        chance: The source of noise and of public choices.
        others: Unit columns and codes of other records, on which the result is measured.
        tested: The name of these in reports.
    """
    method.check(len(classes))
    population = Population(units, codes, epsilon, chance)
    people = len(units)
    model: LocalClassifier | MRMA
    if method.name == "local":
        model = LocalClassifier(epsilon, learners=method.learners, default=method.default, check=CHECK)
        tally = Tally(people - sum(model.set_apart(people)))
    else:
        model = MRMA(method.base, epsilon=epsilon, intercept=method.intercept, check=CHECK)
        tally = Tally(model.plan(people, schema.width).training)
    rounds: Procedure[tuple[Rule, Any, Scorecard | None]] = model.procedure(
        people, schema, classes, chance.public
    )
    rule, chosen, card = simulate(relay(rounds, tally.count), population)
    measured = None if others is None else Scorecard.measured(rule, *others, classes=classes)
    return LearningResult(
        table, schema, classes, epsilon, method, rule, chosen, card, tally.rows, population.account.totals(),
        chance.simulated, measured, tested,
    )  # fmt: skip


@dataclass
class Tally:
    """A count of the clients of every round that passes; the first ``learners`` clients teach."""

    learners: int
    counts: Counter[tuple[str, str]] = field(default_factory=Counter)

    def count(self, asked: Round) -> Round:
        """Count the clients of a round, and return it."""
        for ask in asked:
            question: Question = getattr(ask.question, "question", ask.question)  # one class against the rest
            purpose = "learn" if self.counts.total() < self.learners else "choose"
            self.counts["check" if question.kind == "check" else purpose, question.kind] += ask.people
        return asked

    @property
    def rows(self) -> tuple[AskedClients, ...]:
        """Return the questions asked and their clients, in the order of asking."""
        return tuple(AskedClients(*what, clients) for what, clients in self.counts.items() if clients)
