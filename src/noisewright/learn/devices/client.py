"""The device's side of learning: it checks what it is asked, pays for one answer, and gives no other.

**What a hostile server can do.** It chooses the question, so it can choose a rule for which "right" means
whatever it likes, for example "is 40 and has the illness". The answer is ε-LDP in the whole record all the
same: the server's choice decides *what* the one noisy bit is about, never how much it reveals. It cannot ask
twice, since the ledger refuses, nor see a second noise, since an answer is remembered.

**One payment, one answer.** If paying and drawing were two steps, a crash between them would leave an answer
that is paid for and unknown: drawing it again could send two noises for one payment and reveal more than ε.
So the answer is drawn inside the transaction that pays for it, kept in the same row of the ledger, and leaves
only after the disk has it. Asked again, the device gives what the row holds.

**What must not reach the server.** A record that does not fit the schema is refused to the device's owner,
and such a refusal depends on the record: show it, never send it. Where every device has to answer, use
``out_of_domain="clip"``. Nothing that the *server* sends can make an answer fail for some records only.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noisewright.domains import Cells, Floats
from noisewright.errors import BadTable, BudgetSpent, InvalidParameter, OutOfDomain
from noisewright.guarantees import PureLDP
from noisewright.guarantees.base import round_down
from noisewright.io.strict_json import strict_json
from noisewright.learn.devices.messages import Answer, Task, check_name, refuse_broken, schema_name
from noisewright.learn.models.learned_model import LearnedModel
from noisewright.learn.models.private_classifier import PrivateClassifier
from noisewright.learn.questions import FeedbackQuestion, Question, SplitQuestion
from noisewright.learn.rules import ModelRule, Rule
from noisewright.learn.rules.many_classes import EvidenceRule
from noisewright.learn.rules.schema import Schema
from noisewright.ledger import Ledger
from noisewright.ledger.cost import Cost
from noisewright.ledger.keys import digest
from noisewright.ledger.names import check_name as check_ledger_name
from noisewright.ledger.rows import Book, Spend
from noisewright.ledger.terms import BUDGET
from noisewright.randomness import Source
from noisewright.text import epsilon_words, remaining_words


def rule_of(model: Any, schema: Schema, classes: Sequence[Hashable]) -> Rule:
    """Return the rule in a model, whose code c means ``classes[c]``; a bare rule already has these codes.

    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from noisewright.learn.rules.schema import read_schema
    >>> tree = DecisionTreeClassifier().fit([[-1.0], [1.0]], ["ill", "well"])
    >>> rule_of(tree, read_schema(None, 1), ("well", "ill")).predict(np.array([[-1.0]])).tolist()
    [1]
    """
    if isinstance(model, Rule):
        return model
    learned = LearnedModel.of(model) if isinstance(model, PrivateClassifier) else model
    if not hasattr(learned, "classes_"):
        raise InvalidParameter(
            "feedback is about a rule, a learned model or a fitted classifier; fit the classifier first"
        )
    names = np.asarray(learned.classes_).tolist()
    if len(names) != len(classes) or set(names) != set(classes):
        raise InvalidParameter(
            f"the model has {len(names)} classes and the device {len(classes)}, and they must be the same "
            "ones, in any order; give the device the classes of the model"
        )
    if not isinstance(learned, LearnedModel):
        if len(classes) != 2:
            raise InvalidParameter(
                "a classifier of several classes is judged as a rule or a LearnedModel; only one of two "
                "classes is taken as it is"
            )
        return ModelRule(learned, tuple(classes))
    if schema_name(learned.schema) != schema_name(schema):
        raise InvalidParameter(
            "the model was learned with another schema than the device's; learn it with domain=schema"
        )
    return rename_classes(learned.rule, [list(classes).index(name) for name in names])


def rename_classes(rule: Rule, codes: Sequence[int]) -> Rule:
    """Return the rule that says ``codes[c]`` wherever another says c; codes are a permutation.

    >>> from noisewright.learn.rules import LinearRule
    >>> rename_classes(LinearRule([1.0]), [1, 0]).predict(np.array([[0.5], [-0.5]])).tolist()
    [0, 1]
    """
    if list(codes) == list(range(len(codes))):
        return rule
    if len(codes) == 2:
        return rule.reversed()
    # Evidence that is certain: answer c of the one rule is evidence for the class codes[c] alone.
    return EvidenceRule([rule], np.zeros(len(codes)), np.eye(len(codes))[codes])


@dataclass(frozen=True)
class Purse:
    """The budget that one person gives to learning: at most ``limit`` of their ledger, under one column.

    >>> import tempfile
    >>> ledger = Ledger.create(tempfile.mkdtemp() + "/device.db", budget=4.0)
    >>> purse = Purse(ledger, "anna", "learning", limit=1.0)
    >>> purse.answer("task 1", PureLDP(1.0), lambda: b"drawn once")
    b'drawn once'
    >>> purse.answer("task 1", PureLDP(1.0), lambda: b"drawn again")
    b'drawn once'
    >>> ledger.spent("anna")
    PureLDP(epsilon=1.0)
    """

    ledger: Ledger
    person: str
    column: str
    limit: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "person", check_ledger_name("person", self.person))
        object.__setattr__(self, "column", check_ledger_name("column", self.column))

    def __repr__(self) -> str:  # a name does not belong in a log
        return f"Purse(column={self.column!r}, limit={self.limit!r})"

    def answer(
        self, receipt: str, price: PureLDP, draw: Callable[[], bytes], source: Source | None = None
    ) -> bytes:
        """Return the answer to a receipt: drawn and paid for the first time, remembered ever after."""
        with self.ledger.transaction() as (book, key):
            book.terms.check_source(source)
            payer = key.person(self.person)
            tag = key.receipt(payer, self.column, check_ledger_name("receipt", receipt))
            known = book.reports([tag])
            if tag not in known:
                self._charge(book, payer, Cost.of(price))
                known[tag] = draw()
                book.add([Spend(payer, self.column, price.epsilon, 0.0, "Question", tag, known[tag])])
        kept = known[tag]
        if not isinstance(kept, bytes):
            raise BudgetSpent(
                "this task was paid for without keeping its answer here, and an answer is never drawn twice "
                "for one payment; nothing was spent: ask somebody else"
            )
        return kept

    def _charge(self, book: Book, payer: bytes, cost: Cost) -> None:
        """Refuse a cost beyond the ledger's terms, or beyond the share of learning."""
        spent = book.spent(payer).get(self.column, Cost()).epsilon
        left = Fraction(self.limit) - spent
        if cost.epsilon > left:
            raise BudgetSpent(
                f"learning may spend epsilon {epsilon_words(self.limit)} of this person and has "
                f"{remaining_words(round_down(left))} left, but the question costs "
                f"{epsilon_words(float(cost.epsilon))}; nothing was spent: ask somebody else"
            )
        book.charge("this person", payer, self.column, cost)


