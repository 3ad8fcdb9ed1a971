"""One payment, one answer: both are a single row of the ledger on the device.

If paying and drawing were two steps, a crash between them would leave an answer that is paid for and unknown:
drawing it again could send two noises for one payment, and two noises tell more than ε. So the answer is
drawn inside the transaction that pays for it, kept in the same row, and leaves only after the disk has it.
Asked again, the device gives what the row holds.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from noisewright.errors import BudgetSpent
from noisewright.guarantees import PureLDP
from noisewright.guarantees.rules import round_down
from noisewright.guarantees.words import epsilon_words, remaining_words
from noisewright.ledger import Ledger
from noisewright.ledger.cost import Cost
from noisewright.ledger.names import check_name
from noisewright.ledger.rows import Book, Spend
from noisewright.randomness import Source


@dataclass(frozen=True)
class Purse:
    """What one person lets learning spend: at most ``limit`` of their ledger, all under one column.

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
        object.__setattr__(self, "person", check_name("person", self.person))
        object.__setattr__(self, "column", check_name("column", self.column))

    def __repr__(self) -> str:  # a name does not belong into a log
        return f"Purse(column={self.column!r}, limit={self.limit!r})"

    def answer(
        self, receipt: str, price: PureLDP, draw: Callable[[], bytes], source: Source | None = None
    ) -> bytes:
        """The answer that a receipt stands for: drawn and paid the first time, remembered ever after."""
        with self.ledger.transaction() as (book, key):
            book.terms.check_source(source)
            payer = key.person(self.person)
            tag = key.receipt(payer, self.column, check_name("receipt", receipt))
            known = book.reports([tag])
            if tag not in known:
                self._charge(book, payer, Cost.of(price))
                known[tag] = draw()
                book.add([Spend(payer, self.column, price.epsilon, 0.0, "Question", tag, known[tag])])
        return _kept(known[tag])

    def _charge(self, book: Book, payer: bytes, cost: Cost) -> None:
        """Refuse what goes beyond the ledger's terms, or beyond what learning may have of them."""
        spent = book.spent(payer).get(self.column, Cost()).epsilon
        left = Fraction(self.limit) - spent
        if cost.epsilon > left:
            raise BudgetSpent(
                f"learning may spend epsilon {epsilon_words(self.limit)} of this person and has "
                f"{remaining_words(round_down(left))} left, but the question costs "
                f"{epsilon_words(float(cost.epsilon))}; nothing was spent: ask somebody else"
            )
        book.charge("this person", payer, self.column, cost)


def _kept(report: object) -> bytes:
    if not isinstance(report, bytes):
        raise BudgetSpent(
            "this task was paid for without keeping its answer here, and an answer is never drawn twice for "
            "one payment; nothing was spent: ask somebody else"
        )
    return report
