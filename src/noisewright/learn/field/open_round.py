"""A round that is under way: which seats are free, which are taken, and what has come back."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noisewright.collect.keys import digest
from noisewright.errors import InvalidParameter
from noisewright.learn.field.messages import refused
from noisewright.learn.questions import Question
from noisewright.learn.rounds import Answers, Round
from noisewright.randomness import SeededSource

Seat = tuple[int, int]
"""Which ask of the round, and which of the clients it wants."""


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
        """A name of what the round asks, so that a replay notices another procedure."""
        return digest([[ask.question.to_dict(), ask.people] for ask in self.asks]).hex()

    def take(self) -> str | None:
        """A task for the next free seat, under an id that nobody can guess; None when all are taken."""
        if not self._free:
            return None
        task = secrets.token_hex(16)
        self._taken[task] = self._free.pop()
        return task

    def waits_for(self, task: str) -> bool:
        """Whether a task of this round is still unanswered."""
        return task in self._taken

    def question(self, task: str) -> Question:
        """What a task asks."""
        return self.asks[self._seat(task)[0]].question

    def release(self, task: str) -> None:
        """Free the seat of a client who does not answer; what they send later is not counted."""
        self._free.append(self._seat(task))
        del self._taken[task]

    def put(self, task: str, value: Any) -> None:
        """Take one answer, if it is one to this question."""
        question = self.question(task)
        with refused("the answer"):
            question.admit(value)
        self._answers[self._taken.pop(task)] = value

    def gathered(self, width: int) -> Answers:
        """One array of answers for each ask, in the order of the seats, without those that never came."""
        return [self._gather(place, ask.question, width) for place, ask in enumerate(self.asks)]

    def _gather(self, place: int, question: Question, width: int) -> NDArray[Any]:
        seats = sorted(seat for seat in self._answers if seat[0] == place)
        if not seats:
            return _nobody(question, width)
        return np.stack([question.admit(self._answers[seat]) for seat in seats])

    def _seat(self, task: str) -> Seat:
        if task not in self._taken:
            raise InvalidParameter("no open task has this id: it was answered, reissued, or never given out")
        return self._taken[task]

    # -- keeping it --------------------------------------------------------------------------------------

    def to_dict(self) -> dict[str, Any]:
        """The seats in plain JSON values."""
        return {
            "name": self.name,
            "taken": {task: list(seat) for task, seat in self._taken.items()},
            "answers": [[*seat, value] for seat, value in sorted(self._answers.items())],
        }

    def restore(self, kept: Mapping[str, Any]) -> None:
        """Put everything back where :meth:`to_dict` found it."""
        if kept["name"] != self.name:
            raise InvalidParameter(
                "the procedure asks something else than the record says; replay the same procedure, with the "
                "same public seed"
            )
        free = set(self._free)
        for ask, seat, value in kept["answers"]:
            self.asks[ask].question.admit(value)
            self._answers[_sat(free, (ask, seat))] = value
        for task, (ask, seat) in kept["taken"].items():
            self._taken[task] = _sat(free, (ask, seat))
        self._free = [seat for seat in self._free if seat in free]


def _sat(free: set[Seat], seat: Seat) -> Seat:
    """Take a seat from those that are free."""
    if seat not in free:
        raise InvalidParameter("the record gives one seat of a round to two clients; it is damaged")
    free.remove(seat)
    return seat


def _nobody(question: Question, width: int) -> NDArray[Any]:
    """The answers of no client, in the shape that answers have: a blank record is asked, and dropped."""
    blank = question.answers(np.zeros((1, width)), np.zeros(1, dtype=np.int64), SeededSource(0))
    return blank[:0]
