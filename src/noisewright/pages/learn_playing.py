"""Playing the clients with the rows of a table, and keeping count of who was asked what."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Final, TypeVar

from noisewright.domains import Cells, Floats
from noisewright.errors import InvalidParameter
from noisewright.learn import MRMA, LocalClassifier, Schema, Scorecard
from noisewright.learn.bases.find import NAMES as BASES
from noisewright.learn.chance import Chance
from noisewright.learn.learners.catalogue import check_learners
from noisewright.learn.questions import Question
from noisewright.learn.rounds import Answers, Population, Procedure, Round, simulate
from noisewright.learn.rules import Rule

METHODS: Final = ("local", "mrma")
UNTRAINED: Final = "random"
CHECK: Final = 0.1
"""The share of the clients who check the result, in either method."""

T = TypeVar("T")


@dataclass(frozen=True)
class Method:
    """How to learn: by the best that we know, or by MRMA, and with which of its choices."""

    name: str = "local"
    learners: tuple[str, ...] = ("additive",)
    default: str | None = None
    base: str = "logistic"
    intercept: bool = True

    def check(self, classes: int = 2) -> None:
        """Refuse what has no meaning, before anything is read."""
        if self.name not in METHODS:
            raise InvalidParameter(f"--method must be local or mrma, not {self.name!r}")
        if self.base not in BASES:
            raise InvalidParameter(f"--base must be one of {', '.join(BASES)}, not {self.base!r}")
        check_learners(self.learners, classes)


@dataclass(frozen=True)
class Asked:
    """So many clients were asked a kind of question, to ``purpose``: learn, choose or check."""

    purpose: str
    kind: str
    clients: int


@dataclass
class Tally:
    """Counts the clients of every round that passes; those of the first ``learners`` clients teach."""

    learners: int
    counts: Counter[tuple[str, str]] = field(default_factory=Counter)

    def watching(self, procedure: Procedure[T]) -> Procedure[T]:
        """The same rounds, counted on their way."""
        answers: Answers | None = None
        while True:
            try:
                asked = procedure.send(answers)  # type: ignore[arg-type]  # a generator is started with None
            except StopIteration as learned:
                result: T = learned.value
                return result
            self._count(asked)
            answers = yield asked

    def _count(self, asked: Round) -> None:
        for ask in asked:
            question: Question = getattr(ask.question, "question", ask.question)  # one class against the rest
            purpose = "check" if question.kind == "check" else self._purpose()
            self.counts[purpose, question.kind] += ask.people

    def _purpose(self) -> str:
        return "learn" if self.counts.total() < self.learners else "choose"

    @property
    def rows(self) -> tuple[Asked, ...]:
        """Who was asked what, in the order of asking."""
        return tuple(Asked(*what, clients) for what, clients in self.counts.items() if clients)


@dataclass(frozen=True, eq=False)
class Played:
    """What came out: the rule, how it was chosen, the private scorecard, and what everybody spent."""

    rule: Rule
    chosen: Any
    card: Scorecard | None
    asked: tuple[Asked, ...]
    spent: Counter[Fraction]


def play(
    schema: Schema,
    classes: Sequence[Any],
    units: Floats,
    codes: Cells,
    epsilon: float,
    method: Method,
    chance: Chance,
) -> Played:
    """Ask every row as a client, once; nothing is learned but from randomized answers.

    >>> import numpy as np
    >>> from noisewright import Interval
    >>> from noisewright.learn import read_schema
    >>> from noisewright.learn.chance import read_chance
    >>> units = np.random.default_rng(1).uniform(-1, 1, (1000, 1))
    >>> codes = (units[:, 0] > 0).astype(int)
    >>> schema = read_schema([Interval(0, 1)], 1)
    >>> played = play(schema, ("no", "yes"), units, codes, 2.0, Method(), read_chance(1))
    >>> [(row.purpose, row.clients) for row in played.asked]
    [('learn', 900), ('check', 100)]
    """
    method.check(len(classes))
    population = Population(units, codes, epsilon, chance)
    build = _local if method.name == "local" else _mrma
    tally, rounds = build(schema, classes, len(units), epsilon, method, chance)
    rule, chosen, card = simulate(tally.watching(rounds), population)
    return Played(rule, chosen, card, tally.rows, population.account.totals())


Learning = tuple[Tally, Procedure[tuple[Rule, Any, Scorecard | None]]]


def _local(
    schema: Schema, classes: Sequence[Any], people: int, epsilon: float, method: Method, chance: Chance
) -> Learning:
    model = LocalClassifier(epsilon, learners=method.learners, default=method.default, check=CHECK)
    return Tally(people - sum(model.set_apart(people))), model.procedure(
        people, schema, classes, chance.public
    )


def _mrma(
    schema: Schema, classes: Sequence[Any], people: int, epsilon: float, method: Method, chance: Chance
) -> Learning:
    model = MRMA(method.base, epsilon=epsilon, intercept=method.intercept, check=CHECK)
    training = model.plan(people, schema.width).training
    return Tally(training), model.procedure(people, schema, classes, chance.public)
