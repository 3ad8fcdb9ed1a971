"""The server's side of learning in the field: it gives tasks out, takes answers in, and sees nothing else.

A :class:`Coordinator` drives the same procedures that a simulation runs. It needs no clock and no network:
whatever carries the messages calls :meth:`~Coordinator.task_for` and :meth:`~Coordinator.receive`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any, Generic, Self

from noisewright.errors import InvalidParameter
from noisewright.guarantees.words import epsilon_words
from noisewright.learn.field.messages import Answer, Task, refused, schema_name
from noisewright.learn.field.open_round import OpenRound
from noisewright.learn.rounds import Answers, Learned, Procedure, Round
from noisewright.learn.schema import Schema
from noisewright.parameters import EPSILON


class Coordinator(Generic[Learned]):
    """Runs a procedure with people who come one by one, each asked once, at most ``epsilon`` each.

    People are known by tokens, any text that stays the same for one person, and kept as hashes of them, which
    hide a token no better than it can be guessed: take random ones, not e-mail addresses. Who holds a task's
    id can answer it, so the channel that carries tasks must reach the right device alone.
    Calls must not overlap; a service puts a lock around its coordinator.

    >>> import numpy as np
    >>> from noisewright.learn.questions import FeedbackQuestion
    >>> from noisewright.learn.rounds import Ask
    >>> from noisewright.learn.rules import ConstantRule
    >>> from noisewright.learn.schema import read_schema
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
        self._go_on()

    # -- what goes on ------------------------------------------------------------------------------------

    @property
    def done(self) -> bool:
        """Whether the procedure has come to its end."""
        return bool(self._learned)

    @property
    def result(self) -> Learned:
        """What was learned."""
        if not self._learned:
            raise InvalidParameter("the procedure is not done; give more tasks out, or close the round")
        return self._learned[0]

    def task_for(self, person: str) -> Task | None:
        """The task of a person: a new one, or their own once more while it is open; None if there is none.

        None means that the procedure is done, that the round is full (a seat may come free later), or that
        this person has been asked before.
        """
        if self._open is None:
            return None
        token = _hidden(person)
        task = self._asked.get(token) or self._open.take()
        if task is None or not self._open.waits_for(task):
            return None
        self._asked[token] = task
        return Task(task, self._open.question(task), schema_name(self.schema))

    def receive(self, message: Answer | str | bytes) -> None:
        """Count one answer, if its task is open and it is an answer to it; the last one ends the round."""
        answer = message if isinstance(message, Answer) else Answer.from_json(message)
        self._current().put(answer.task, answer.value)
        self._go_on()

    def reissue(self, task: str) -> None:
        """Give up on a client who does not answer: their seat goes to the next person who comes.

        They may have paid and been cut off, so they are not asked again, and a late answer is refused.
        """
        self._current().release(task)

    def close_round(self) -> None:
        """Go on with the answers that came, be they fewer than asked for, or none."""
        self._finish(self._current())
        self._go_on()

    # -- driving the procedure ---------------------------------------------------------------------------

    def _current(self) -> OpenRound:
        if self._open is None:
            raise InvalidParameter("the procedure is done and takes no more answers; read its result")
        return self._open

    def _go_on(self) -> None:
        while self._open is not None and self._open.complete:
            self._finish(self._open)

    def _finish(self, ended: OpenRound) -> None:
        self._past.append(ended.to_dict() | {"taken": {}})
        self._resume(ended.gathered(self.schema.width))

    def _resume(self, answers: Answers | None) -> None:
        self._open = None
        try:
            asks = next(self._procedure) if answers is None else self._procedure.send(answers)
        except StopIteration as end:
            self._learned.append(end.value)
            return
        self._open = OpenRound(self._affordable(asks))

    def _affordable(self, asks: Round) -> Round:
        if any(ask.question.epsilon > self.epsilon for ask in asks):
            raise InvalidParameter(
                f"the procedure asks a question above epsilon {epsilon_words(self.epsilon)}, which no client "
                "pays; build it with the epsilon of the coordinator"
            )
        return asks

    # -- keeping it --------------------------------------------------------------------------------------

    def to_dict(self) -> dict[str, Any]:
        """Everything that came in, in plain JSON values: enough for :meth:`replay` to go on from here."""
        now = None if self._open is None else self._open.to_dict()
        return {"epsilon": self.epsilon, "asked": dict(self._asked), "past": list(self._past), "open": now}

    @classmethod
    def replay(cls, procedure: Procedure[Learned], schema: Schema, kept: Mapping[str, Any]) -> Self:
        """A coordinator in the state that :meth:`to_dict` kept, by asking the procedure all over again.

        The procedure must be built as it was, with the same public seed; a round that differs is refused.
        """
        with refused("the record of a coordinator"):
            coordinator = cls(procedure, schema, epsilon=kept["epsilon"])
            while len(coordinator._past) < len(kept["past"]):  # rounds that ask nobody pass by themselves
                coordinator._current().restore(kept["past"][len(coordinator._past)])
                coordinator.close_round()
            if kept["open"] is not None:
                coordinator._current().restore(kept["open"])
            coordinator._asked.update(kept["asked"])
        return coordinator


def _hidden(person: str) -> str:
    return hashlib.sha256(person.encode(errors="surrogatepass")).hexdigest()