@dataclass(frozen=True)
class Client:
    """One person's device: their ledger, the public schema, and how much of ε learning may have in all.

    Every answer, for training or as feedback, is paid from ``budget``, so the total is at most that in any
    case: one answer at ε, or two at ε/2 for two servers.

    Attributes:
        ledger: The ledger on the device.
        person: The name that the ledger knows the person by; never shown.
        schema: The features and their public domains.
        budget: The ε that learning may spend; None is everything that the ledger allows.
        classes: The labels in public order.
        column: The ledger's column that learning is paid from.
        out_of_domain: What to do with values outside their domain: "refuse" or "clip".
        source: Random words; None is the secure source.

    >>> import tempfile
    >>> from noisewright import Interval
    >>> from noisewright.learn.rules import LinearRule
    >>> from noisewright.learn.rules.schema import read_schema
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
        """The budget of this person for learning, which pays."""
        return Purse(self.ledger, self.person, self.column, self._limit)

    @property
    def _limit(self) -> float:
        most = self.ledger.terms.budget
        return most if self.budget is None else min(self.budget, most)

    def training_report(self, x: Any, y: Hashable, question: Question | None = None) -> Answer:
        """Return the whole record, randomized.

        Args:
            x: The record: a mapping by name, or a row in the order of the schema.
            y: The label.
            question: How it is randomized; None is Laplace noise on every feature, at the full budget.
        """
        if question is None:
            question = SplitQuestion(self._limit, width=self.schema.width, classes=len(self.classes))
        return self.answer(self._own_task("training", question), x, y)

    def feedback(
        self, model: Any, x: Any, y: Hashable, *, epsilon: float | None = None, task: str | None = None
    ) -> Answer:
        """Return whether a model is right about this person, as one noisy bit.

        Args:
            model: A rule, a ``LearnedModel``, a fitted ``LocalClassifier`` or ``MRMA``, or any scikit-learn
                classifier that was fitted to unit columns; its classes must be the device's, in any order.
            x: The record.
            y: The label.
            epsilon: What the answer costs; None is the whole budget.
            task: A name under which the one answer is remembered; needed for a model that has no JSON form.
        """
        rule = rule_of(model, self.schema, self.classes)
        question = FeedbackQuestion(self._limit if epsilon is None else epsilon, rule)
        if task is None:
            return self.answer(self._own_task("feedback", question), x, y)
        check_name("the name of a task", task)
        return self._answer(task, f"/named {task}", question, x, y)  # no task's own receipt begins so

    def answer(self, task: Task | str | bytes, x: Any, y: Hashable) -> Answer:
        """Return the one answer to a server's task: drawn and paid for the first time, remembered ever after.

        It stays what it was even if the record has changed since: one task, one payment, one noise.

        Args:
            task: The task, or its JSON text.
            x: The record.
            y: The label.
        """
        asked = task if isinstance(task, Task) else Task.from_json(task)
        if asked.schema != schema_name(self.schema):
            raise InvalidParameter("the task is for another schema; this device answers only for its own")
        return self._answer(asked.id, asked.receipt, asked.question, x, y)

    def _answer(self, name: str, receipt: str, question: Question, x: Any, y: Hashable) -> Answer:
        units = self.schema.encode(_one_row(self.schema, x), self.out_of_domain)
        if y not in self.classes:
            raise OutOfDomain(f"the label must be one of the {len(self.classes)} public classes")
        label = np.array([list(self.classes).index(y)], dtype=np.int64)
        draw = partial(_draw_json, question, units, label, self.source)
        kept = self.purse.answer(receipt, question.guarantee, draw, self.source)
        return Answer(name, strict_json(kept, "the remembered answer"))

    def _own_task(self, purpose: str, question: Question) -> Task:
        name = f"{purpose}-{digest(question.to_dict()).hex()[:32]}"
        return Task(name, question, schema_name(self.schema))


def _one_row(schema: Schema, x: Any) -> dict[str, NDArray[Any]]:
    """Return a record, given by name or in the order of the schema, as columns of one row."""
    names = [block.name for block in schema.blocks]
    if isinstance(x, Mapping):
        if set(x) != set(names):
            raise BadTable(f"a record must have exactly the features {', '.join(names)}")
        return {name: np.array([x[name]]) for name in names}
    if np.ndim(np.array(x, dtype=object)) != 1 or len(x) != len(names):
        raise BadTable(f"a record must be one row of {len(names)} features")
    return {name: np.array([value]) for name, value in zip(names, x, strict=True)}


def _draw_json(question: Question, units: Floats, label: Cells, source: Source | None) -> bytes:
    """Draw an answer as JSON, in silence: a warning about some records only would reveal something of them.

    Exactly one answer of the form that the question declares leaves: a question that drew more than it
    declares would cost more. This runs inside the payment, so what is refused here is not paid for.
    """
    with np.errstate(all="ignore"), refuse_broken("the question"):
        answers = question.answers(units, label, source)
        if len(answers) != 1:
            raise InvalidParameter("a question must draw exactly one answer of one record")
        answer = answers[0].tolist()
        question.admit(answer)
    return json.dumps(answer, allow_nan=False).encode()
