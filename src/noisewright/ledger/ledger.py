"""The privacy ledger: what each person has spent, and what they reported before.

**What it defends against.** Asking a person a thousand times and averaging removes any noise. So a value that
was reported once is *remembered*: the same value of the same person in the same column under the same
mechanism gets the same report again, for free. A changed value gets fresh noise and costs ε again, until the
budget of the person, or of the column, is spent.

**Why a crash neither loses nor doubles anything.** A spend and its report are one row of SQLite, written in
one transaction that no other can overlap, and a report leaves only after the disk has the row. If the
process is killed before the commit, nothing was spent and nothing has left; after it, asking again finds the
row.

**Where it runs.** Where true values are seen: on the device, or at a collector that is trusted with them.
What it stores, and who could read it:

- People and values are kept as keyed hashes, reports in the clear. A copy of the ledger *without its key*
  shows how many people there are, their reports (which ε covers), and which reports share a person; it does
  not name them. Whoever *also* has the key can try all names and all values of the lattice, so the key is
  worth as much as the data: keep it elsewhere if you can (``key=``), and never in the same backup.
- Without its key a ledger is useless, on purpose: a new key would give everybody a new budget. For the same
  reason a restored old copy forgets what was spent since.

**What it cannot hide.** Remembering shows *whether* a value changed, and when it came back, to whoever sees
the sequence of a person's reports; so does a refusal once the budget is spent, because an unchanged value
would have been answered. The ε bounds what reports say about the values *given* that pattern. If the pattern
itself is a secret, let people report once, or at fixed times whatever happens. On the usual lattice of 2²⁰
cells a reading with some jitter is new each time and costs each time; declare the domain with as few cells
as the question needs, for example ``Interval(40, 200, cells=32)``. Labels are few by themselves: remembered,
their reports are what others call permanent randomized response.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from noisewright.errors import BadLedger, InvalidParameter
from noisewright.guarantees import Guarantee
from noisewright.guarantees.base import round_down
from noisewright.ledger.cost import Cost
from noisewright.ledger.database import make_file, reading, writing
from noisewright.ledger.keys import Key, check_folder, make_key, read_key
from noisewright.ledger.names import check_name
from noisewright.ledger.request import Request, bills, fresh_places
from noisewright.ledger.rows import (
    Book,
    Spend,
    from_stored,
    is_empty,
    read_terms,
    single_report,
    to_stored,
    write_terms,
)
from noisewright.ledger.status import Entry, Statement, Status, read_status
from noisewright.ledger.terms import Terms, total
from noisewright.mechanisms import Mechanism
from noisewright.randomness import Source

ELSEWHERE = "elsewhere"


@dataclass(frozen=True)
class Ledger:
    """A file of budgets, shared by any number of threads and processes.

    The object holds only the paths of the ledger and of its key. Every call opens the file, does its work in
    one transaction and closes it, so it can be pickled, used from threads and used after a fork.

    Attributes:
        path: The SQLite file.
        key: The file with the secret key.

    >>> import tempfile
    >>> from noisewright import PureLDP
    >>> ledger = Ledger.create(tempfile.mkdtemp() + "/people.db", budget=1.0)
    >>> ledger.spend("anna", "age", PureLDP(0.75))
    >>> ledger.spend("anna", "age", PureLDP(0.5))
    Traceback (most recent call last):
    ...
    noisewright.errors.BudgetSpent: this person has epsilon 0.25 left of 1, and 'age' asks for 0.5; ...
    """

    path: Path
    key: Path

    @classmethod
    def create(
        cls,
        path: str | os.PathLike[str],
        *,
        budget: float,
        columns: Mapping[str, float] | None = None,
        delta: float = 0.0,
        simulated: bool = False,
        key: str | os.PathLike[str] | None = None,
    ) -> Ledger:
        """Create a ledger and its key.

        Args:
            path: The file to create.
            budget: All the ε that one person may ever spend, above 0 and at most 1000.
            columns: The most ε for single columns; by default, only ``budget`` limits them.
            delta: All the δ that one person may ever spend; 0 admits pure guarantees only.
            simulated: Whether people are simulated: such a ledger takes seeded noise, and says so in every
                report.
            key: The file of the key; by default, ``path`` with ``.key`` at its end.
        """
        terms = Terms(budget, delta, columns or {}, simulated)
        ledger = cls._at(path, key)
        if key is not None:
            check_folder(ledger.key)
        make_file(ledger.path)
        with writing(ledger.path) as connection:
            if not is_empty(connection):
                raise BadLedger(f"{ledger.path} exists already; open it, or choose another name")
            write_terms(connection, terms, make_key(ledger.key))
        return ledger

    @classmethod
    def open(cls, path: str | os.PathLike[str], *, key: str | os.PathLike[str] | None = None) -> Ledger:
        """Open a ledger that exists.

        A key that is named is checked at once; the usual one is first read when a person is asked for.

        Args:
            path: The file of the ledger.
            key: The file of its key; by default, ``path`` with ``.key`` at its end.
        """
        ledger = cls._at(path, key)
        with reading(ledger.path) as connection:
            _, fingerprint = read_terms(connection, ledger.path)
        if key is not None:
            ledger._known_key(fingerprint)
        return ledger

    @classmethod
    def _at(cls, path: str | os.PathLike[str], key: str | os.PathLike[str] | None) -> Ledger:
        return cls(Path(path), Path(f"{os.fspath(path)}.key" if key is None else key))

    @property
    def terms(self) -> Terms:
        """What everybody may spend."""
        with reading(self.path) as connection:
            return read_terms(connection, self.path)[0]

    # -- spending ------------------------------------------------------------------------------------

    def perturb(
        self,
        person: str,
        column: str,
        value: Any,
        mechanism: Mechanism,
        source: Source | None = None,
        *,
        out_of_domain: str = "refuse",
    ) -> Any:
        """Return the report of one value: a fresh one that is paid for, or the one that it got before.

        Args:
            person: The person's name; the same text is the same account.
            column: What the value is about.
            value: The true value.
            mechanism: How it is randomized.
            source: Randomness of a simulated ledger; by default a secure one.
            out_of_domain: "refuse" or "clip" values outside the domain.

        >>> import tempfile
        >>> from noisewright import Categories
        >>> from noisewright.mechanisms import OLH
        >>> ledger = Ledger.create(tempfile.mkdtemp() + "/people.db", budget=1.0)
        >>> mechanism = OLH(Categories(["asthma", "diabetes", "none"]), epsilon=1.0)
        >>> first = ledger.perturb("anna", "diagnosis", "asthma", mechanism)
        >>> bool(first == ledger.perturb("anna", "diagnosis", "asthma", mechanism))
        True
        """
        asked = Request.of_one(person, column, value, mechanism, out_of_domain)
        return single_report(mechanism, self._reports(asked, source))

    def perturb_many(
        self,
        people: Iterable[str],
        column: str,
        values: Any,
        mechanism: Mechanism,
        source: Source | None = None,
        *,
        out_of_domain: str = "refuse",
    ) -> NDArray[Any]:
        """Return the reports of one value for each of many people; if one cannot pay, nobody does.

        Args:
            people: The people's names, one for each value.
            column: What the values are about.
            values: The true values.
            mechanism: How they are randomized.
            source: Randomness of a simulated ledger; by default a secure one.
            out_of_domain: "refuse" or "clip" values outside the domain.

        >>> import tempfile
        >>> from noisewright import Interval
        >>> from noisewright.mechanisms import OGPM
        >>> ledger = Ledger.create(tempfile.mkdtemp() + "/people.db", budget=1.0)
        >>> ledger.perturb_many(["anna", "bert"], "age", [34, 71], OGPM(Interval(0, 120), 1.0)).shape
        (2,)
        """
        return self._reports(Request.of_many(people, column, values, mechanism, out_of_domain), source)

    def _reports(self, asked: Request, source: Source | None) -> NDArray[Any]:
        with self.transaction() as (book, key):
            book.terms.check_source(source)
            people, tags = asked.tags(key)
            known = book.reports(tags)
            fresh = fresh_places(tags, known)
            for place, times in bills(fresh, people):
                book.charge(asked.who(place), people[place], asked.column, asked.cost * times)
            if fresh:
                drawn = to_stored(asked.mechanism, asked.mechanism.perturb_cells(asked.cells[fresh], source))
                pairs = zip(fresh, drawn, strict=True)
                book.add(asked.spend(people[place], tags[place], report) for place, report in pairs)
                known.update(zip((tags[place] for place in fresh), drawn, strict=True))
        # Only here, after the commit, does a report leave.
        return from_stored(asked.mechanism, [known[tag] for tag in tags])

    def spend(self, person: str, column: str, guarantee: Guarantee, *, receipt: str | None = None) -> None:
        """Pay for a report that is made elsewhere; pay first, and let the report leave afterwards.

        Args:
            person: The person's name.
            column: What the report is about.
            guarantee: What the report costs.
            receipt: A name for the report, so that asking again after a crash does not pay twice; without
                one, every call pays.
        """
        name, about = check_name("person", person), check_name("column", column)
        if not isinstance(guarantee, Guarantee):
            raise InvalidParameter(f"must be a guarantee, not {type(guarantee).__name__}", field="guarantee")
        cost = Cost.of(guarantee)
        price = (float(cost.epsilon), float(cost.delta))
        with self.transaction() as (book, key):
            tag, payer = None, key.person(name)
            if receipt is not None:
                tag = key.receipt(payer, about, check_name("receipt", receipt))
            if tag is not None and (paid := book.paid(tag)) is not None:
                if paid != price:
                    raise InvalidParameter(f"receipt {receipt!r} was paid at another price; take a new one")
                return
            book.charge("this person", payer, about, cost)
            book.add([Spend(payer, about, *price, ELSEWHERE, tag)])

    # -- looking -------------------------------------------------------------------------------------

    def spent(self, person: str, column: str | None = None) -> Guarantee:
        """Return what all reports of a person cost together, rounded up.

        Args:
            person: The person's name.
            column: Count the reports of this column only; by default, all.
        """
        name = check_name("person", person)
        about = None if column is None else check_name("column", column)
        with self._reading() as (book, key):
            spent = book.spent(key.person(name))
        return (total(spent) if about is None else spent.get(about, Cost())).guarantee()

    def remaining(self, person: str, column: str | None = None) -> float:
        """Return the ε that a person may still spend, rounded down.

        Args:
            person: The person's name.
            column: What may be spent on this column; by default, in all.
        """
        name = check_name("person", person)
        about = None if column is None else check_name("column", column)
        with self._reading() as (book, key):
            return round_down(book.terms.left(book.spent(key.person(name)), about))

    def statement(self, person: str) -> Statement:
        """Return everything about the budget of one person, found by their name."""
        name = check_name("person", person)
        with self._reading() as (book, key):
            payer = key.person(name)
            history = tuple(
                Entry(column, Cost.exact(epsilon, delta).guarantee(), made_by)
                for column, epsilon, delta, made_by in book.of(payer)
            )
            return Statement.of(book.terms, book.spent(payer), history)

    def status(self) -> Status:
        """Return how far the budgets of all people are spent; needs no key."""
        with reading(self.path) as connection:
            return read_status(connection, read_terms(connection, self.path)[0])

    # -- the file ------------------------------------------------------------------------------------

    @contextmanager
    def transaction(self) -> Iterator[tuple[Book, Key]]:
        """Yield the rows and the key while nobody else can write, to pay and draw in one step."""
        with writing(self.path) as connection:
            terms, fingerprint = read_terms(connection, self.path)
            yield Book(connection, terms), self._known_key(fingerprint)

    @contextmanager
    def _reading(self) -> Iterator[tuple[Book, Key]]:
        with reading(self.path) as connection:
            terms, fingerprint = read_terms(connection, self.path)
            yield Book(connection, terms), self._known_key(fingerprint)

    def _known_key(self, fingerprint: bytes) -> Key:
        key = read_key(self.key)
        if key.fingerprint != fingerprint:
            raise BadLedger(f"{self.key} is the key of another ledger, not of {self.path}")
        return key
