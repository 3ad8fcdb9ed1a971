"""The device's side of learning: it looks at what it is asked, pays for one answer, and gives no other.

**What a hostile server can do.** It chooses the question, so it can choose a rule for which "right" means
whatever it likes, for example "is 40 and has the illness". The answer is ε-LDP in the whole record all the
same: the server's choice decides *what* the one noisy bit is about, never how much it tells. It cannot ask
twice, since the ledger refuses, nor see a second noise, since an answer is remembered.

**What must not reach the server.** A record that does not fit the schema is refused to the device's owner,
and such a refusal depends on the record: show it, never send it. Where every device has to answer, take
``out_of_domain="clip"``. Nothing that the *server* sends can make an answer fail for some records only.
"""

from __future__ import annotations

import json
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noisewright.collect import Ledger
from noisewright.collect.keys import digest
from noisewright.collect.terms import BUDGET
from noisewright.domains import Cells, Floats
from noisewright.engine.strict_json import strict_json
from noisewright.errors import BadTable, InvalidParameter, OutOfDomain
from noisewright.learn.field.judged import rule_of
from noisewright.learn.field.messages import Answer, Task, check_task_name, refused, schema_name
from noisewright.learn.field.remembered import Purse
from noisewright.learn.questions import FeedbackQuestion, Question, SplitQuestion
from noisewright.learn.schema import Schema
from noisewright.randomness import Source


@dataclass(frozen=True)
class Client:
    """One person's device: their ledger, the public schema, and how much of ε learning may have in all.

    ``budget`` is that ε (by default all that the ledger allows), ``classes`` the labels in public order.
    Every answer, for training or as feedback, is paid from it, so the total is at most ``budget`` on any
    path: one answer at ε, or two at ε/2 for two servers.

    >>> import tempfile
    >>> from noisewright import Interval
    >>> from noisewright.learn.rules import LinearRule
    >>> from noisewright.learn.schema import read_schema
    >>> ledger = Ledger.create(tempfile.mkdtemp() + "/device.db", budget=1.0)
    >>> anna = Client(ledger, "anna", read_schema({"age": Interval(0, 100)}, 1), classes=("well", "ill"))
    >>> first = anna.feedback(LinearRule([1.0]), [63.0], "ill")
    >>> first == anna.feedback(LinearRule([1.0]), [63.0], "ill")     # remembered: never a second noise
    True
    >>> anna.training_report([63.0], "ill")
    Traceback (most recent call last):
    ...
    noisewright.errors.BudgetSpent: learning may spend epsilon 1 of this person and has 0 left, ...
    """

    ledger: Ledger
    person: str = field(repr=False)
    schema: Schema
    budget: float | None = None
    classes: Sequence[Hashable] = (0, 1)
    column: str = "learning"
    out_of_domain: str = "refuse"
    source: Source | None = None

    def __post_init__(self) -> None:
        if self.budget is not None:
            object.__setattr__(self, "budget", BUDGET.check(self.budget))

    @property
    def purse(self) -> Purse:
        """What pays: the budget of this person for learning."""
        return Purse(self.ledger, self.person, self.column, self._limit)

    @property
    def _limit(self) -> float:
        most = self.ledger.terms.budget
        return most if self.budget is None else min(self.budget, most)

    def training_report(self, x: Any, y: Hashable, question: Question | None = None) -> Answer:
        """The whole record, randomized; by default every feature with Laplace noise at the full budget."""
        if question is None:
            question = SplitQuestion(self._limit, width=self.schema.width, classes=len(self.classes))
        return self.answer(self._own_task("training", question), x, y)

    def feedback(
        self, model: Any, x: Any, y: Hashable, *, epsilon: float | None = None, task: str | None = None
    ) -> Answer:
        """Whether a model is right about this person: one noisy bit.

        A model is a rule, a ``LearnedModel``, a fitted ``LocalClassifier`` or ``MRMA``, or any classifier of
        scikit-learn that was fitted to unit columns; its classes must be the device's, in any order. One that
        has no JSON form needs a ``task`` name, under which its one answer is remembered.
        """
        rule = rule_of(model, self.schema, self.classes)
        question = FeedbackQuestion(self._limit if epsilon is None else epsilon, rule)
        if task is None:
            return self.answer(self._own_task("feedback", question), x, y)
        check_task_name(task)
        return self._answer(task, f"/named {task}", question, x, y)  # no task's own receipt begins so

    def answer(self, task: Task | str | bytes, x: Any, y: Hashable) -> Answer:
        """The one answer to a server's task: drawn and paid the first time, remembered ever after.

        It stays what it was even if the record has changed since: one task, one payment, one noise.
        """
        asked = task if isinstance(task, Task) else Task.from_json(task)
        if asked.schema != schema_name(self.schema):
            raise InvalidParameter("the task is for another schema; this device answers only for its own")
        return self._answer(asked.id, asked.receipt, asked.question, x, y)

    def _answer(self, name: str, receipt: str, question: Question, x: Any, y: Hashable) -> Answer:
        units, label = self.schema.encode(_one_row(self.schema, x), self.out_of_domain), self._code(y)
        draw = partial(_drawn, question, units, label, self.source)
        kept = self.purse.answer(receipt, question.guarantee, draw, self.source)
        return Answer(name, strict_json(kept, "the remembered answer"))

    def _code(self, y: Hashable) -> Cells:
        if y not in self.classes:
            raise OutOfDomain(f"the label must be one of the {len(self.classes)} public classes")
        return np.array([list(self.classes).index(y)], dtype=np.int64)

    def _own_task(self, purpose: str, question: Question) -> Task:
        name = f"{purpose}-{digest(question.to_dict()).hex()[:32]}"
        return Task(name, question, schema_name(self.schema))


@dataclass(frozen=True, repr=False)
class _Row:
    """One record as a table of one row, by name, in which every feature keeps its own type."""

    values: Mapping[str, Any]

    @property
    def columns(self) -> list[str]:
        return list(self.values)

    def __getitem__(self, name: str) -> NDArray[Any]:
        return np.array([self.values[name]])


def _one_row(schema: Schema, x: Any) -> _Row:
    """A record, given by name or in the order of the schema."""
    names = [block.name for block in schema.blocks]
    if isinstance(x, Mapping):
        if set(x) != set(names):
            raise BadTable(f"a record must have exactly the features {', '.join(names)}")
        return _Row({name: x[name] for name in names})
    if np.ndim(np.array(x, dtype=object)) != 1 or len(x) != len(names):
        raise BadTable(f"a record must be one row of {len(names)} features")
    return _Row(dict(zip(names, x, strict=True)))


def _drawn(question: Question, units: Floats, label: Cells, source: Source | None) -> bytes:
    """A fresh answer as JSON, in silence: a warning about some records only would tell of them.

    Exactly one answer of the form that the question names leaves: a question that drew more than it says
    would cost more than it says. This runs inside the payment, so what is refused here is not paid for.
    """
    with np.errstate(all="ignore"), refused("the question"):
        answers = question.answers(units, label, source)
        if len(answers) != 1:
            raise InvalidParameter("a question must draw exactly one answer of one record")
        answer = answers[0].tolist()
        question.admit(answer)
    return json.dumps(answer, allow_nan=False).encode()
