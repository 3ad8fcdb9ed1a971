"""The server's side of learning with devices: it gives tasks out, takes answers in, and sees nothing else.

A :class:`Coordinator` drives the same procedures that a simulation runs. It needs no clock and no network:
whatever carries the messages calls :meth:`~Coordinator.task_for` and :meth:`~Coordinator.receive`.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Mapping
from typing import Any, Generic, Self

import numpy as np
from numpy.typing import NDArray

from noisewright.errors import InvalidParameter
from noisewright.learn.devices.messages import Answer, Task, refuse_broken, schema_name
from noisewright.learn.questions import Question
from noisewright.learn.questions.rounds import Answers, Learned, Procedure, Round
from noisewright.learn.rules.schema import Schema
from noisewright.ledger.keys import digest
from noisewright.parameters import EPSILON
from noisewright.randomness import SeededSource
from noisewright.text import epsilon_words

Seat = tuple[int, int]
"""The place of an ask in the round, and the place of a client among those it wants."""


class OpenRound:
    """The seats of a round: each is one client's answer to one question.

    Seats are given out in turn over the questions, so that people who come early or late are spread evenly,
    and a round that is closed too soon has asked every question about equally often.
    """

    def __init__(self, asks: Round) -> None:
        self.asks = asks
        seats = [(ask, seat) for ask, each in enumerate(asks) for seat in range(each.people)]
        self._free = sorted(seats, key=lambda seat: (seat[1], seat[0]), reverse=True)
        self._taken: dict[str, Seat] = {}
        self._answers: dict[Seat, Any] = {}

    @property
    def complete(self) -> bool:
        """Whether every answer is in."""
        return not self._free and not self._taken

    @property
    def name(self) -> str:
        """A digest of the questions of the round, so that a replay notices another procedure."""
        return digest([[ask.question.to_dict(), ask.people] for ask in self.asks]).hex()

    def take(self) -> str | None:
        """Return a task for the next free seat, under an id that nobody can guess; None if all are taken."""
        if not self._free:
            return None
        task = secrets.token_hex(16)
        self._taken[task] = self._free.pop()
        return task

    def question(self, task: str) -> Question | None:
        """Return the question of a task of this round; None if it waits for no answer."""
        seat = self._taken.get(task)
        return None if seat is None else self.asks[seat[0]].question

    def release(self, task: str) -> None:
        """Free the seat of a client who does not answer; a later answer is not counted."""
        self._free.append(self._seat(task))
        del self._taken[task]

    def put(self, task: str, value: Any) -> None:
        """Take one answer, if it fits the question."""
        seat = self._seat(task)
        with refuse_broken("the answer"):
            self.asks[seat[0]].question.admit(value)
        self._answers[self._taken.pop(task)] = value

    def gather(self, width: int) -> Answers:
        """Return the answers to each ask, in the order of the seats, without those that never came."""
        rows: list[list[NDArray[Any]]] = [[] for _ in self.asks]
        for (place, _), value in sorted(self._answers.items()):
            rows[place].append(self.asks[place].question.admit(value))
        # Where nobody answered, a blank record is asked and dropped: no answers, in the right shape.
        blank = np.zeros((1, width)), np.zeros(1, dtype=np.int64), SeededSource(0)
        pairs = zip(self.asks, rows, strict=True)
        return [np.stack(found) if found else ask.question.answers(*blank)[:0] for ask, found in pairs]

    def _seat(self, task: str) -> Seat:
        if task not in self._taken:
            raise InvalidParameter("no open task has this id: it was answered, reissued, or never given out")
        return self._taken[task]

    # -- keeping it --------------------------------------------------------------------------------------

    def to_dict(self) -> dict[str, Any]:
        """Return the seats in plain JSON values."""
        return {
            "name": self.name,
            "taken": {task: list(seat) for task, seat in self._taken.items()},
            "answers": [[*seat, value] for seat, value in sorted(self._answers.items())],
        }

    def restore(self, kept: Mapping[str, Any]) -> None:
        """Restore the state that :meth:`to_dict` saved."""
        if kept["name"] != self.name:
            raise InvalidParameter(
                "the procedure asks something else than the record says; replay the same procedure, with the "
                "same public seed"
            )
        self._taken = {task: (ask, seat) for task, (ask, seat) in kept["taken"].items()}
        for ask, seat, value in kept["answers"]:
            self.asks[ask].question.admit(value)
            self._answers[ask, seat] = value
        seats = [*self._taken.values(), *((ask, seat) for ask, seat, _ in kept["answers"])]
        occupied = set(seats)
        if len(occupied) < len(seats) or not occupied <= set(self._free):
            raise InvalidParameter("the record gives one seat of a round to two clients; it is damaged")
        self._free = [seat for seat in self._free if seat not in occupied]


class Coordinator(Generic[Learned]):
    """A run of a procedure with people who come one by one, each asked once, at most ``epsilon`` each.

    People are known by tokens, any text that stays the same for one person, kept as hashes. These hide
    a token no better than it can be guessed: use random ones, not e-mail addresses. Whoever holds a task's id
    can answer it, so the channel that carries tasks must reach the right device alone.
    Calls must not overlap; a service puts a lock around its coordinator.

    Args:
        procedure: The rounds of questions, for example :meth:`LocalClassifier.procedure`.
        schema: The features and their public domains.
        epsilon: The most that a question may cost.

    >>> import numpy as np
    >>> from noisewright.learn.questions import FeedbackQuestion
    >>> from noisewright.learn.questions.rounds import Ask
    >>> from noisewright.learn.rules import ConstantRule
    >>> from noisewright.learn.rules.schema import read_schema
    >>> def count_right():
    ...     (right,) = yield (Ask(FeedbackQuestion(1.0, ConstantRule(1)), people=2),)
    ...     return int(right.sum())
    >>> server = Coordinator(count_right(), read_schema(None, 1), epsilon=1.0)
    >>> for person in ("a", "b"):
    ...     task = server.task_for(person)
    ...     server.receive(Answer(task.id, True))
    >>> server.done, server.result
    (True, 2)
    """

    def __init__(self, procedure: Procedure[Learned], schema: Schema, *, epsilon: float) -> None:
        self.epsilon, self.schema = EPSILON.check(epsilon), schema
        self._procedure = procedure
        self._asked: dict[str, str] = {}
        self._past: list[dict[str, Any]] = []
        self._open: OpenRound | None = None
        self._learned: list[Learned] = []
        self._resume(None)

    # -- what goes on ------------------------------------------------------------------------------------

    @property
    def done(self) -> bool:
        """Whether the procedure has ended."""
        return bool(self._learned)

    @property
    def result(self) -> Learned:
        """The learned result."""
        if not self._learned:
            raise InvalidParameter("the procedure is not done; give more tasks out, or close the round")
        return self._learned[0]

    def task_for(self, person: str) -> Task | None:
        """Return a person's task: a new one, or their own once more while it is open; None if there is none.

        None means that the procedure is done, that the round is full (a seat may come free later), or that
        this person has been asked before.

        Args:
            person: The person's token.
        """
        if self._open is None:
            return None
        token = hashlib.sha256(person.encode(errors="surrogatepass")).hexdigest()
        task = self._asked.get(token) or self._open.take()
        if task is None or (question := self._open.question(task)) is None:
            return None
        self._asked[token] = task
        return Task(task, question, schema_name(self.schema))

    def receive(self, message: Answer | str | bytes) -> None:
        """Count one answer, if its task is open and it fits; the last answer ends the round.

        Args:
            message: The answer, or its JSON text.
        """
        answer = message if isinstance(message, Answer) else Answer.from_json(message)
        ongoing = self._current()
        ongoing.put(answer.task, answer.value)
        if ongoing.complete:
            self.close_round()

    def reissue(self, task: str) -> None:
        """Give up on a client who does not answer: their seat goes to the next person who comes.

        They may have paid and been cut off, so they are not asked again, and a late answer is refused.

        Args:
            task: The id of the task.
        """
        self._current().release(task)

    def close_round(self) -> None:
        """Go on with the answers that came, even if they are fewer than asked for, or none."""
        ended = self._current()
        self._past.append(ended.to_dict() | {"taken": {}})
        self._resume(ended.gather(self.schema.width))

    # -- driving the procedure ---------------------------------------------------------------------------

    def _current(self) -> OpenRound:
        if self._open is None:
            raise InvalidParameter("the procedure is done and takes no more answers; read its result")
        return self._open

    def _resume(self, answers: Answers | None) -> None:
        """Go on to the next round; skip rounds that ask nobody."""
        self._open = None
        try:
            asks = self._procedure.send(answers)  # type: ignore[arg-type]  # a generator is started with None
        except StopIteration as end:
            self._learned.append(end.value)
            return
        if any(ask.question.epsilon > self.epsilon for ask in asks):
            raise InvalidParameter(
                f"the procedure asks a question above epsilon {epsilon_words(self.epsilon)}, which no client "
                "pays; build it with the epsilon of the coordinator"
            )
        self._open = OpenRound(asks)
        if self._open.complete:
            self.close_round()

    # -- keeping it --------------------------------------------------------------------------------------

    def to_dict(self) -> dict[str, Any]:
        """Return everything that came in, in plain JSON values: enough for :meth:`replay` to go on."""
        now = None if self._open is None else self._open.to_dict()
        return {"epsilon": self.epsilon, "asked": dict(self._asked), "past": list(self._past), "open": now}

    @classmethod
    def replay(cls, procedure: Procedure[Learned], schema: Schema, kept: Mapping[str, Any]) -> Self:
        """Return a coordinator in the state that :meth:`to_dict` kept, by running the procedure again.

        The procedure must be built as it was, with the same public seed; a round that differs is refused.

        Args:
            procedure: The same procedure, built anew.
            schema: The same schema.
            kept: What :meth:`to_dict` gave.
        """
        with refuse_broken("the record of a coordinator"):
            coordinator = cls(procedure, schema, epsilon=kept["epsilon"])
            while len(coordinator._past) < len(kept["past"]):  # rounds that ask nobody are skipped
                coordinator._current().restore(kept["past"][len(coordinator._past)])
                coordinator.close_round()
            if kept["open"] is not None:
                coordinator._current().restore(kept["open"])
            coordinator._asked.update(kept["asked"])
        return coordinator
