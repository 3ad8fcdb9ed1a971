"""What each of many people has spent, while learning goes on in one process.

A ledger keeps one person's spending on the disk of a device. A simulation of a hundred thousand people keeps
it here, in memory, by the same rule: exact sums, and nothing is drawn before everybody who is asked has paid.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import numpy as np

from noisewright.collect.cost import Cost
from noisewright.collect.terms import BUDGET
from noisewright.domains import Cells
from noisewright.errors import BudgetSpent, InvalidParameter
from noisewright.guarantees import Guarantee, PureLDP
from noisewright.guarantees.rules import round_down, round_up
from noisewright.guarantees.words import epsilon_words, remaining_words
from noisewright.parameters import whole

MOST_PEOPLE = 2**40


class Account:
    """The budgets of people who are known by their places, summed as fractions and never rounded.

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
        # Few totals ever occur, so each person holds the place of theirs in a list of exact numbers.
        self._totals = [Fraction(0)]
        self._holds = np.zeros(self.people, dtype=np.int64)

    def spend(self, places: Cells, guarantee: Guarantee) -> None:
        """Charge people, all or nobody; someone who stands twice among the places pays twice."""
        price = _price(guarantee)
        payers, times = np.unique(self._checked(places), return_counts=True)
        kinds, kind_of = np.unique(self._holds[payers] * (len(places) + 1) + times, return_inverse=True)
        before, often = divmod(kinds, len(places) + 1)
        bills = [price * int(each) for each in often]
        after = [self._after(int(held), bill) for held, bill in zip(before, bills, strict=True)]
        self._holds[payers] = np.array([self._place_of(total) for total in after], dtype=np.int64)[kind_of]

    def totals(self) -> Counter[Fraction]:
        """How many people have spent each total, as exact numbers."""
        counts = np.bincount(self._holds, minlength=len(self._totals)).tolist()
        return Counter({t: count for t, count in zip(self._totals, counts, strict=True) if count})

    def spent(self, place: int) -> PureLDP:
        """What one person spent in all, rounded up."""
        held = self._holds[whole("place", place, 0, self.people - 1)]
        return PureLDP(round_up(self._totals[held]))

    def able(self, guarantee: Guarantee) -> Cells:
        """The places of all who could still pay for a guarantee."""
        price = _price(guarantee)
        rich = np.array([total + price <= Fraction(self.budget) for total in self._totals])
        return np.flatnonzero(rich[self._holds])

    def _checked(self, places: Cells) -> Cells:
        asked = np.asarray(places)
        if asked.ndim != 1 or (asked.size and not np.issubdtype(asked.dtype, np.integer)):
            raise InvalidParameter("places must be one list of whole numbers, one for each person asked")
        if asked.size and not 0 <= asked.min() <= asked.max() < self.people:
            raise InvalidParameter(f"places must lie from 0 to {self.people - 1}, the people of this account")
        return asked.astype(np.int64)

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
    return Cost.of(guarantee).epsilon
