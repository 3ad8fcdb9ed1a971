"""The account of one secret: the nats of its releases, summed without rounding, and the nats left.

An account is a value: charging it returns another one, and a refusal changes nothing. The charge is the
budget that was *asked for*, never the smaller bound that a plan happens to prove. So the price of a release
is known before anything is computed, it does not reveal what earlier releases said, and it can only be too
high.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

from noisewright.errors import BudgetSpent, InvalidParameter
from noisewright.guarantees.base import round_down, round_up
from noisewright.release.basics.budgets import NATS, MutualInformation

MOST_RELEASES: Final = 1024
"""Most releases of one secret; the slack for rounding of the posterior covers this number."""

LONGEST_TITLE: Final = 200


@dataclass(frozen=True)
class Entry:
    """One release on the account of a secret.

    Args:
        title: What was released, 1 to 200 letters.
        nats: Nats that it was allowed to reveal.
    """

    title: str
    nats: float

    def __post_init__(self) -> None:
        if not isinstance(self.title, str) or not 0 < len(self.title) <= LONGEST_TITLE:
            raise InvalidParameter(f"the title of a release has 1 to {LONGEST_TITLE} letters")
        object.__setattr__(self, "nats", NATS.check(self.nats))


@dataclass(frozen=True)
class Account:
    """A total in nats, and the releases that were charged to it.

    Args:
        total: Nats that all releases together may reveal.
        entries: Releases so far.

    >>> account = Account(1.0).charge(Entry("mean", 0.75))
    >>> account.spent, account.left
    (0.75, 0.25)
    >>> account.charge(Entry("K-Means", 0.5))
    Traceback (most recent call last):
    ...
    noisewright.errors.BudgetSpent: this secret has 0.25 nats left of 1.0, and K-Means asks for 0.5; ...
    """

    total: float
    entries: tuple[Entry, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "total", MutualInformation(self.total).nats)
        self._refuse_beyond(self.entries, Fraction(self.total), "the releases so far")

    @property
    def spent(self) -> float:
        """The nats of all releases together, rounded up."""
        return round_up(_sum(self.entries))

    @property
    def left(self) -> float:
        """The nats that may still be asked for, rounded down."""
        return round_down(Fraction(self.total) - _sum(self.entries))

    def charge(self, *asked: Entry) -> Account:
        """Return the account after further releases; either all of them are charged or none.

        Args:
            asked: Releases to charge.
        """
        left = Fraction(self.total) - _sum(self.entries)
        self._refuse_beyond(asked, left, " and ".join(entry.title for entry in asked[:3]))
        if len(self.entries) + len(asked) > MOST_RELEASES:
            raise BudgetSpent(
                f"one secret takes {MOST_RELEASES} releases, and this has {len(self.entries)}; draw a new one"
            )
        return Account(self.total, self.entries + asked)

    def _refuse_beyond(self, asked: tuple[Entry, ...], left: Fraction, what: str) -> None:
        if (wanted := _sum(asked)) > left:
            raise BudgetSpent(
                f"this secret has {round_down(left)!r} nats left of {self.total!r}, and {what} asks for "
                f"{round_up(wanted)!r}; nothing was spent: ask for less, or draw a new secret"
            )

    def to_dict(self) -> dict[str, Any]:
        """Return the account in plain JSON values."""
        return {"total": self.total, "entries": [[entry.title, entry.nats] for entry in self.entries]}

    @classmethod
    def from_dict(cls, content: dict[str, Any]) -> Account:
        """Return the account that :meth:`to_dict` described; reject one that spends more than it has.

        Args:
            content: Plain JSON values.
        """
        entries = content["entries"]
        if not isinstance(entries, list) or len(entries) > MOST_RELEASES:
            raise InvalidParameter(f"an account has a list of at most {MOST_RELEASES} entries")
        return cls(content["total"], tuple(Entry(title, nats) for title, nats in entries))


def _sum(entries: tuple[Entry, ...]) -> Fraction:
    return sum((Fraction(entry.nats) for entry in entries), Fraction(0))
