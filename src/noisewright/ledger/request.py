"""The request of a caller, checked before the ledger is touched."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from noisewright.domains import Cells, NumericDomain
from noisewright.errors import InvalidParameter
from noisewright.guarantees import JointLDP
from noisewright.ledger.cost import Cost
from noisewright.ledger.keys import Key, digest
from noisewright.ledger.names import check_name
from noisewright.ledger.rows import Spend, Stored
from noisewright.mechanisms import Mechanism
from noisewright.mechanisms.basics.finite import label_cells


@dataclass(frozen=True)
class Request:
    """One cell of one column for each of several people, and the mechanism to use."""

    people: tuple[str, ...]
    column: str
    cells: Cells
    mechanism: Mechanism
    many: bool = True

    @classmethod
    def of_one(
        cls, person: object, column: object, value: Any, mechanism: Mechanism, out_of_domain: str
    ) -> Request:
        """Return a request for one person."""
        about = check_name("column", column)
        numeric = isinstance(_checked(mechanism).domain, NumericDomain)
        cells = _cells(mechanism, value if numeric else [value], about, out_of_domain)
        if cells.size != 1:
            raise InvalidParameter("value must be one value; perturb_many takes one for each of many people")
        return cls((check_name("person", person),), about, cells.reshape(1), mechanism, many=False)

    @classmethod
    def of_many(
        cls, people: Iterable[object], column: object, values: Any, mechanism: Mechanism, out_of_domain: str
    ) -> Request:
        """Return a request for many people, one value each."""
        if isinstance(people, str | bytes):
            raise InvalidParameter("must be a list of names, one for each value", field="people")
        names = tuple(check_name(f"people[{place}]", name) for place, name in enumerate(people))
        about = check_name("column", column)
        cells = _cells(_checked(mechanism), values, about, out_of_domain)
        if cells.shape != (len(names),):
            raise InvalidParameter(
                f"values must be a list of {len(names)}, one for each person, not of shape {cells.shape}"
            )
        return cls(names, about, cells, mechanism)

    @property
    def cost(self) -> Cost:
        """The cost of one fresh report."""
        return Cost.of(self.mechanism.guarantee)

    def who(self, place: int) -> str:
        """Name a person in a refusal by their place, since a name does not belong in a log."""
        return f"people[{place}]" if self.many else "this person"

    def tags(self, key: Key) -> tuple[list[bytes], list[bytes]]:
        """Return the tags of the people, and the tags of their values."""
        known = {name: key.person(name) for name in set(self.people)}
        subject = digest([self.column, self.mechanism.to_dict()])
        people = [known[name] for name in self.people]
        pairs = zip(people, self.cells.tolist(), strict=True)
        return people, [key.value(person, subject, cell) for person, cell in pairs]

    def spend(self, person: bytes, tag: bytes, report: Stored) -> Spend:
        """Return the row of one fresh report."""
        epsilon, delta = float(self.cost.epsilon), float(self.cost.delta)
        return Spend(person, self.column, epsilon, delta, type(self.mechanism).__name__, tag, report)


def fresh_places(tags: list[bytes], known: Iterable[bytes]) -> list[int]:
    """Return the places where unknown tags occur for the first time.

    >>> fresh_places([b"a", b"b", b"a", b"c"], {b"b"})
    [0, 3]
    """
    first: dict[bytes, int] = {}
    for place, tag in enumerate(tags):
        first.setdefault(tag, place)
    seen = set(known)
    return [place for tag, place in first.items() if tag not in seen]


def bills(places: list[int], people: list[bytes]) -> list[tuple[int, int]]:
    """Return, for each person in some places, the last of their places and their number.

    >>> bills([0, 1, 3], [b"anna", b"bert", b"carl", b"anna"])
    [(3, 2), (1, 1)]
    """
    count = Counter(people[place] for place in places)
    last = {people[place]: place for place in places}
    return [(last[person], times) for person, times in count.items()]


def _checked(mechanism: object) -> Mechanism:
    if not isinstance(mechanism, Mechanism):
        raise InvalidParameter(f"must be a mechanism, not {type(mechanism).__name__}", field="mechanism")
    if isinstance(mechanism.guarantee, JointLDP):
        raise InvalidParameter(
            f"{type(mechanism).__name__} draws the noise of people together, so no report of one person can "
            "be drawn here; pay for it with spend before it leaves"
        )
    return mechanism


def _cells(mechanism: Mechanism, values: Any, name: str, out_of_domain: str) -> Cells:
    """Return the cells of the values, or refuse one by its column and place."""
    domain = mechanism.domain
    if isinstance(domain, NumericDomain):
        return domain.snap(domain.admit(values, name=name, out_of_domain=out_of_domain))
    return label_cells(domain, values, out_of_domain, name)
