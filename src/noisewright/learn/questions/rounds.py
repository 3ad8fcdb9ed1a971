"""Rounds of questions, each client asked once: how a server learns, and what it costs everybody.

A learning procedure is a generator. It yields a *round*, the questions it wants to ask and how many fresh
clients for each, and is resumed with their answers; what it returns is the result. The procedure sees nothing
else, so the same code runs against people's devices (``Coordinator``) and against a table of records in a
simulation (:func:`simulate`).

Two kinds of chance must not be confused (:class:`Chance`). Which client is asked what, which reports train
which weak classifier and where a random direction points are public; what is drawn to hide a value is not. A
``random_state`` makes both repeatable, and then the noise hides nothing: everything made with it says so.

A ledger keeps one person's spending on the disk of a device. A simulation of a hundred thousand people keeps
it in memory (:class:`Account`), by the same rule: exact sums, and nothing is drawn before everybody has paid.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from noisewright.domains import Cells, Floats
from noisewright.errors import BudgetSpent, InvalidParameter
from noisewright.guarantees import Guarantee, PureLDP
from noisewright.guarantees.base import round_down, round_up
from noisewright.learn.questions.base import Question
from noisewright.ledger.terms import BUDGET
from noisewright.parameters import whole
from noisewright.randomness import SeededSource, Source
from noisewright.text import epsilon_words, remaining_words

SEEDS = 1 << 63


@dataclass(frozen=True)
class Chance:
    """The source of noise (``source``; None is the operating system's cipher), and of public choices.

    >>> read_chance(None).simulated, read_chance(7).simulated
    (False, True)
    """

    source: Source | None
    public: np.random.Generator

    @property
    def simulated(self) -> bool:
        """Whether the noise can be repeated by anyone who knows the seed."""
        return self.source is not None and not self.source.private


def read_chance(random_state: Any) -> Chance:
    """Return chance as scikit-learn's users ask for it: None is private, a seed or generator a simulation.

    Args:
        random_state: None for secure noise; a whole number from 0 on or a NumPy generator for a simulation.
    """
    match random_state:
        case None:
            return Chance(None, np.random.default_rng())
        case np.random.Generator():
            return _seeded(int(random_state.integers(SEEDS)))
        case np.random.RandomState():
            return _seeded(int(random_state.randint(SEEDS, dtype=np.int64)))
        case bool():
            raise InvalidParameter(
                "must be None, a whole number or a generator, not a boolean", field="random_state"
            )
        case int() | np.integer() if random_state >= 0:
            return _seeded(int(random_state))
    raise InvalidParameter(
        "must be None, a whole number from 0 on, or a NumPy generator", field="random_state"
    )


def _seeded(seed: int) -> Chance:
    return Chance(SeededSource(seed), np.random.default_rng(seed))


MOST_PEOPLE = 2**40


class Account:
    """The budgets of people identified by their places, summed as fractions and never rounded.

    >>> account = Account(3, budget=1.0)
    >>> account.spend(np.array([0, 1]), PureLDP(0.5))
    >>> account.spend(np.array([1]), PureLDP(0.5))
    >>> account.totals() == {Fraction(0): 1, Fraction(1, 2): 1, Fraction(1): 1}
    True
    >>> account.spend(np.array([1, 2]), PureLDP(0.5))
    Traceback (most recent call last):
    ...
    noisewright.errors.BudgetSpent: one of the people asked has epsilon 0 left of 1, and pays 0.5 ...
    """

    def __init__(self, people: int, budget: float) -> None:
        self.people = whole("people", people, 0, MOST_PEOPLE)
        self.budget = BUDGET.check(budget)
        # Few totals ever occur, so each person holds the place of its own in a list of exact numbers.
        self._totals = [Fraction(0)]
        self._holds = np.zeros(self.people, dtype=np.int64)

    def spend(self, places: Cells, guarantee: Guarantee) -> None:
        """Charge people, all or nobody; a person listed twice among the places pays twice."""
        price, asked = _price(guarantee), np.asarray(places)
        if asked.ndim != 1 or (asked.size and not np.issubdtype(asked.dtype, np.integer)):
            raise InvalidParameter(
                "must be one list of whole numbers, one for each person asked", field="places"
            )
        if asked.size and not 0 <= asked.min() <= asked.max() < self.people:
            raise InvalidParameter(
                f"must lie from 0 to {self.people - 1}, the people of this account", field="places"
            )
        payers, times = np.unique(asked.astype(np.int64), return_counts=True)
        kinds, kind_of = np.unique(self._holds[payers] * (len(places) + 1) + times, return_inverse=True)
        before, often = divmod(kinds, len(places) + 1)
        bills = [price * int(each) for each in often]
        after = [self._after(int(held), bill) for held, bill in zip(before, bills, strict=True)]
        self._holds[payers] = np.array([self._place_of(total) for total in after], dtype=np.int64)[kind_of]

    def totals(self) -> Counter[Fraction]:
        """Return how many people have spent each total, as exact numbers."""
        counts = np.bincount(self._holds, minlength=len(self._totals)).tolist()
        return Counter({t: count for t, count in zip(self._totals, counts, strict=True) if count})

    def able(self, guarantee: Guarantee) -> Cells:
        """Return the places of all who could still pay for a guarantee."""
        price = _price(guarantee)
        rich = np.array([total + price <= Fraction(self.budget) for total in self._totals])
        return np.flatnonzero(rich[self._holds])

    def _after(self, held: int, asked: Fraction) -> Fraction:
        left = Fraction(self.budget) - self._totals[held]
        if asked > left:
            raise BudgetSpent(
                f"one of the people asked has epsilon {remaining_words(round_down(left))} left of "
                f"{epsilon_words(self.budget)}, and pays {epsilon_words(round_up(asked))} for this; nothing "
                "was spent: ask somebody else"
            )
        return self._totals[held] + asked

    def _place_of(self, total: Fraction) -> int:
        if total not in self._totals:
            self._totals.append(total)
        return self._totals.index(total)


def _price(guarantee: Guarantee) -> Fraction:
    if not isinstance(guarantee, PureLDP):
        raise InvalidParameter(
            f"an account adds up PureLDP guarantees, not {type(guarantee).__name__}; convert it first"
        )
    return Fraction(guarantee.epsilon)


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
    >>> from noisewright.learn.questions.rounds import read_chance
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
        """Return the answers of the next clients; they pay before answers are drawn."""
        if ask.people > self.left:
            raise InvalidParameter(
                f"{ask.people} clients are to be asked, and {self.left} of {len(self._order)} are left; "
                "take fewer weak classifiers, or more clients"
            )
        places = self._order[self._asked : self._asked + ask.people]
        self.account.spend(places, ask.question.guarantee)
        self._asked += ask.people
        # For places in a random order, take picks whole rows several times faster than an index does.
        units, labels = self._units.take(places, axis=0), self._labels.take(places)
        answers = ask.question.answers(units, labels, self._chance.source)
        if len(answers) != ask.people:  # a question that draws more often costs more than it declares
            raise InvalidParameter("a question must draw exactly one answer of each record")
        return answers


def spread(people: int, parts: int) -> list[int]:
    """Return people in parts that differ by at most one, the larger first.

    >>> spread(7, 3)
    [3, 2, 2]
    """
    return [people // parts + (place < people % parts) for place in range(parts)]


def relay(procedure: Procedure[Learned], change: Callable[[Round], Round]) -> Procedure[Learned]:
    """Pass the rounds of a procedure on, each changed by ``change``, and their answers back."""
    answers: Answers | None = None
    while True:
        try:
            asked = procedure.send(answers)  # type: ignore[arg-type]  # a generator is started with None
        except StopIteration as learned:
            result: Learned = learned.value
            return result
        answers = yield change(asked)


def simulate(procedure: Procedure[Learned], population: Population) -> Learned:
    """Run a procedure against the records of a population."""
    try:
        asked = next(procedure)
        while True:
            asked = procedure.send([population.answer(ask) for ask in asked])
    except StopIteration as learned:
        result: Learned = learned.value
        return result
