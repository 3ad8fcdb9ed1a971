"""How a server learns: in rounds of questions, each client asked once.

A learning procedure is a generator. It yields a *round*, the questions it wants to put and to how many fresh
clients, and is resumed with their answers; what it returns is what it learned. The procedure sees nothing
else, so the same code runs against people's devices (``Coordinator``) and against a table of records in a
simulation (:func:`simulate`).
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from typing import Any, TypeVar

from numpy.typing import NDArray

from noisewright.domains import Cells, Floats
from noisewright.errors import InvalidParameter
from noisewright.learn.account import Account
from noisewright.learn.chance import Chance
from noisewright.learn.questions.base import Question

Learned = TypeVar("Learned")


@dataclass(frozen=True)
class Ask:
    """A question for a number of clients who have not been asked before."""

    question: Question
    people: int


Round = tuple[Ask, ...]
Answers = list[NDArray[Any]]
Procedure = Generator[Round, Answers, Learned]


class Population:
    """Clients of a simulation: records that answer questions, in a public random order, each once.

    >>> import numpy as np
    >>> from noisewright.learn.chance import read_chance
    >>> from noisewright.learn.questions import SplitQuestion
    >>> people = Population(np.zeros((10, 2)), np.zeros(10, dtype=int), 1.0, read_chance(1))
    >>> people.answer(Ask(SplitQuestion(1.0, width=2), 4)).shape, people.left
    ((4, 3), 6)
    """

    def __init__(self, units: Floats, labels: Cells, epsilon: float, chance: Chance) -> None:
        self._units, self._labels, self._chance = units, labels, chance
        self._order = chance.public.permutation(len(units))
        self._asked = 0
        self.account = Account(len(units), epsilon)

    @property
    def left(self) -> int:
        """How many clients have not been asked yet."""
        return len(self._order) - self._asked

    def answer(self, ask: Ask) -> NDArray[Any]:
        """The answers of the next clients; paid for before they are drawn."""
        if ask.people > self.left:
            raise InvalidParameter(
                f"{ask.people} clients are to be asked, and {self.left} of {len(self._order)} are left; "
                "take fewer weak classifiers, or more clients"
            )
        places = self._order[self._asked : self._asked + ask.people]
        self.account.spend(places, ask.question.guarantee)
        self._asked += ask.people
        # Of places in a random order, take picks whole rows several times faster than an index does.
        units, labels = self._units.take(places, axis=0), self._labels.take(places)
        answers = ask.question.answers(units, labels, self._chance.source)
        if len(answers) != ask.people:  # a question that draws more often costs more than it says
            raise InvalidParameter("a question must draw exactly one answer of each record")
        return answers


def spread(people: int, parts: int) -> list[int]:
    """People in parts that differ by at most one, the larger first.

    >>> spread(7, 3)
    [3, 2, 2]
    """
    return [people // parts + (place < people % parts) for place in range(parts)]


def simulate(procedure: Procedure[Learned], population: Population) -> Learned:
    """Run a procedure against the records of a population."""
    try:
        asked = next(procedure)
        while True:
            asked = procedure.send([population.answer(ask) for ask in asked])
    except StopIteration as learned:
        result: Learned = learned.value
        return result
